package mcpserver

import (
	"context"
	"encoding/json"
	"testing"

	"gander"
	"gander/internal/testkit"
	"gander/tool"
)

type fakeTool struct {
	spec tool.Spec
	call tool.Handler
}

func (t fakeTool) Spec() tool.Spec { return t.spec }

func (t fakeTool) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	return t.call(ctx, c)
}

// schema is written as no encoder would write it.
const schema = `{"type":"object","required":["path"],"properties":{"path":{"type":"string",` +
	`"description":"a <path> & more \u00e9"},"depth":{"default":1.0,"type":"integer"}}}`

func fake(id, name string, call tool.Handler) fakeTool {
	return fakeTool{tool.Spec{
		ID: id, Name: name, Title: "Title of " + id, Description: "Describes " + id,
		Input: json.RawMessage(schema), ReadOnly: true,
	}, call}
}

func echo(_ context.Context, c tool.Call) (tool.Result, error) {
	return tool.Result{Parts: tool.Text(string(c.Args)), Display: "echoed"}, nil
}

func fail(context.Context, tool.Call) (tool.Result, error) {
	return tool.Result{}, &tool.Error{
		Kind: tool.NotFound, Message: "no such <directory>\u2028", Display: "not found",
	}
}

func hang(ctx context.Context, _ tool.Call) (tool.Result, error) {
	<-ctx.Done()
	return tool.Result{}, ctx.Err()
}

// openFakes opens a toolset of fake tools over dir, one of which waits for ended.
func openFakes(t testing.TB, dir string, ended <-chan struct{}) *gander.Toolset {
	t.Helper()
	effects := fake("other/write", "write", echo)
	effects.spec.ReadOnly, effects.spec.SideEffects = false, true
	late := func(ctx context.Context, c tool.Call) (tool.Result, error) {
		select {
		case <-ended:
			return tool.Result{Parts: tool.Text("the input has ended")}, nil
		case <-ctx.Done():
			return tool.Result{}, ctx.Err()
		}
	}
	return testkit.Open(t, gander.Options{
		Roots: []string{dir}, Tools: []string{"test", "other"}, Limits: gander.Limits{Timeout: -1},
		ExtraTools: []tool.Tool{
			fake("test/echo", "echo", echo), fake("test/twin", "twin", echo),
			fake("other/twin", "twin", echo), fake("test/fail", "fail", fail),
			fake("test/hang", "hang", hang), fake("test/late", "late", late), effects,
		},
	})
}
