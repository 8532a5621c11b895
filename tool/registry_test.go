package tool_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

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
			r := registry(t, tool.RegistryOptions{MaxOutputBytes: tt.own}, fake{id: "a/x", name: "x", call: func(_ context.Context, c tool.Call) (tool.Result, error) {
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

func TestBudgetOverrun(t *testing.T) {
	r := registry(t, tool.RegistryOptions{MaxOutputBytes: 2}, fake{id: "a/x", name: "x", call: func(context.Context, tool.Call) (tool.Result, error) {
		return tool.Result{Parts: tool.Text("日")}, nil
	}})
	e := failure(t, r, t.Context(), "x", tool.Call{})
	if e.Kind != tool.Failed || !strings.Contains(e.Message, "limit of 2 bytes") {
		t.Errorf("got %s: %v", e.Kind, e)
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

// TestPublishedAndObserved: every error of a call, whoever made it, is published before the observer and the caller see
// it, and the observer is told of each call once.
func TestPublishedAndObserved(t *testing.T) {
	odd := errors.New("odd")
	tests := []struct {
		name    string
		options tool.RegistryOptions
		call    func(context.Context, tool.Call) (tool.Result, error)
		kind    tool.Kind // "" where the call succeeds
		cause   error
		lasts   time.Duration
	}{
		{name: "success", call: nil},
		{name: "the tool's own", call: func(context.Context, tool.Call) (tool.Result, error) {
			return tool.Result{Parts: tool.Text("x")}, &tool.Error{Kind: tool.NotFound, Err: odd}
		}, kind: tool.NotFound, cause: odd},
		{name: "policy", options: tool.RegistryOptions{Policy: tool.Policy{Deny: []string{"all"}}}, kind: tool.Denied, cause: tool.ErrPolicy},
		{name: "approval", options: tool.RegistryOptions{
			Policy: tool.Policy{Prompt: []string{"x"}}, Approver: func(context.Context, tool.Spec, tool.Call) error { return odd },
		}, kind: tool.Denied, cause: odd},
		{name: "deadline", options: tool.RegistryOptions{Timeout: time.Minute}, call: func(ctx context.Context, _ tool.Call) (tool.Result, error) {
			<-ctx.Done()
			return tool.Result{}, ctx.Err()
		}, kind: tool.Timeout, cause: context.DeadlineExceeded, lasts: time.Minute},
		{name: "panic", call: func(context.Context, tool.Call) (tool.Result, error) { panic("at the disco") }, kind: tool.Internal},
		{name: "panic of nil", call: func(context.Context, tool.Call) (tool.Result, error) { panic(nil) }, kind: tool.Internal},
		{name: "panic of the approver", options: tool.RegistryOptions{
			Policy: tool.Policy{Prompt: []string{"x"}}, Approver: func(context.Context, tool.Spec, tool.Call) error { panic(odd) },
		}, kind: tool.Internal},
		{name: "not UTF-8", call: func(context.Context, tool.Call) (tool.Result, error) {
			return tool.Result{Parts: tool.Text("a\xff")}, nil
		}, kind: tool.Internal},
		{name: "overrun", options: tool.RegistryOptions{MaxOutputBytes: 1}, kind: tool.Failed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				type key struct{}
				ctx := context.WithValue(t.Context(), key{}, "caller")
				var published []tool.Error
				var records []tool.Record
				tt.options.Observe = func(ctx context.Context, r tool.Record) {
					if ctx.Value(key{}) != "caller" || ctx.Err() != nil {
						t.Error("the observer does not get the caller's context")
					}
					records = append(records, r)
				}
				r := registry(t, tt.options, publisher{fake{id: "a/x", name: "x", call: tt.call}, &published})
				start := time.Now()
				result, err := r.Call(ctx, "x", tool.Call{Args: []byte("{}")})
				if len(records) != 1 {
					t.Fatalf("the observer was told of %d calls", len(records))
				}
				rec := records[0]
				if rec.Tool.ID != "a/x" || string(rec.Call.Args) != "{}" || !rec.Start.Equal(start) || rec.Duration != tt.lasts || !reflect.DeepEqual(rec.Result, result) {
					t.Errorf("the record is %+v of the answer %v", rec, result)
				}
				if tt.kind == "" {
					if err != nil || rec.Err != nil || result.Text() != "ok" || len(published) > 0 {
						t.Errorf("got %v, %v; recorded %v, published %v", result, err, rec.Err, published)
					}
					return
				}
				if len(published) != 1 || published[0].Kind != tt.kind || published[0].Code != "" {
					t.Errorf("published %+v, want one error of kind %s", published, tt.kind)
				}
				if error(rec.Err) != err || rec.Err.Kind != tt.kind || rec.Err.Code != "PUBLISHED" || !reflect.DeepEqual(result, tool.Result{}) {
					t.Errorf("got %v, %v; recorded %v", result, err, rec.Err)
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
	r := registry(t, tool.RegistryOptions{}, fake{id: "a/x", name: "x", call: func(context.Context, tool.Call) (tool.Result, error) {
		panic("secret")
	}})
	e := failure(t, r, t.Context(), "x", tool.Call{})
	if e.Kind != tool.Internal || strings.Contains(e.Message, "secret") || e.Err == nil ||
		!strings.Contains(e.Err.Error(), "panic: secret") || !strings.Contains(e.Err.Error(), "registry_test.go") {
		t.Errorf("got %s: %s, caused by %v", e.Kind, e.Message, e.Err)
	}
}
