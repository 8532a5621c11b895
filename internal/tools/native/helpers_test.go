package native

import (
	"testing"

	"gander/internal/files/workspace"
	"gander/internal/layout"
	"gander/tool"
)

// newFiles returns the state of tools with default settings.
func newFiles(w *workspace.Workspace) *files {
	return &files{workspace: w, settings: DefaultSettings()}
}

// tool returns the tool with a name.
func (f *files) tool(name string) tool.Tool {
	for _, t := range f.tools() {
		if t.Spec().Name == name {
			return t
		}
	}
	panic("no tool " + name)
}

// newCall returns a call without a budget.
func (f *files) newCall(t *testing.T) *call {
	return &call{files: f, ctx: t.Context(), layout: layout.From(t.Context())}
}
