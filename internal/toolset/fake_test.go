package toolset_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"gander/internal/files/workspace"
	"gander/internal/testkit/fixture"
	"gander/internal/toolset"
	"gander/tool"
)

// A fake is a tool implemented by call. If call is nil, it returns "ok".
type fake struct {
	spec tool.Spec
	call tool.Handler
}

func (f fake) Spec() tool.Spec { return f.spec }

func (f fake) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	if f.call == nil {
		return text("ok"), nil
	}
	return f.call(ctx, c)
}

// newFake returns a tool whose name is part of its ID.
func newFake(id string, call tool.Handler) fake {
	_, name, _ := strings.Cut(id, "/")
	return fake{tool.Spec{ID: id, Name: name}, call}
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
	w, err := workspace.Open(workspace.Options{}, t.TempDir())
	fixture.Must(t, err)
	t.Cleanup(func() { w.Close() })
	ts, err := toolset.New(w, with(o, tools...))
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
