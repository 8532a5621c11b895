// Package nativetest calls single ones of gander's own tools in their tests.
package nativetest

import (
	"testing"

	"gander/internal/files/workspace"
	"gander/internal/native/call"
	"gander/internal/testkit/tooltest"
	"gander/internal/toolset"
)

// Environment returns the environment of tools with default settings.
func Environment(w *workspace.Workspace) *call.Environment {
	return &call.Environment{Workspace: w, Settings: call.DefaultSettings()}
}

// Caller returns a caller of a tool.
func Caller(t testing.TB, tool *call.Tool) tooltest.Caller {
	return tooltest.NewCaller(t, tool, toolset.Options{MaxDataBytes: 100})
}

// Over returns a caller of the tool that build makes, over a root.
func Over(
	t testing.TB, build func(*call.Environment) *call.Tool, s call.Settings, root string,
) tooltest.Caller {
	e := &call.Environment{Workspace: tooltest.Workspace(t, nil, root), Settings: s}
	return Caller(t, build(e))
}
