package config

import (
	"cmp"
	"maps"
	"strconv"
	"time"

	"github.com/pelletier/go-toml/v2/unstable"
)

// A key is a key of a file, or the name of a table.
type key struct {
	name   string // the option that the key sets, as errors call it
	option any    // a pointer to it, or nil for a table
	least  int    // the minimum of an integer
	zero   string // the meaning of 0 for an integer whose minimum is 1; the option is then -1
}

func (k key) isTable() bool { return k.option == nil }

// kind describes the values that the key can have, for errors.
func (k key) kind() string {
	switch k.option.(type) {
	case nil:
		return "a table"
	case *bool, **bool:
		return "true or false"
	case *[]string:
		return "an array of strings"
	case *time.Duration:
		return `a duration such as "10s" or "1m30s", or 0 for no limit`
	}
	if k.zero != "" {
		return "an integer, at least 1, or 0 for " + k.zero
	}
	return "an integer, at least " + strconv.Itoa(k.least)
}

// set sets the option, and reports whether it can have the value.
func (k key) set(value *unstable.Node) bool {
	switch option := k.option.(type) {
	case *bool:
		*option = string(value.Data) == "true"
		return value.Kind == unstable.Bool
	case **bool:
		*option = new(string(value.Data) == "true")
		return value.Kind == unstable.Bool
	case *int:
		n, ok := k.integer(value)
		*option = n
		return ok
	case **int:
		n, ok := k.integer(value)
		*option = &n
		return ok
	case *time.Duration:
		d, err := time.ParseDuration(string(value.Data))
		*option = cmp.Or(d, -1)
		return err == nil && d >= 0
	case *[]string:
		for e := value.Children(); e.Next(); {
			if e.Node().Kind != unstable.String {
				return false
			}
			*option = append(*option, string(e.Node().Data))
		}
		return value.Kind == unstable.Array
	default:
		return false
	}
}

// integer returns the integer that a value sets the option to, if it can have the value.
func (k key) integer(value *unstable.Node) (n int, ok bool) {
	parsed, err := strconv.ParseInt(string(value.Data), 0, strconv.IntSize)
	isInteger := value.Kind == unstable.Integer && err == nil
	n = int(parsed)
	if k.zero != "" && n == 0 {
		n = -1
	}
	return n, isInteger && parsed >= int64(k.least)
}

