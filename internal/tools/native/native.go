// Package native has the four tools of gander itself, which are designed to be used together:
// list_dir, read_file, find_files and search_text. They share one rule for paths, one for results
// that do not fit and one for errors. docs/toolset.md describes them.
package native

import (
	"context"

	"gander/internal/files/ignore"
	"gander/internal/files/workspace"
	"gander/internal/layout"
	"gander/tool"
)

// Settings configure the tools.
type Settings struct {
	// MaxChars is the maximum number of characters in the text of a result. Characters outside the
	// basic plane of Unicode count as two, as in JavaScript, in which most hosts count. 0 means no
	// limit.
	MaxChars int
	// Home is the directory that "~" expands to at the beginning of a path, or "".
	Home string
}

// DefaultSettings returns the default settings, which have no home.
func DefaultSettings() Settings { return Settings{MaxChars: 40_000} }

// New returns the tools over a workspace in display order.
func New(w *workspace.Workspace, s Settings) []tool.Tool {
	f := &files{workspace: w, settings: s}
	return []tool.Tool{&listDir{f}, &readFile{files: f}, &findFiles{f}, &searchText{f}}
}

// ignoreRules returns git's rules. Every repository has its own.
func ignoreRules() ignore.Options { return ignore.Options{Git: true, Nested: true} }

// files is the state that the tools share.
type files struct {
	workspace *workspace.Workspace
	settings  Settings
}

// A call is the state that the stages of one call share.
type call struct {
	*files
	ctx     context.Context
	layout  *layout.Layout
	budget  budget
	several int // the number of paths of the call if there are several, so that hints name theirs
}

func (f *files) newCall(ctx context.Context, b budget) *call {
	return &call{files: f, ctx: ctx, layout: layout.From(ctx), budget: b}
}
