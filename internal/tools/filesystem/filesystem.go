// Package filesystem is the filesystem dialect: the tools of the npm package @modelcontextprotocol/server-filesystem (2026.8.31)
// that only read, as its specification describes them. Sections in comments are those of the specification.
package filesystem

import (
	"context"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/tools/explain"
	"gander/internal/tools/shared"
	"gander/tool"
)

// Settings configure the tools.
type Settings struct {
	Home          string // the directory that "~" stands for; "" where there is none
	VerbatimNames bool   // print names without escaping control characters
}

// A Tool is one of the tools.
type Tool struct {
	workspace *workspace.Workspace
	settings  Settings
	spec      tool.Spec
	answer    func(t *Tool, ctx context.Context, c tool.Call) (tool.Result, error)
}

// A ReadTool is a tool that shows one file.
type ReadTool struct{ *Tool }

// A ListTool is a tool that lists a directory and needs no other argument than its path.
type ListTool struct {
	*Tool
	listing func(t *Tool, path string) (shared.Listing, error)
}

var (
	_ tool.Explainer = ReadTool{}
	_ tool.Explainer = ListTool{}
	_ shared.Lister  = ListTool{}
)

// New returns the tools over a workspace, in the order in which the original lists them.
func New(w *workspace.Workspace, s Settings) []tool.Tool {
	newTool := func(spec tool.Spec, answer func(*Tool, context.Context, tool.Call) (tool.Result, error)) *Tool {
		return &Tool{workspace: w, settings: s, spec: spec, answer: answer}
	}
	return []tool.Tool{
		ReadTool{newTool(readFile(), (*Tool).readText)},
		ReadTool{newTool(readTextFile(), (*Tool).readText)},
		ReadTool{newTool(readMediaFile(), (*Tool).readMedia)},
		newTool(readMultipleFiles(), (*Tool).readMultiple),
		ListTool{newTool(listDirectory(), (*Tool).listDirectory), (*Tool).plainListing},
		ListTool{newTool(listDirectoryWithSizes(), (*Tool).listWithSizes), (*Tool).sizesListing},
		ListTool{newTool(directoryTree(), (*Tool).directoryTree), (*Tool).treeListing},
		newTool(searchFiles(), (*Tool).searchFiles),
		newTool(getFileInfo(), (*Tool).getFileInfo),
		newTool(listAllowedDirectories(), (*Tool).listAllowedDirectories),
	}
}

// Spec returns the published definition.
func (t *Tool) Spec() tool.Spec { return t.spec }

// Call does the work. It checks the arguments before it looks at any file.
func (t *Tool) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	return t.answer(t, ctx, c)
}

// Explain implements [tool.Explainer].
func (t ReadTool) Explain(ctx context.Context, path string, b tool.Budget) (tool.Reason, error) {
	return explain.Explain(ctx, t.workspace, t, path, b)
}

// Explain implements [tool.Explainer].
func (t ListTool) Explain(ctx context.Context, path string, b tool.Budget) (tool.Reason, error) {
	return explain.Explain(ctx, t.workspace, t, path, b)
}

// Listing describes what a call shows that has no other argument than the path.
func (t ListTool) Listing(path string) (shared.Listing, error) { return t.listing(t.Tool, path) }

// shown returns a name as text answers show it.
func (t *Tool) shown(name []byte) []byte {
	name = text.LossyKey(nil, name)
	if t.settings.VerbatimNames {
		return name
	}
	return text.EscapeBytes(name)
}

// listAllowedDirectories answers list_allowed_directories.
func (t *Tool) listAllowedDirectories(_ context.Context, c tool.Call) (tool.Result, error) {
	if _, err := t.arguments(c.Args); err != nil {
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
	return shared.FinishPage(page, c.Budget, shownEntries("raise it"))
}
