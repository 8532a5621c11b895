// Package gander is gander's own dialect: four tools that are designed to be used together, list_dir, read_file, find_files and
// search_text. They share one rule for paths, one for answers that do not fit, and one for errors; docs/dialects/gander.md
// has them, with an example of every form.
package native

import (
	"gander/internal/files/ignore"
	"gander/internal/files/workspace"
	"gander/tool"
)

// Settings configure the tools.
type Settings struct {
	// MaxChars is the most characters that the text of an answer has. Characters outside the basic plane of Unicode count
	// as two, as in JavaScript, in which most hosts count. 0 sets no limit.
	MaxChars int
	// Home is the directory that "~" stands for at the beginning of a path. "" if there is none.
	Home string
}

// DefaultSettings returns the defaults, with no home.
func DefaultSettings() Settings { return Settings{MaxChars: 40_000} }

// New returns the tools over a workspace, in the order in which they are shown.
func New(w *workspace.Workspace, s Settings) []tool.Tool {
	f := &files{workspace: w, settings: s}
	return []tool.Tool{&listDir{f}, &readFile{files: f}, &findFiles{f}, &searchText{f}}
}

// ignoreRules are the rules by which files are left out: git's. Every repository has its own, wherever it lies.
func ignoreRules() ignore.Options { return ignore.Options{Git: true, Nested: true} }

// files is what the tools share: the workspace, and how paths in it are read and shown.
type files struct {
	workspace *workspace.Workspace
	settings  Settings
}
