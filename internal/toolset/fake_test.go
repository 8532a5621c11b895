package toolset_test

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"gander/internal/testkit/fixture"
	"gander/internal/testkit/tooltest"
	"gander/internal/toolset"
	"gander/tool"
)

// newFake returns a tool that call implements. If it is nil, the tool returns "ok".
func newFake(id string, call tool.Handler) tooltest.Fake {
	if call == nil {
		call = returns(text("ok"), nil)
	}
	return tooltest.NewFake(id, call)
}

func fakes(ids ...string) []tool.Tool {
	tools := make([]tool.Tool, len(ids))
	for i, id := range ids {
		tools[i] = newFake(id, nil)
	}
	return tools
}

func text(s string) tool.Result { return tool.Result{Parts: tool.Text(s)} }

func returns(result tool.Result, err error) tool.Handler {
	return func(context.Context, tool.Call) (tool.Result, error) { return result, err }
}

func panics(value any) tool.Handler {
	return func(context.Context, tool.Call) (tool.Result, error) { panic(value) }
}

func open(t *testing.T, o toolset.Options, tools ...tool.Tool) *toolset.Toolset {
	t.Helper()
	ts, err := toolset.New(tooltest.Workspace(t, nil, t.TempDir()), with(o, tools...))
	fixture.Must(t, err)
	return ts
}

// with returns options for a toolset of the given tools.
func with(o toolset.Options, tools ...tool.Tool) toolset.Options {
	o.Tools = tools
	return o
}

// failure makes a call that must return a *tool.Error and no result.
func failure(
	t *testing.T, r *toolset.Toolset, ctx context.Context, name string, c tool.Call,
) *tool.Error {
	t.Helper()
	result, err := r.Call(ctx, name, c)
	var e *tool.Error
	if !errors.As(err, &e) || !reflect.DeepEqual(result, tool.Result{}) {
		t.Fatalf("%s: got %v, %v; want a *tool.Error without a result", name, result, err)
	}
	return e
}
