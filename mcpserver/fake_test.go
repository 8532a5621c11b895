package mcpserver

import (
	"context"
	"encoding/json"
	"testing"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/tooltest"
	"gander/tool"
)

// schema is written as no encoder would write it.
const schema = `{"type":"object","required":["path"],"properties":{"path":{"type":"string",` +
	`"description":"a <path> & more \u00e9"},"depth":{"default":1.0,"type":"integer"}}}`

func fake(id string, call tool.Handler) tooltest.Fake {
	f := tooltest.NewFake(id, call)
	f.Described.Title, f.Described.Description = "Title of "+id, "Describes "+id
	f.Described.Input, f.Described.ReadOnly = json.RawMessage(schema), true
	return f
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
	effects := fake("other/write", echo)
	effects.Described.ReadOnly, effects.Described.SideEffects = false, true
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
			fake("test/echo", echo), fake("test/twin", echo),
			fake("other/twin", echo), fake("test/fail", fail),
			fake("test/hang", hang), fake("test/late", late), effects,
		},
	})
}
