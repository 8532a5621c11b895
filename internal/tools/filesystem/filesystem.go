// Package filesystem implements the read-only tools of the npm package
// @modelcontextprotocol/server-filesystem (2026.8.31) as described by their specification. Section
// numbers in comments refer to the specification. See docs/reproductions.md#filesystem.
package filesystem

import (
	"context"
	"fmt"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/tools/shared"
	"gander/tool"
)

// Settings holds the options of the tools.
type Settings struct {
	Home          string // the directory that "~" expands to, or ""
	VerbatimNames bool   // print names without escaping control characters
}

// A Tool is one of the tools.
type Tool struct {
	shared.Defined
	workspace *workspace.Workspace
	settings  Settings
	run       func(t *Tool, ctx context.Context, c tool.Call) (tool.Result, error)
}

// New returns the tools over a workspace, in the order of the original.
func New(w *workspace.Workspace, s Settings) []tool.Tool {
	run := map[string]func(*Tool, context.Context, tool.Call) (tool.Result, error){
		"read_file":                 (*Tool).readText,
		"read_text_file":            (*Tool).readText,
		"read_media_file":           (*Tool).readMedia,
		"read_multiple_files":       (*Tool).readMultiple,
		"list_directory":            (*Tool).listDirectory,
		"list_directory_with_sizes": (*Tool).listWithSizes,
		"directory_tree":            (*Tool).directoryTree,
		"search_files":              (*Tool).searchFiles,
		"get_file_info":             (*Tool).getFileInfo,
		"list_allowed_directories":  (*Tool).listAllowedDirectories,
	}
	var tools []tool.Tool
	for _, d := range definitions() {
		tools = append(tools, &Tool{shared.Defined{Published: d}, w, s, run[d.Name]})
	}
	return tools
}

// Call calls the tool. It validates the arguments before any file access.
func (t *Tool) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	return t.run(t, ctx, c)
}

// shown returns a name for text results.
func (t *Tool) shown(name []byte) []byte {
	return shared.Printable(text.LossyKey(nil, name), t.settings.VerbatimNames)
}

// shownEntries returns the hint for a cut result.
func shownEntries(advice string) func(int) string {
	return func(shown int) string { return fmt.Sprintf("%d entries shown; %s", shown, advice) }
}

// listAllowedDirectories runs list_allowed_directories.
func (t *Tool) listAllowedDirectories(_ context.Context, c tool.Call) (tool.Result, error) {
	if err := t.arguments(c.Args).Err(); err != nil {
		return tool.Result{}, err
	}
	page, err := shared.NewPage(c.Budget)
	if err != nil {
		return tool.Result{}, err
	}
	page.Line("Allowed directories:")
	for _, dir := range t.workspace.Spellings() {
		page.Add([]byte(text.WellFormed(dir)))
	}
	return page.Finish(shownEntries("raise it"))
}
