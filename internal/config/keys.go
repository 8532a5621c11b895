package config

import (
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2/unstable"
)

// A key sets an option: a field of gander.Options, or after "!" the opposite of that field.
type key struct {
	name, option string
	kind         kind
}

// A kind describes the values of a key.
type kind string

const (
	table    kind = "a table"
	boolean  kind = "true or false"
	list     kind = "an array of strings"
	natural  kind = "an integer, at least 0"
	positive kind = "an integer, at least 1"
	// An option expresses no limit as -1.
	limit   kind = "an integer, at least 1, or 0 for no limit"
	timeout kind = `a duration such as "10s" or "1m30s", or 0 for no limit`
)

func keys() []key {
	return []key{
		{"sandbox.allow_absolute", "!ForgeListDirectory.RelativeOnly", boolean},
		{"sandbox.include_default_denies", "!NoDefaultDeny", boolean},
		{"sandbox.deny", "Deny", list},
		{"policy.allow", "Policy.Allow", list},
		{"policy.deny", "Policy.Deny", list},
		{"policy.prompt", "Policy.Prompt", list},
		{"limits.max_output_bytes", "Limits.MaxOutputBytes", limit},
		{"limits.max_data_bytes", "Limits.MaxDataBytes", limit},
		{"limits.timeout", "Limits.Timeout", timeout},
		{"limits.memory_bytes", "Limits.CacheBytes", limit},
		{"limits.max_calls", "Limits.MaxConcurrentCalls", positive},
		{"output.verbatim_names", "VerbatimNames", boolean},
		{"gander.max_chars", "MaxChars", limit},
		{"codex.list_dir.limit", "CodexListDir.Limit", positive},
		{"codex.list_dir.depth", "CodexListDir.Depth", positive},
		{"codex.list_dir.max_limit", "CodexListDir.MaxLimit", natural},
		{"codex.list_dir.max_depth", "CodexListDir.MaxDepth", natural},
		{"codex.read_file.limit", "CodexReadFile.Limit", positive},
		{"codex.read_file.max_limit", "CodexReadFile.MaxLimit", natural},
		{"codex.read_file.max_levels", "CodexReadFile.MaxLevels", natural},
		{"codex.read_file.include_siblings", "CodexReadFile.IncludeSiblings", boolean},
		{"codex.read_file.include_header", "CodexReadFile.IncludeHeader", boolean},
		{"codex.grep_files.limit", "CodexGrepFiles.Limit", positive},
		{"codex.grep_files.max_limit", "CodexGrepFiles.MaxLimit", positive},
		{"gemini.list_directory.respect_git_ignore", "!GeminiListDirectory.NoGitIgnore", boolean},
		{"gemini.list_directory.respect_gemini_ignore", "!GeminiListDirectory.NoGeminiIgnore", boolean},
		{"toolkit.tree.max_depth", "ToolkitTree.MaxDepth", natural},
		{"toolkit.tree.max_entries", "ToolkitTree.MaxEntries", positive},
		{"toolkit.tree.depth_cap", "ToolkitTree.DepthCap", natural},
		{"toolkit.tree.entries_cap", "ToolkitTree.EntriesCap", positive},
		{"toolkit.tree.exclude", "ToolkitTree.Exclude", list},
		{"toolkit.tree.include_default_excludes", "!ToolkitTree.NoDefaultExcludes", boolean},
		// Forge's specification defines these names.
		{"tools.list_directory.max_entries", "ForgeListDirectory.MaxEntries", positive},
		{"tools.list_directory.max_depth", "ForgeListDirectory.MaxDepth", positive},
		{"tools.list_directory.include_hidden_default", "ForgeListDirectory.IncludeHidden", boolean},
		{"tools.list_directory.include_symlinks_default", "!ForgeListDirectory.OmitSymlinks", boolean},
		{"tools.list_directory.include_files_default", "!ForgeListDirectory.OmitFiles", boolean},
		{"tools.list_directory.include_dirs_default", "!ForgeListDirectory.OmitDirs", boolean},
		{"tools.list_directory.include_other_default", "ForgeListDirectory.IncludeOther", boolean},
	}
}

// keysByName returns all keys and tables, including the table without a name.
func keysByName() map[string]key {
	all := map[string]key{"": {kind: table}}
	for _, k := range keys() {
		all[k.name] = k
		for i, c := range k.name {
			if c == '.' {
				all[k.name[:i]] = key{kind: table}
			}
		}
	}
	return all
}

// optionNames replaces names of options with keys.
func optionNames() *strings.Replacer {
	var names []string
	for _, k := range keys() {
		if strings.Contains(k.option, ".") {
			names = append(names, k.option, k.name)
		}
	}
	return strings.NewReplacer(names...)
}

// set sets the option of k, and reports whether value is of its kind.
func (k key) set(options reflect.Value, value *unstable.Node) bool {
	name, negated := strings.CutPrefix(k.option, "!")
	field := options
	for part := range strings.SplitSeq(name, ".") {
		field = field.FieldByName(part)
	}
	text := string(value.Data)
	var n int64
	var err error
	switch k.kind {
	case table:
		return false
	case boolean:
		field.SetBool((text == "true") != negated)
		return value.Kind == unstable.Bool
	case list:
		var words []string
		for e := value.Children(); e.Next(); {
			if e.Node().Kind != unstable.String {
				return false
			}
			words = append(words, string(e.Node().Data))
		}
		field.Set(reflect.ValueOf(words))
		return value.Kind == unstable.Array
	case timeout:
		var d time.Duration
		d, err = time.ParseDuration(text)
		n = int64(d)
	default:
		n, err = strconv.ParseInt(text, 0, strconv.IntSize)
		if value.Kind != unstable.Integer {
			return false
		}
	}
	switch {
	case err != nil || n < 0 || n == 0 && k.kind == positive:
		return false
	case n == 0 && k.kind != natural:
		n = -1
	}
	if field.Kind() == reflect.Pointer {
		field.Set(reflect.New(field.Type().Elem()))
		field = field.Elem()
	}
	field.SetInt(n)
	return true
}
