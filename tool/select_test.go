package tool_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"gander/tool"
)

func TestSelect(t *testing.T) {
	waiting := make(chan struct{})
	leave := make(chan struct{})
	hang := fake{id: "a/one", name: "one", call: func(context.Context, tool.Call) (tool.Result, error) {
		waiting <- struct{}{}
		<-leave
		return tool.Result{}, nil
	}}
	r := registry(t, tool.RegistryOptions{MaxCalls: 1, Policy: tool.Policy{Deny: []string{"b/two"}}}, append(fakes("b/two", "b/one"), hang)...)
	s, err := r.Select("a", "b/two")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, d := range s.Definitions() {
		names = append(names, d.Name)
	}
	if len(names) != 2 || names[0] != "two" || names[1] != "one" {
		t.Errorf("names %q; those chosen, under names of their own", names)
	}
	if e := failure(t, s, t.Context(), "two", tool.Call{}); !errors.Is(e, tool.ErrPolicy) {
		t.Errorf("%v; the policy holds", e)
	}
	if e := failure(t, s, t.Context(), "b/one", tool.Call{}); !errors.Is(e, tool.ErrUnknownTool) {
		t.Errorf("%v; it was not chosen", e)
	}
	go s.Call(t.Context(), "one", tool.Call{})
	<-waiting
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, cancel)
	if e := failure(t, r, ctx, "b/one", tool.Call{}); e.Kind != tool.Cancelled {
		t.Errorf("%v; both share the bound on calls", e)
	}
	close(leave)
	if _, err := r.Select("c"); !errors.Is(err, tool.ErrUnknownTool) {
		t.Errorf("a word that names nothing: %v", err)
	}
}

// TestCallAs: the work is another's, the rules are the tool's.
func TestCallAs(t *testing.T) {
	var records []tool.Record
	r := registry(t, tool.RegistryOptions{
		MaxOutputBytes: 10,
		Policy:         tool.Policy{Deny: []string{"b/two"}},
		Observe:        func(_ context.Context, r tool.Record) { records = append(records, r) },
	}, fakes("a/one", "b/two")...)
	work := func(ctx context.Context, c tool.Call) (tool.Result, error) {
		tool.Count(ctx, 1, 2)
		return tool.Result{Parts: tool.Text(string(c.Args))}, nil
	}
	ctx, read := tool.Watch(t.Context())
	result, err := r.CallAs(ctx, "one", tool.Call{Args: []byte(`{}`)}, work)
	if err != nil || result.Text() != "{}" {
		t.Errorf("%v, %v", result, err)
	}
	if _, err = r.CallAs(ctx, "one", tool.Call{Args: []byte(`{"long":""}`)}, work); err == nil {
		t.Error("an answer over the budget is no error")
	}
	if _, err = r.CallAs(ctx, "two", tool.Call{}, work); !errors.Is(err, tool.ErrPolicy) {
		t.Errorf("%v; the policy holds", err)
	}
	if _, err = r.CallAs(ctx, "three", tool.Call{}, work); !errors.Is(err, tool.ErrUnknownTool) {
		t.Errorf("%v; there is no such tool", err)
	}
	if len(records) != 4 || records[0].Tool.ID != "a/one" || records[0].Entries != 1 || records[0].Bytes != 2 {
		t.Errorf("records %+v", records)
	}
	if entries, bytes := read(); entries != 2 || bytes != 4 {
		t.Errorf("watched: %d entries, %d bytes", entries, bytes)
	}
}
