package registry_test

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"gander/internal/registry"
	"gander/tool"
)

// fake is a tool whose behaviour is call; nil answers "ok".
type fake struct {
	id, name string
	approval bool
	effects  bool
	call     func(ctx context.Context, c tool.Call) (tool.Result, error)
}

func (f fake) Spec() tool.Spec {
	return tool.Spec{ID: f.id, Name: f.name, RequiresApproval: f.approval, SideEffects: f.effects, Risk: "Low"}
}

func (f fake) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	if f.call == nil {
		return tool.Result{Parts: tool.Text("ok")}, nil
	}
	return f.call(ctx, c)
}

// fakes returns a tool for each id.
func fakes(ids ...string) []tool.Tool {
	tools := make([]tool.Tool, len(ids))
	for i, id := range ids {
		name := id
		for j := range id {
			if id[j] == '/' {
				name = id[j+1:]
			}
		}
		tools[i] = fake{id: id, name: name}
	}
	return tools
}

func open(t *testing.T, o registry.Options, tools ...tool.Tool) *registry.Registry {
	t.Helper()
	r, err := registry.New(o, tools...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// failure returns the error of a call, which must be an *Error and come with no answer.
func failure(t *testing.T, r *registry.Registry, ctx context.Context, name string, c tool.Call) *tool.Error {
	t.Helper()
	result, err := r.Call(ctx, name, c)
	if err == nil || !reflect.DeepEqual(result, tool.Result{}) {
		t.Fatalf("%s: got %v, %v; want an error and no answer", name, result, err)
	}
	var e *tool.Error
	if !errors.As(err, &e) {
		t.Fatalf("%s: %v is a %T, want an *Error", name, err, err)
	}
	return e
}
