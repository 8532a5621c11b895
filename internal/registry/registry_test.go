package registry_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"gander/internal/admission"
	"gander/internal/registry"
	"gander/tool"
)

func ptr(n int) *int { return &n }

func TestBudgetLimit(t *testing.T) {
	tests := []struct {
		max, available *int
		bytes          int
		limited        bool
	}{
		{nil, nil, 0, false},
		{ptr(0), nil, 0, true},
		{nil, ptr(0), 0, true},
		{ptr(5), ptr(0), 0, true},
		{ptr(5), ptr(6), 5, true},
		{ptr(6), ptr(5), 5, true},
		{ptr(-1), nil, 0, true},
		{ptr(7), ptr(-1), 0, true},
	}
	for _, tt := range tests {
		bytes, limited := tool.Budget{MaxOutputBytes: tt.max, AvailableBytes: tt.available}.Limit()
		if bytes != tt.bytes || limited != tt.limited {
			t.Errorf("%v, %v: got %d, %v; want %d, %v", tt.max, tt.available, bytes, limited, tt.bytes, tt.limited)
		}
	}
}

// TestBudget: the tool is told the least of all limits, and held to it.
func TestBudget(t *testing.T) {
	tests := []struct {
		own  int
		call tool.Budget
		want *int
	}{
		{0, tool.Budget{}, nil},
		{-1, tool.Budget{}, nil},
		{9, tool.Budget{}, ptr(9)},
		{9, tool.Budget{MaxOutputBytes: ptr(5)}, ptr(5)},
		{9, tool.Budget{AvailableBytes: ptr(5)}, ptr(5)},
		{9, tool.Budget{MaxOutputBytes: ptr(20)}, ptr(9)},
		{9, tool.Budget{MaxOutputBytes: ptr(20), AvailableBytes: ptr(8)}, ptr(8)},
		{9, tool.Budget{AvailableBytes: ptr(0)}, ptr(0)},
		{0, tool.Budget{MaxOutputBytes: ptr(0)}, ptr(0)},
		{9, tool.Budget{AvailableBytes: ptr(-3)}, ptr(0)},
	}
	for _, tt := range tests {
		for _, over := range []int{0, 1} {
			var told tool.Budget
			r := open(t, registry.Options{MaxOutputBytes: tt.own}, fake{id: "a/x", name: "x", call: func(_ context.Context, c tool.Call) (tool.Result, error) {
				told = c.Budget
				limit, _ := c.Budget.Limit()
				return tool.Result{Parts: tool.Text(strings.Repeat("x", limit+over))}, nil
			}})
			_, err := r.Call(t.Context(), "x", tool.Call{Budget: tt.call})
			bytes, limited := told.Limit()
			if limited != (tt.want != nil) || limited && bytes != *tt.want {
				t.Errorf("own %d, call %v: the tool is told %d, %v; want %v", tt.own, tt.call, bytes, limited, tt.want)
			}
			if overrun := limited && over > 0; (err != nil) != overrun {
				t.Errorf("own %d, call %v, %d bytes beyond it: %v", tt.own, tt.call, over, err)
			}
		}
	}
}

// A publisher notes the errors it is given and puts its own words on them.
type publisher struct {
	fake
	seen *[]tool.Error
}

func (p publisher) PublishError(e *tool.Error) {
	*p.seen = append(*p.seen, *e)
	e.Code, e.Message = "PUBLISHED", "published: "+e.Message
}

