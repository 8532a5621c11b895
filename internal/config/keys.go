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
	option any    // a pointer to the option that the key sets, or nil for a table
	name   string // of the option in errors of [gander.Open], if there are any
	least  int    // the minimum of an integer
	zero   string // the meaning of 0, below the minimum, if it sets the option to -1
}

func (k key) isTable() bool { return k.option == nil }

func (k key) kind() string {
	switch k.option.(type) {
	case nil:
		return "a table"
	case *bool, **bool:
		return "true or false"
	case *[]string:
		return "an array of strings"
	case *string:
		return "a string"
	case *time.Duration:
		return `a duration such as "10s" or "1m30s", or 0 for no limit`
	}
	text := "an integer, at least " + strconv.Itoa(k.least)
	if k.zero != "" {
		text += ", or 0 for " + k.zero
	}
	return text
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
	case *string:
		*option = string(value.Data)
		return value.Kind == unstable.String
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
	switch {
	case value.Kind != unstable.Integer || err != nil:
		return 0, false
	case parsed == 0 && k.zero != "":
		return -1, true
	default:
		return int(parsed), parsed >= int64(k.least)
	}
}

// keys returns the keys that set s, and the tables. The name of the top table is empty.
func (s *settings) keys() map[string]key {
	listDir, readFile, grepFiles := &s.Codex.ListDir, &s.Codex.ReadFile, &s.Codex.GrepFiles
	all := map[string]key{
		"sandbox.allow_absolute":         {option: &s.Forge.AllowAbsolute},
		"sandbox.include_default_denies": {option: &s.IncludeDefaultDenies},
		"sandbox.deny":                   {option: &s.Deny, name: "Deny"},

		"policy.allow":  {option: &s.Policy.Allow, name: "Policy.Allow"},
		"policy.deny":   {option: &s.Policy.Deny, name: "Policy.Deny"},
		"policy.prompt": {option: &s.Policy.Prompt, name: "Policy.Prompt"},

		"limits.max_output_bytes": {option: &s.Limits.MaxOutputBytes, least: 1, zero: "no limit"},
		"limits.max_data_bytes":   {option: &s.Limits.MaxDataBytes, least: 1, zero: "no limit"},
		"limits.timeout":          {option: &s.Limits.Timeout},
		"limits.memory_bytes":     {option: &s.Limits.CacheBytes, least: 1, zero: "no cache"},
		"limits.max_calls":        {option: &s.Limits.MaxConcurrentCalls, least: 1},

		"audit.file":      {option: &s.Audit.File},
		"audit.max_bytes": {option: &s.Audit.Bytes, least: 1},
		"audit.required":  {option: &s.Audit.Required},

		"output.verbatim_names": {option: &s.VerbatimNames},
		"gander.max_chars":      {option: &s.MaxChars, least: 1, zero: "no limit"},

		"shell.max_bytes": {option: &s.Shell.MaxBytes, name: "shell.MaxBytes", least: 1},

		"codex.list_dir.limit":     {option: &listDir.Limit, name: "codex.ListDir.Limit", least: 1},
		"codex.list_dir.depth":     {option: &listDir.Depth, name: "codex.ListDir.Depth", least: 1},
		"codex.list_dir.max_limit": {option: &listDir.MaxLimit, name: "codex.ListDir.MaxLimit"},
		"codex.list_dir.max_depth": {option: &listDir.MaxDepth, name: "codex.ListDir.MaxDepth"},

		"codex.read_file.limit":      {option: &readFile.Limit, name: "codex.ReadFile.Limit", least: 1},
		"codex.read_file.max_limit":  {option: &readFile.MaxLimit, name: "codex.ReadFile.MaxLimit"},
		"codex.read_file.max_levels": {option: &readFile.MaxLevels, name: "codex.ReadFile.MaxLevels"},

		"codex.read_file.include_siblings": {option: &readFile.IncludeSiblings},
		"codex.read_file.include_header":   {option: &readFile.IncludeHeader},

		"codex.grep_files.limit": {option: &grepFiles.Limit, name: "codex.GrepFiles.Limit", least: 1},
		"codex.grep_files.max_limit": {
			option: &grepFiles.MaxLimit, name: "codex.GrepFiles.MaxLimit", least: 1,
		},

		"gemini.list_directory.respect_git_ignore":    {option: &s.Gemini.RespectGitIgnore},
		"gemini.list_directory.respect_gemini_ignore": {option: &s.Gemini.RespectGeminiIgnore},

		"toolkit.tree.max_depth": {option: &s.Toolkit.MaxDepth, name: "toolkit.MaxDepth"},

		"toolkit.tree.max_entries": {option: &s.Toolkit.MaxEntries, name: "toolkit.MaxEntries", least: 1},
		"toolkit.tree.depth_cap":   {option: &s.Toolkit.DepthCap, name: "toolkit.DepthCap"},
		"toolkit.tree.entries_cap": {option: &s.Toolkit.EntriesCap, name: "toolkit.EntriesCap", least: 1},
		"toolkit.tree.exclude":     {option: &s.Toolkit.Exclude, name: "toolkit.Exclude"},

		"toolkit.tree.include_default_excludes": {option: &s.Toolkit.IncludeDefaultExcludes},

		"tools.list_directory.max_entries": {
			option: &s.Forge.MaxEntries, name: "forge.MaxEntries", least: 1,
		},
		"tools.list_directory.max_depth": {option: &s.Forge.MaxDepth, name: "forge.MaxDepth", least: 1},

		"tools.list_directory.include_hidden_default":   {option: &s.Forge.IncludeHiddenDefault},
		"tools.list_directory.include_symlinks_default": {option: &s.Forge.IncludeSymlinksDefault},
		"tools.list_directory.include_files_default":    {option: &s.Forge.IncludeFilesDefault},
		"tools.list_directory.include_dirs_default":     {option: &s.Forge.IncludeDirsDefault},
		"tools.list_directory.include_other_default":    {option: &s.Forge.IncludeOtherDefault},
	}
	addTables(all)
	return all
}

func addTables(keys map[string]key) {
	tables := map[string]key{"": {}}
	for name := range keys {
		for i, c := range name {
			if c == '.' {
				tables[name[:i]] = key{}
			}
		}
	}
	maps.Copy(keys, tables)
}
