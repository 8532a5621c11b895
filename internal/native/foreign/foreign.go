// Package foreign lists arguments that other tools have, and gander's own do not.
package foreign

import (
	"slices"
	"strings"

	"gander/internal/jsonobject"
)

// An Argument is in the published schema of another tool, or in that of another configuration. An
// empty value is accepted, and so is one that asks for what a tool does anyway. For any other value
// the error tells what to do instead. Arguments that change what a tool does are aliases, which its
// parser reads.
type Argument struct {
	Names  string // separated by spaces
	Tools  string // that accept it, separated by spaces
	Values string // that are accepted, in JSON, separated by spaces; or AnyValue
	Advice string // what to do instead of other values
}

const (
	AnyValue = "any" // any value is accepted
	allTools = "list_dir read_file find_files search_text"
	trees    = "list_dir find_files search_text"

	ignoreNames = "ignore ignore_globs exclude_pattern"
	blockAdvice = `give path="FILE:LINE" block=true for the block around a line`

	// gitRules are the values of file_filtering_options that leave git's rules in force.
	gitRules = `{} {"respect_git_ignore":true} {"respect_gemini_ignore":true} ` +
		`{"respect_git_ignore":true,"respect_gemini_ignore":true} ` +
		`{"respect_gemini_ignore":true,"respect_git_ignore":true}`
)

// Arguments returns all arguments, in the order in which their names are looked up.
func Arguments() []Argument { return slices.Clone(arguments) }

var arguments = []Argument{
	// Claude Code's Grep
	{"-n", "search_text", "true", "lines always have their numbers"},
	{"multiline", "search_text", "false", "a pattern matches within one line; search for its " +
		`first line and read the block around it with read_file path="FILE:LINE" block=true`},
	// Claude Code and opencode have ignore, Cursor ignore_globs and exclude_pattern.
	{ignoreNames, "list_dir", `"" []`, "list_dir omits only what matches git's ignore rules; leave it out"},
	{
		ignoreNames, "find_files", `"" []`,
		"find_files omits only what matches git's ignore rules; give a narrower pattern or path",
	},
	{ignoreNames, "search_text", `"" []`, `give glob="!PATTERN", which leaves out such paths`},
	// Cursor
	{"explanation", allTools, AnyValue, ""},
	{"should_read_entire_file", "read_file", "true false", "give offset and limit for a part"},
	// Gemini CLI
	{"file_filtering_options", trees, gitRules, "give ignored=true for what matches git's ignore rules"},
	// Codex
	{"mode", "read_file", `"slice"`, blockAdvice},
	{"indentation", "read_file", "{}", blockAdvice},
	// search_text has this argument where formats of documents are known.
	{"documents", "search_text", "false", "no formats of documents are known here; leave it out"},
}

// Of returns the argument of a tool with a name, if there is one.
func Of(tool, name string) (a Argument, ok bool) {
	i := slices.IndexFunc(arguments, func(a Argument) bool {
		return has(a.Names, name) && has(a.Tools, tool)
	})
	if i < 0 {
		return a, false
	}
	return arguments[i], true
}

// Accepts reports whether the tools accept a value.
func (f Argument) Accepts(value jsonobject.Value) bool {
	if f.Values == AnyValue || value.Type() == jsonobject.TypeNull {
		return true
	}
	compact := strings.Join(strings.Fields(string(value.Raw())), "")
	return has(`"" [] {}`, compact) || has(f.Values, compact)
}

// has reports whether a word is one of those in a list separated by spaces.
func has(list, word string) bool { return slices.Contains(strings.Fields(list), word) }
