package search

import (
	"testing"

	"gander/internal/files/workspace"
	"gander/internal/native/call"
	"gander/internal/native/read"
	"gander/internal/testkit/tooltest"
	"gander/internal/toolset"
)

// newEnvironment returns the environment of a tool with default settings.
func newEnvironment(w *workspace.Workspace) *call.Environment {
	return &call.Environment{Workspace: w, Settings: call.DefaultSettings()}
}

// toolIn returns a caller of the tool.
func toolIn(t testing.TB, e *call.Environment) tooltest.Caller {
	return tooltest.NewCaller(t, Tool(e), toolset.Options{MaxDataBytes: 100})
}

// toolOf returns a caller of the tool over a root.
func toolOf(t *testing.T, s call.Settings, root string) tooltest.Caller {
	return toolIn(t, &call.Environment{Workspace: tooltest.Workspace(t, nil, root), Settings: s})
}

// readerOf returns a caller of read_file over a root.
func readerOf(t *testing.T, s call.Settings, root string) tooltest.Caller {
	e := &call.Environment{Workspace: tooltest.Workspace(t, nil, root), Settings: s}
	return tooltest.NewCaller(t, read.Tool(e, nil), toolset.Options{MaxDataBytes: 100})
}
