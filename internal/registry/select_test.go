package registry_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"gander/internal/admission"
	"gander/internal/registry"
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
	r := open(t, registry.Options{Control: admission.New(1, 0), Policy: tool.Policy{Deny: []string{"b/two"}}}, append(fakes("b/two", "b/one"), hang)...)
	s, err := r.Select("a", "b/two")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, d := range s.Specs() {
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
