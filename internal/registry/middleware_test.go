package registry_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"gander/internal/admission"
	"gander/internal/registry"
	"gander/tool"
)

// wrap is middleware that notes when it is passed.
func wrap(notes *[]string, name string) tool.Middleware {
	return func(s tool.Spec, next tool.Handler) tool.Handler {
		return func(ctx context.Context, c tool.Call) (tool.Result, error) {
			*notes = append(*notes, name+" before "+s.ID)
			result, err := next(ctx, c)
			*notes = append(*notes, name+" after "+s.ID)
			return result, err
		}
	}
}

func TestMiddlewareOrder(t *testing.T) {
	var notes []string
	r := open(t, registry.Options{Middleware: []tool.Middleware{wrap(&notes, "outer"), wrap(&notes, "inner")}}, fakes("a/one", "b/two")...)
	if _, err := r.Call(t.Context(), "two", tool.Call{}); err != nil {
		t.Fatal(err)
	}
	want := []string{"outer before b/two", "inner before b/two", "inner after b/two", "outer after b/two"}
	if !slices.Equal(notes, want) {
		t.Errorf("got %q, want %q", notes, want)
	}
}

// publishing is a tool that words errors in its own way.
type publishing struct{ fake }

func (publishing) PublishError(e *tool.Error) {
	e.Code, e.Message = "PUBLISHED", "published: "+e.Message
}

// TestMiddlewareErrors: what middleware sees of a refusal, a failure and a panic, and what the caller sees of them and of
// middleware's own.
func TestMiddlewareErrors(t *testing.T) {
	own := errors.New("not now")
	for _, c := range []struct {
		name    string
		policy  tool.Policy
		call    func(context.Context, tool.Call) (tool.Result, error)
		wrap    func(tool.Result, error) (tool.Result, error)
		seen    tool.Kind // by the middleware; "" for no error
		kind    tool.Kind // in the end
		message string
	}{
		{name: "none"},
		{name: "refused", policy: tool.Policy{Deny: []string{"a"}}, seen: tool.Denied, kind: tool.Denied, message: "published: the policy does not allow a/one"},
		{name: "no *Error", call: func(context.Context, tool.Call) (tool.Result, error) { return tool.Result{}, own }, seen: tool.Internal, kind: tool.Internal, message: "published: internal error: not now"},
		{name: "panic", call: func(context.Context, tool.Call) (tool.Result, error) { panic("oh") }, seen: tool.Internal, kind: tool.Internal, message: "published: internal error; the call was given up"},
		{name: "its own", wrap: func(tool.Result, error) (tool.Result, error) { return tool.Result{}, own }, kind: tool.Internal, message: "published: internal error: not now"},
		{name: "its own kind", wrap: func(tool.Result, error) (tool.Result, error) {
			return tool.Result{}, &tool.Error{Kind: tool.Failed, Message: "too often"}
		}, kind: tool.Failed, message: "published: too often"},
		{name: "its own panic", wrap: func(tool.Result, error) (tool.Result, error) { panic("oh") }, kind: tool.Internal, message: "published: internal error; the call was given up"},
		{name: "made good", policy: tool.Policy{Deny: []string{"a"}}, wrap: func(tool.Result, error) (tool.Result, error) { return tool.Result{Parts: tool.Text("cached")}, nil }, seen: tool.Denied},
		{name: "beyond the budget", wrap: func(tool.Result, error) (tool.Result, error) {
			return tool.Result{Parts: tool.Text(strings.Repeat("x", 101))}, nil
		}, kind: tool.Failed, message: "published: the output limit of 100 bytes is too small for the answer; raise it or ask for less"},
		{name: "no UTF-8", wrap: func(tool.Result, error) (tool.Result, error) { return tool.Result{Parts: tool.Text("\xff")}, nil }, kind: tool.Internal, message: "published: internal error: the content is not UTF-8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var seen tool.Kind
			look := func(_ tool.Spec, next tool.Handler) tool.Handler {
				return func(ctx context.Context, call tool.Call) (tool.Result, error) {
					result, err := next(ctx, call)
					if err != nil {
						seen = err.(*tool.Error).Kind
					}
					if c.wrap != nil {
						return c.wrap(result, err)
					}
					return result, err
				}
			}
			o := registry.Options{Middleware: []tool.Middleware{look}, Policy: c.policy, MaxOutputBytes: 100}
			r := open(t, o, publishing{fake{id: "a/one", name: "one", call: c.call}})
			_, err := r.Call(t.Context(), "one", tool.Call{})
			if seen != c.seen {
				t.Errorf("the middleware sees %q, want %q", seen, c.seen)
			}
			var e *tool.Error
			errors.As(err, &e)
			switch {
			case c.kind == "" && err != nil:
				t.Errorf("got %v", err)
			case c.kind != "" && (e == nil || e.Kind != c.kind || e.Message != c.message || e.Code != "PUBLISHED"):
				t.Errorf("got %+v, want %s: %s", e, c.kind, c.message)
			}
		})
	}
}

// TestMiddlewareLimits: middleware may change the call. While it waits, its call takes no place from others, and the timeout
// does not run.
func TestMiddlewareLimits(t *testing.T) {
	waiting := func(_ tool.Spec, next tool.Handler) tool.Handler {
		return func(ctx context.Context, c tool.Call) (tool.Result, error) {
			if string(c.Args) == "wait" {
				time.Sleep(time.Hour)
			}
			c.Args = append(c.Args, " changed"...)
			return next(ctx, c)
		}
	}
	echo := fake{id: "a/one", name: "one", call: func(_ context.Context, c tool.Call) (tool.Result, error) {
		return tool.Result{Parts: tool.Text(string(c.Args))}, nil
	}}
	synctest.Test(t, func(t *testing.T) {
		r := open(t, registry.Options{Middleware: []tool.Middleware{waiting}, Control: admission.New(1, 0), Timeout: time.Minute}, echo)
		var calls sync.WaitGroup
		calls.Go(func() {
			if result, err := r.Call(t.Context(), "one", tool.Call{Args: []byte("wait")}); err != nil || result.Text() != "wait changed" {
				t.Errorf("got %q, %v", result.Text(), err)
			}
		})
		synctest.Wait()
		start := time.Now()
		if result, err := r.Call(t.Context(), "one", tool.Call{}); err != nil || result.Text() != " changed" || time.Since(start) > 0 {
			t.Errorf("after %v: %q, %v", time.Since(start), result.Text(), err)
		}
		calls.Wait()
	})
}
