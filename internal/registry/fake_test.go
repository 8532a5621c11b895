package registry_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"gander/internal/registry"
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

func open(t *testing.T, o registry.Options, tools ...tool.Tool) *registry.Registry {
	t.Helper()
	r, err := registry.New(o, tools...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// failure makes a call that must return a *tool.Error and no result.
func failure(
	t *testing.T, r *registry.Registry, ctx context.Context, name string, c tool.Call,
) *tool.Error {
	t.Helper()
	result, err := r.Call(ctx, name, c)
	var e *tool.Error
	if !errors.As(err, &e) || !reflect.DeepEqual(result, tool.Result{}) {
		t.Fatalf("%s: got %v, %v; want a *tool.Error without a result", name, result, err)
	}
	return e
}
