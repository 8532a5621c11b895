// Package native implements the four tools of gander itself: list_dir, read_file, find_files and
// search_text. They share the rules for paths, for results that exceed the budget, and for errors.
// docs/toolset.md describes them.
//
// A call has the same stages in each tool. A parser decodes the arguments and
// returns a writer, which writes a section of the result about each path.
package native

import (
	"context"
	_ "embed"
	"sync"

	"gander/internal/files/ignore"
	"gander/internal/files/workspace"
	"gander/internal/tools/shared"
	"gander/tool"
)

// Settings holds the options of the tools.
type Settings struct {
	// MaxChars is the maximum number of characters in the text of a result. Characters outside the
	// basic plane of Unicode count as two, as in JavaScript, because most hosts count so. 0 means
	// no limit.
	MaxChars int
	// Home is the directory that "~" expands to at the beginning of a path, or "".
	Home string
}

// DefaultSettings returns the default settings, which have no home.
func DefaultSettings() Settings { return Settings{MaxChars: 40_000} }

// New returns the tools over a workspace in display order.
func New(w *workspace.Workspace, s Settings) []tool.Tool {
	return (&files{workspace: w, settings: s}).tools()
}

// files is the state that the tools share.
type files struct {
	workspace *workspace.Workspace
	settings  Settings
	buffers   sync.Pool // of line cursors
}

// A nativeTool is one of the tools.
type nativeTool struct {
	shared.Defined
	files *files
	parse parser
}

// A parser decodes and checks the arguments of a call, including a.path. It returns the function
// that writes the section about one path.
type parser func(ctx context.Context, f *files, a *arguments) (writer, error)

//go:embed definitions.json
var definitions []byte

func (f *files) tools() []tool.Tool {
	parsers := map[string]parser{
		"list_dir": parseList, "read_file": parseRead,
		"find_files": parseFind, "search_text": parseSearch,
	}
	var tools []tool.Tool
	for _, d := range shared.Definitions("gander", definitions) {
		d.SetHint = "A path is relative to the first root or absolute, and each path in an answer " +
			"can be given to any of these tools. An answer that leaves something out says so " +
			"where it is missing, and which call shows it."
		tools = append(tools, &nativeTool{shared.Defined{Published: d}, f, parsers[d.Name]})
	}
	return tools
}

// ignoreRules returns git's rules. Every repository has its own.
func ignoreRules() ignore.Options { return ignore.Options{Git: true, Nested: true} }
