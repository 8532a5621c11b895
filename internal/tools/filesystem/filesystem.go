// Package filesystem implements the read-only tools of the npm package
// @modelcontextprotocol/server-filesystem (2026.8.31) as described by
// docs/reproductions.md#filesystem.
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
	keys      string // of the arguments, in the order of the schema
	run       func(*Tool, context.Context, request, tool.Budget) (tool.Result, error)
}

// New returns the tools over a workspace, in the order of the original.
func New(w *workspace.Workspace, s Settings) []tool.Tool {
	all := map[string]Tool{
		"read_file":                 {keys: "path tail head", run: (*Tool).readText},
		"read_text_file":            {keys: "path tail head", run: (*Tool).readText},
		"read_media_file":           {keys: "path", run: (*Tool).readMedia},
		"read_multiple_files":       {keys: "paths", run: (*Tool).readMultiple},
		"list_directory":            {keys: "path", run: (*Tool).listDirectory},
		"list_directory_with_sizes": {keys: "path sortBy", run: (*Tool).listWithSizes},
		"directory_tree":            {keys: "path excludePatterns", run: (*Tool).directoryTree},
		"search_files":              {keys: "path pattern excludePatterns", run: (*Tool).searchFiles},
		"get_file_info":             {keys: "path", run: (*Tool).getFileInfo},
		"list_allowed_directories":  {run: (*Tool).listAllowedDirectories},
	}
	var tools []tool.Tool
	for _, d := range definitions() {
		t := all[d.Name]
		t.Published, t.workspace, t.settings = d, w, s
		tools = append(tools, &t)
	}
	return tools
}

// Call calls the tool. It validates the arguments before any file access.
func (t *Tool) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	r, err := t.parseRequest(c.Args)
	if err != nil {
		return tool.Result{}, err
	}
	return t.run(t, ctx, r, c.Budget)
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
func (t *Tool) listAllowedDirectories(
	_ context.Context, _ request, b tool.Budget,
) (tool.Result, error) {
	page, err := shared.NewPage(b)
	if err != nil {
		return tool.Result{}, err
	}
	page.Line("Allowed directories:")
	for _, dir := range t.workspace.Spellings() {
		page.Add([]byte(text.WellFormed(dir)))
	}
	return page.Finish(shownEntries("raise it"))
}