// keys returns the keys that set s, and the tables. The name of the top table is empty.
func (s *settings) keys() map[string]key {
	listDir, readFile, grepFiles := &s.Codex.ListDir, &s.Codex.ReadFile, &s.Codex.GrepFiles
	all := map[string]key{
		"sandbox.allow_absolute":         {name: "forge.AllowAbsolute", option: &s.Forge.AllowAbsolute},
		"sandbox.include_default_denies": {name: "IncludeDefaultDenies", option: &s.IncludeDefaultDenies},
		"sandbox.deny":                   {name: "Deny", option: &s.Deny},

		"policy.allow":  {name: "Policy.Allow", option: &s.Policy.Allow},
		"policy.deny":   {name: "Policy.Deny", option: &s.Policy.Deny},
		"policy.prompt": {name: "Policy.Prompt", option: &s.Policy.Prompt},

		"limits.max_output_bytes": {
			name: "Limits.MaxOutputBytes", option: &s.Limits.MaxOutputBytes, zero: "no limit",
		},
		"limits.max_data_bytes": {name: "Limits.MaxDataBytes", option: &s.Limits.MaxDataBytes, zero: "no limit"},
		"limits.timeout":        {name: "Limits.Timeout", option: &s.Limits.Timeout},
		"limits.memory_bytes":   {name: "Limits.CacheBytes", option: &s.Limits.CacheBytes, zero: "no cache"},
		"limits.max_calls": {
			name: "Limits.MaxConcurrentCalls", option: &s.Limits.MaxConcurrentCalls, least: 1,
		},

		"output.verbatim_names": {name: "VerbatimNames", option: &s.VerbatimNames},
		"gander.max_chars":      {name: "MaxChars", option: &s.MaxChars, zero: "no limit"},

		"codex.list_dir.limit":       {name: "codex.ListDir.Limit", option: &listDir.Limit, least: 1},
		"codex.list_dir.depth":       {name: "codex.ListDir.Depth", option: &listDir.Depth, least: 1},
		"codex.list_dir.max_limit":   {name: "codex.ListDir.MaxLimit", option: &listDir.MaxLimit},
		"codex.list_dir.max_depth":   {name: "codex.ListDir.MaxDepth", option: &listDir.MaxDepth},
		"codex.read_file.limit":      {name: "codex.ReadFile.Limit", option: &readFile.Limit, least: 1},
		"codex.read_file.max_limit":  {name: "codex.ReadFile.MaxLimit", option: &readFile.MaxLimit},
		"codex.read_file.max_levels": {name: "codex.ReadFile.MaxLevels", option: &readFile.MaxLevels},
		"codex.read_file.include_siblings": {
			name: "codex.ReadFile.IncludeSiblings", option: &readFile.IncludeSiblings,
		},
		"codex.read_file.include_header": {name: "codex.ReadFile.IncludeHeader", option: &readFile.IncludeHeader},
		"codex.grep_files.limit":         {name: "codex.GrepFiles.Limit", option: &grepFiles.Limit, least: 1},
		"codex.grep_files.max_limit":     {name: "codex.GrepFiles.MaxLimit", option: &grepFiles.MaxLimit, least: 1},

		"gemini.list_directory.respect_git_ignore": {
			name: "gemini.RespectGitIgnore", option: &s.Gemini.RespectGitIgnore,
		},
		"gemini.list_directory.respect_gemini_ignore": {
			name: "gemini.RespectGeminiIgnore", option: &s.Gemini.RespectGeminiIgnore,
		},

		"toolkit.tree.max_depth":   {name: "toolkit.MaxDepth", option: &s.Toolkit.MaxDepth},
		"toolkit.tree.max_entries": {name: "toolkit.MaxEntries", option: &s.Toolkit.MaxEntries, least: 1},
		"toolkit.tree.depth_cap":   {name: "toolkit.DepthCap", option: &s.Toolkit.DepthCap},
		"toolkit.tree.entries_cap": {name: "toolkit.EntriesCap", option: &s.Toolkit.EntriesCap, least: 1},
		"toolkit.tree.exclude":     {name: "toolkit.Exclude", option: &s.Toolkit.Exclude},
		"toolkit.tree.include_default_excludes": {
			name: "toolkit.IncludeDefaultExcludes", option: &s.Toolkit.IncludeDefaultExcludes,
		},

		"tools.list_directory.max_entries": {name: "forge.MaxEntries", option: &s.Forge.MaxEntries, least: 1},
		"tools.list_directory.max_depth":   {name: "forge.MaxDepth", option: &s.Forge.MaxDepth, least: 1},
		"tools.list_directory.include_hidden_default": {
			name: "forge.IncludeHiddenDefault", option: &s.Forge.IncludeHiddenDefault,
		},
		"tools.list_directory.include_symlinks_default": {
			name: "forge.IncludeSymlinksDefault", option: &s.Forge.IncludeSymlinksDefault,
		},
		"tools.list_directory.include_files_default": {
			name: "forge.IncludeFilesDefault", option: &s.Forge.IncludeFilesDefault,
		},
		"tools.list_directory.include_dirs_default": {
			name: "forge.IncludeDirsDefault", option: &s.Forge.IncludeDirsDefault,
		},
		"tools.list_directory.include_other_default": {
			name: "forge.IncludeOtherDefault", option: &s.Forge.IncludeOtherDefault,
		},
	}
	tables := map[string]key{"": {}}
	for name := range all {
		for i, c := range name {
			if c == '.' {
				tables[name[:i]] = key{}
			}
		}
	}
	maps.Copy(all, tables)
	return all
}
