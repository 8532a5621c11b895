package config

import (
	"maps"
	"strconv"
	"time"

	"github.com/pelletier/go-toml/v2/unstable"
)

// A key is a key of a file, or the name of a table, which has no value.
type key struct {
	option string // what errors call the option that the key sets
	value  value
}

func (k key) isTable() bool { return k.value == nil }

// kind describes what a key must be, for errors.
func (k key) kind() string {
	if k.isTable() {
		return "a table"
	}
	return k.value.kind()
}

// keys returns the keys that set s, and the tables. The name of the top table is empty.
func (s *settings) keys() map[string]key {
	listDir, readFile, grepFiles := &s.Codex.ListDir, &s.Codex.ReadFile, &s.Codex.GrepFiles
	all := map[string]key{
		"sandbox.allow_absolute":         {"forge.AllowAbsolute", optionalFlag{&s.Forge.AllowAbsolute}},
		"sandbox.include_default_denies": {"NoDefaultDeny", flag{&s.NoDefaultDeny, false}},
		"sandbox.deny":                   {"Deny", list{&s.Deny}},

		"policy.allow":  {"Policy.Allow", list{&s.Policy.Allow}},
		"policy.deny":   {"Policy.Deny", list{&s.Policy.Deny}},
		"policy.prompt": {"Policy.Prompt", list{&s.Policy.Prompt}},

		"limits.max_output_bytes": {"Limits.MaxOutputBytes", limit{&s.Limits.MaxOutputBytes, "no limit"}},
		"limits.max_data_bytes":   {"Limits.MaxDataBytes", limit{&s.Limits.MaxDataBytes, "no limit"}},
		"limits.timeout":          {"Limits.Timeout", timeout{&s.Limits.Timeout}},
		"limits.memory_bytes":     {"Limits.CacheBytes", limit{&s.Limits.CacheBytes, "no cache"}},
		"limits.max_calls":        {"Limits.MaxConcurrentCalls", integer{&s.Limits.MaxConcurrentCalls, 1}},

		"output.verbatim_names": {"VerbatimNames", flag{&s.VerbatimNames, true}},
		"gander.max_chars":      {"MaxChars", limit{&s.MaxChars, "no limit"}},

		"codex.list_dir.limit":             {"codex.ListDir.Limit", integer{&listDir.Limit, 1}},
		"codex.list_dir.depth":             {"codex.ListDir.Depth", integer{&listDir.Depth, 1}},
		"codex.list_dir.max_limit":         {"codex.ListDir.MaxLimit", integer{&listDir.MaxLimit, 0}},
		"codex.list_dir.max_depth":         {"codex.ListDir.MaxDepth", integer{&listDir.MaxDepth, 0}},
		"codex.read_file.limit":            {"codex.ReadFile.Limit", integer{&readFile.Limit, 1}},
		"codex.read_file.max_limit":        {"codex.ReadFile.MaxLimit", integer{&readFile.MaxLimit, 0}},
		"codex.read_file.max_levels":       {"codex.ReadFile.MaxLevels", optionalInteger{&readFile.MaxLevels}},
		"codex.read_file.include_siblings": {"codex.ReadFile.IncludeSiblings", flag{&readFile.IncludeSiblings, true}},
		"codex.read_file.include_header":   {"codex.ReadFile.IncludeHeader", flag{&readFile.IncludeHeader, true}},
		"codex.grep_files.limit":           {"codex.GrepFiles.Limit", integer{&grepFiles.Limit, 1}},
		"codex.grep_files.max_limit":       {"codex.GrepFiles.MaxLimit", integer{&grepFiles.MaxLimit, 1}},

		"gemini.list_directory.respect_git_ignore": {
			"gemini.RespectGitIgnore", optionalFlag{&s.Gemini.RespectGitIgnore},
		},
		"gemini.list_directory.respect_gemini_ignore": {
			"gemini.RespectGeminiIgnore", optionalFlag{&s.Gemini.RespectGeminiIgnore},
		},

		"toolkit.tree.max_depth":   {"toolkit.MaxDepth", optionalInteger{&s.Toolkit.MaxDepth}},
		"toolkit.tree.max_entries": {"toolkit.MaxEntries", integer{&s.Toolkit.MaxEntries, 1}},
		"toolkit.tree.depth_cap":   {"toolkit.DepthCap", optionalInteger{&s.Toolkit.DepthCap}},
		"toolkit.tree.entries_cap": {"toolkit.EntriesCap", integer{&s.Toolkit.EntriesCap, 1}},
		"toolkit.tree.exclude":     {"toolkit.Exclude", list{&s.Toolkit.Exclude}},
		"toolkit.tree.include_default_excludes": {
			"toolkit.IncludeDefaultExcludes", optionalFlag{&s.Toolkit.IncludeDefaultExcludes},
		},

		"tools.list_directory.max_entries": {"forge.MaxEntries", integer{&s.Forge.MaxEntries, 1}},
		"tools.list_directory.max_depth":   {"forge.MaxDepth", integer{&s.Forge.MaxDepth, 1}},
		"tools.list_directory.include_hidden_default": {
			"forge.IncludeHiddenDefault", flag{&s.Forge.IncludeHiddenDefault, true},
		},
		"tools.list_directory.include_symlinks_default": {
			"forge.IncludeSymlinksDefault", optionalFlag{&s.Forge.IncludeSymlinksDefault},
		},
		"tools.list_directory.include_files_default": {
			"forge.IncludeFilesDefault", optionalFlag{&s.Forge.IncludeFilesDefault},
		},
		"tools.list_directory.include_dirs_default": {
			"forge.IncludeDirsDefault", optionalFlag{&s.Forge.IncludeDirsDefault},
		},
		"tools.list_directory.include_other_default": {
			"forge.IncludeOtherDefault", flag{&s.Forge.IncludeOtherDefault, true},
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

// A value is an option that a key sets.
type value interface {
	// kind describes the values that the key can have.
	kind() string
	// set sets the option, and reports whether node is such a value.
	set(node *unstable.Node) bool
}

// A flag is an option that has the value isSet if the key is true.
type flag struct {
	option *bool
	isSet  bool
}

func (flag) kind() string { return "true or false" }

func (f flag) set(node *unstable.Node) bool {
	if node.Kind != unstable.Bool {
		return false
	}
	isTrue := string(node.Data) == "true"
	*f.option = isTrue == f.isSet
	return true
}

// An optionalFlag is a flag with a default.
type optionalFlag struct{ option **bool }

func (optionalFlag) kind() string { return flag{}.kind() }

func (f optionalFlag) set(node *unstable.Node) bool {
	*f.option = new(bool)
	return flag{*f.option, true}.set(node)
}

type list struct{ option *[]string }

func (list) kind() string { return "an array of strings" }

func (l list) set(node *unstable.Node) bool {
	if node.Kind != unstable.Array {
		return false
	}
	var words []string
	for e := node.Children(); e.Next(); {
		if e.Node().Kind != unstable.String {
			return false
		}
		words = append(words, string(e.Node().Data))
	}
	*l.option = words
	return true
}

// An integer is an option of at least a number.
type integer struct {
	option *int
	least  int
}

func (i integer) kind() string { return "an integer, at least " + strconv.Itoa(i.least) }

func (i integer) set(node *unstable.Node) bool {
	if node.Kind != unstable.Integer {
		return false
	}
	n, err := strconv.ParseInt(string(node.Data), 0, strconv.IntSize)
	if err != nil || n < int64(i.least) {
		return false
	}
	*i.option = int(n)
	return true
}

// An optionalInteger is an integer with a default, which is not 0.
type optionalInteger struct{ option **int }

func (optionalInteger) kind() string { return integer{}.kind() }

func (i optionalInteger) set(node *unstable.Node) bool {
	*i.option = new(int)
	return integer{*i.option, 0}.set(node)
}

// A limit is an integer that can be 0, for none. The option is then negative.
type limit struct {
	option *int
	none   string
}

func (l limit) kind() string { return "an integer, at least 1, or 0 for " + l.none }

func (l limit) set(node *unstable.Node) bool {
	isSet := integer{l.option, 0}.set(node)
	if isSet && *l.option == 0 {
		*l.option = -1
	}
	return isSet
}

type timeout struct{ option *time.Duration }

func (timeout) kind() string { return `a duration such as "10s" or "1m30s", or 0 for no limit` }

func (t timeout) set(node *unstable.Node) bool {
	d, err := time.ParseDuration(string(node.Data))
	if err != nil || d < 0 {
		return false
	}
	if d == 0 {
		d = -1
	}
	*t.option = d
	return true
}