// TestPublished checks that every error of a call, whoever made it, is published once, before the
// caller sees it.
func TestPublished(t *testing.T) {
	odd := errors.New("odd")
	tests := []struct {
		name    string
		options registry.Options
		call    func(context.Context, tool.Call) (tool.Result, error)
		kind    tool.Kind // "" where the call succeeds
		cause   error
		lasts   time.Duration
	}{
		{name: "success", call: nil},
		{name: "the tool's own", call: func(context.Context, tool.Call) (tool.Result, error) {
			return tool.Result{Parts: tool.Text("x")}, &tool.Error{Kind: tool.NotFound, Err: odd}
		}, kind: tool.NotFound, cause: odd},
		{name: "policy", options: registry.Options{Policy: tool.Policy{Deny: []string{"all"}}}, kind: tool.Denied, cause: tool.ErrPolicy},
		{name: "approval", options: registry.Options{
			Policy: tool.Policy{Prompt: []string{"x"}, Approve: func(context.Context, tool.Spec, tool.Call) error { return odd }},
		}, kind: tool.Denied, cause: odd},
		{name: "deadline", options: registry.Options{Timeout: time.Minute}, call: func(ctx context.Context, _ tool.Call) (tool.Result, error) {
			<-ctx.Done()
			return tool.Result{}, ctx.Err()
		}, kind: tool.Timeout, cause: context.DeadlineExceeded, lasts: time.Minute},
		{name: "panic", call: func(context.Context, tool.Call) (tool.Result, error) { panic("at the disco") }, kind: tool.Internal},
		{name: "panic of nil", call: func(context.Context, tool.Call) (tool.Result, error) { panic(nil) }, kind: tool.Internal},
		{name: "panic of the approver", options: registry.Options{
			Policy: tool.Policy{Prompt: []string{"x"}, Approve: func(context.Context, tool.Spec, tool.Call) error { panic(odd) }},
		}, kind: tool.Internal},
		{name: "not UTF-8", call: func(context.Context, tool.Call) (tool.Result, error) {
			return tool.Result{Parts: tool.Text("a\xff")}, nil
		}, kind: tool.Internal},
		{name: "overrun", options: registry.Options{MaxOutputBytes: 1}, kind: tool.Failed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var published []tool.Error
				r := open(t, tt.options, publisher{fake{id: "a/x", name: "x", call: tt.call}, &published})
				start := time.Now()
				result, err := r.Call(t.Context(), "x", tool.Call{Args: []byte("{}")})
				if took := time.Since(start); took != tt.lasts {
					t.Errorf("took %v", took)
				}
				if tt.kind == "" {
					if err != nil || result.Text() != "ok" || len(published) > 0 {
						t.Errorf("got %v, %v; published %v", result, err, published)
					}
					return
				}
				if len(published) != 1 || published[0].Kind != tt.kind || published[0].Code != "" {
					t.Errorf("published %+v, want one error of kind %s", published, tt.kind)
				}
				var e *tool.Error
				if !errors.As(err, &e) || e.Kind != tt.kind || e.Code != "PUBLISHED" || !reflect.DeepEqual(result, tool.Result{}) {
					t.Errorf("got %v, %v", result, err)
				}
				if tt.cause != nil && !errors.Is(err, tt.cause) {
					t.Errorf("%v does not match %v", err, tt.cause)
				}
			})
		})
	}
}

// TestPanic: the caller reads nothing of the panic, the cause holds it with its stack.
func TestPanic(t *testing.T) {
	r := open(t, registry.Options{}, fake{id: "a/x", name: "x", call: func(context.Context, tool.Call) (tool.Result, error) {
		panic("secret")
	}})
	e := failure(t, r, t.Context(), "x", tool.Call{})
	if e.Kind != tool.Internal || strings.Contains(e.Message, "secret") || e.Err == nil ||
		!strings.Contains(e.Err.Error(), "panic: secret") || !strings.Contains(e.Err.Error(), "registry_test.go") {
		t.Errorf("got %s: %s, caused by %v", e.Kind, e.Message, e.Err)
	}
}

// TestManyCalls makes calls concurrently.
func TestManyCalls(t *testing.T) {
	r := open(t, registry.Options{Control: admission.New(2, 0)}, fakes("a/x", "b/x", "b/y")...)
	var calls sync.WaitGroup
	for range 50 {
		calls.Go(func() {
			for _, name := range []string{"a/x", "b_x", "y"} {
				if _, err := r.Call(t.Context(), name, tool.Call{}); err != nil || len(r.Specs()) != 3 {
					t.Error(err)
				}
			}
		})
	}
	calls.Wait()
}
