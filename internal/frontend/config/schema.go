package config

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"gander"
)

// A key is one key of the file: its dotted name, what its value must be in words, and how the value is taken over. The
// function set reports false for a value that is not what it must be.
type key struct {
	name, want string
	set        func(value any) bool
	list       bool
}

const unbounded = math.MaxInt

// MCP is what the keys of [mcp] say, which are the MCP server's alone. Its zero value is the default.
type MCP struct{ Structured, NoResources, ClientRoots bool }

// schema lists every key there is, and takes values over into o and m.
func schema(o *gander.Options, m *MCP) []key {
	return []key{
		negated("sandbox.allow_absolute", &o.Sandbox.RelativeOnly),
		negated("sandbox.include_default_denies", &o.Sandbox.NoDefaultDenies),
		words("sandbox.deny", &o.Sandbox.Deny),

		words("policy.allow", &o.Policy.Allow),
		words("policy.deny", &o.Policy.Deny),
		words("policy.prompt", &o.Policy.Prompt),

		limit("limits.max_output_bytes", &o.Limits.MaxOutputBytes),
		duration("limits.timeout", &o.Limits.Timeout),
		limit("limits.memory_bytes", &o.Limits.MemoryBytes),
		integer("limits.max_calls", 1, 65536, &o.Limits.MaxCalls),

		boolean("output.verbatim_names", &o.Output.VerbatimNames),

		integer("tools.list_dir.limit", 1, unbounded, &o.ListDir.Limit),
		integer("tools.list_dir.depth", 1, unbounded, &o.ListDir.Depth),
		integer("tools.list_dir.max_limit", 0, unbounded, &o.ListDir.MaxLimit),
		integer("tools.list_dir.max_depth", 0, unbounded, &o.ListDir.MaxDepth),

		integer("tools.read_file.limit", 1, unbounded, &o.ReadFile.Limit),
		integer("tools.read_file.max_limit", 0, unbounded, &o.ReadFile.MaxLimit),
		optional("tools.read_file.max_levels", 0, unbounded, &o.ReadFile.MaxLevels),
		boolean("tools.read_file.include_siblings", &o.ReadFile.IncludeSiblings),
		boolean("tools.read_file.include_header", &o.ReadFile.IncludeHeader),

		negated("tools.gemini_list_directory.respect_git_ignore", &o.GeminiListDirectory.NoGitIgnore),
		negated("tools.gemini_list_directory.respect_gemini_ignore", &o.GeminiListDirectory.NoGeminiIgnore),

		// CFG-LD-01
		integer("tools.list_directory.max_entries", 1, unbounded, &o.ForgeListDirectory.MaxEntries),
		integer("tools.list_directory.max_depth", 1, unbounded, &o.ForgeListDirectory.MaxDepth),
		boolean("tools.list_directory.include_hidden_default", &o.ForgeListDirectory.IncludeHidden),
		negated("tools.list_directory.include_symlinks_default", &o.ForgeListDirectory.OmitSymlinks),
		negated("tools.list_directory.include_files_default", &o.ForgeListDirectory.OmitFiles),
		negated("tools.list_directory.include_dirs_default", &o.ForgeListDirectory.OmitDirs),
		boolean("tools.list_directory.include_other_default", &o.ForgeListDirectory.IncludeOther),

		optional("tools.tree.max_depth", 0, 12, &o.Tree.MaxDepth),
		integer("tools.tree.max_entries", 1, 1000, &o.Tree.MaxEntries),
		optional("tools.tree.depth_cap", 0, 12, &o.Tree.DepthCap),
		integer("tools.tree.entries_cap", 1, 1000, &o.Tree.EntriesCap),
		words("tools.tree.exclude", &o.Tree.Exclude),
		negated("tools.tree.include_default_excludes", &o.Tree.NoDefaultExcludes),

		boolean("mcp.structured", &m.Structured),
		negated("mcp.resources", &m.NoResources),
		boolean("mcp.client_roots", &m.ClientRoots),
	}
}

func boolean(name string, to *bool) key {
	return key{name: name, want: "true or false", set: func(value any) (ok bool) {
		*to, ok = value.(bool)
		return ok
	}}
}

// negated is a key whose option says the opposite.
func negated(name string, to *bool) key {
	return key{name: name, want: "true or false", set: func(value any) bool {
		yes, ok := value.(bool)
		*to = !yes
		return ok
	}}
}

func integer(name string, least, most int, to *int) key {
	return key{name: name, want: between(least, most), set: func(value any) (ok bool) {
		*to, ok = inRange(value, least, most)
		return ok
	}}
}

// optional is an integer whose option tells 0 from absent.
func optional(name string, least, most int, to **int) key {
	return key{name: name, want: between(least, most), set: func(value any) bool {
		n, ok := inRange(value, least, most)
		*to = &n
		return ok
	}}
}

// limit is an integer that is 0 for no limit, where the option has -1.
func limit(name string, to *int) key {
	return key{name: name, want: "an integer from 1, or 0 for no limit", set: func(value any) (ok bool) {
		*to, ok = inRange(value, 0, unbounded)
		if *to == 0 {
			*to = -1
		}
		return ok
	}}
}

// duration is a time span that is 0 for no limit, where the option has -1.
func duration(name string, to *time.Duration) key {
	return key{name: name, want: `a time span such as "10s" or "1m30s", or 0 for no limit`, set: func(value any) bool {
		span, err := time.Duration(0), error(nil)
		if text, ok := value.(string); ok {
			span, err = time.ParseDuration(text)
		} else if value != int64(0) {
			return false
		}
		*to = span
		if span == 0 {
			*to = -1
		}
		return err == nil && span >= 0
	}}
}

func words(name string, to *[]string) key {
	return key{name: name, want: "an array of strings", list: true, set: func(value any) bool {
		items, ok := value.([]any)
		var words []string
		for _, item := range items {
			word, isString := item.(string)
			words = append(words, word)
			ok = ok && isString
		}
		*to = words
		return ok
	}}
}

func between(least, most int) string {
	if most == unbounded {
		return fmt.Sprintf("an integer from %d", least)
	}
	return fmt.Sprintf("an integer from %d to %d", least, most)
}

func inRange(value any, least, most int) (n int, ok bool) {
	wide, ok := value.(int64)
	return int(wide), ok && int64(least) <= wide && wide <= int64(most)
}

// describe names a value as TOML does; numbers and truth values are shown.
func describe(value any) string {
	switch v := value.(type) {
	case int64:
		return strconv.FormatInt(v, 10)
	case bool:
		return strconv.FormatBool(v)
	case float64:
		return fmt.Sprintf("the float %v", v)
	case string:
		return fmt.Sprintf("the string %q", v)
	case []any:
		return "this array"
	case map[string]any:
		return "a table"
	default:
		return "a date or time"
	}
}
