package native

import (
	"testing"

	"gander/internal/files/workspace"
	"gander/internal/native/call"
	"gander/internal/testkit/tooltest"
	"gander/internal/toolset"
)

// newEnvironment returns the state of tools with default settings.
func newEnvironment(w *workspace.Workspace) *call.Environment {
	return &call.Environment{Workspace: w, Settings: call.DefaultSettings()}
}

// toolIn returns the tool with a name.
func toolIn(e *call.Environment, name string) *call.Tool {
	for _, t := range toolsIn(e) {
		if t.Spec().Name == name {
			return t.(*call.Tool)
		}
	}
	panic("no tool " + name)
}

// callerIn returns a caller of the tool with a name.
func callerIn(t testing.TB, e *call.Environment, name string) tooltest.Caller {
	return tooltest.NewCaller(t, toolIn(e, name), toolset.Options{MaxDataBytes: 100})
}

// toolOf returns a caller of the tool with a name over a root.
func toolOf(t *testing.T, s call.Settings, name, root string) tooltest.Caller {
	return callerIn(t, &call.Environment{Workspace: tooltest.Workspace(t, nil, root), Settings: s},
		name)
}
