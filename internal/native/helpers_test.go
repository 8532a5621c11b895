package native

import (
	"testing"

	"gander/internal/native/call"
	"gander/internal/testkit/nativetest"
	"gander/internal/testkit/tooltest"
)

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
	return nativetest.Caller(t, toolIn(e, name))
}

// toolOf returns a caller of the tool with a name over a root.
func toolOf(t *testing.T, s call.Settings, name, root string) tooltest.Caller {
	build := func(e *call.Environment) *call.Tool { return toolIn(e, name) }
	return nativetest.Over(t, build, s, root)
}
