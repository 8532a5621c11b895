package toolset_test

import (
	"bytes"
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"gander/internal/admission"
	"gander/internal/toolset"
	"gander/tool"
)

// TestBudget checks that the lowest limit on text applies, and that a tool cannot exceed it.
func TestBudget(t *testing.T) {
	budget := func(maximum, available int) tool.Budget {
		return tool.Budget{MaxOutputBytes: &maximum, AvailableBytes: &available}
	}
	only := func(n int) tool.Budget { return tool.Budget{MaxOutputBytes: &n} }
	free := func(n int) tool.Budget { return tool.Budget{AvailableBytes: &n} }
	const none = -1
	tests := []struct {
		own  int
		call tool.Budget
		want int
	}{
		{0, tool.Budget{}, none},
		{-1, tool.Budget{}, none},
		{9, tool.Budget{}, 9},
		{9, only(5), 5},
		{9, free(5), 5},
		{9, only(20), 9},
		{9, budget(20, 8), 8},
		{9, budget(6, 7), 6},
		{9, free(0), 0},
		{0, only(0), 0},
		{0, only(-1), 0},
		{9, free(-3), 0},
	}
	for _, tt := range tests {
		if limit, limited := tt.call.Limit(); tt.own <= 0 && limited != (tt.want != none) ||
			tt.own <= 0 && limited && limit != tt.want {
			t.Errorf("%v: the limit is %d, %v", tt, limit, limited)
		}
		for _, over := range []int{0, 1} {
			call := func(_ context.Context, c tool.Call) (tool.Result, error) {
				limit, limited := c.Budget.Limit()
				if limited != (tt.want != none) || limited && limit != tt.want {
					t.Errorf("%v: the tool gets %d, %v", tt, limit, limited)
				}
				return text(strings.Repeat("x", limit+over)), nil
			}
			r := open(t, toolset.Options{MaxOutputBytes: tt.own}, newFake("a/x", call))
			_, err := r.Call(t.Context(), "x", tool.Call{Budget: tt.call})
			if exceeds := tt.want != none && over > 0; (err != nil) != exceeds {
				t.Errorf("%v, %d bytes more: %v", tt, over, err)
			}
		}
	}
}

// TestDataLimit checks that data has a separate limit, the lower of the registry's and the call's.
func TestDataLimit(t *testing.T) {
	over := 0
	call := func(_ context.Context, c tool.Call) (tool.Result, error) {
		data := tool.Part{Data: make([]byte, *c.Budget.MaxDataBytes+over)}
		return tool.Result{Parts: append(tool.Text("text"), data)}, nil
	}
	r := open(t, toolset.Options{MaxOutputBytes: 10, MaxDataBytes: 1000}, newFake("a/x", call))
	for _, own := range []int{0, 999, 2000} {
		c := tool.Call{Budget: tool.Budget{MaxDataBytes: &own}}
		over = 0
		result, err := r.Call(t.Context(), "x", c)
		if err != nil || len(result.Parts[1].Data) != min(own, 1000) {
			t.Errorf("%d: %v, %v", own, result, err)
		}
		over = 1
		if e := failure(t, r, t.Context(), "x", c); e.Kind != tool.Failed {
			t.Errorf("%d: %v", own, e)
		}
	}
}

// TestSharedBudget checks that registries with the same Controller share memory for results.
func TestSharedBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var held atomic.Int64
		image := newFake("a/x", func(ctx context.Context, _ tool.Call) (tool.Result, error) {
			err := admission.Reserve(ctx, 5<<20)
			held.Add(1)
			return text(""), err
		})
		control := admission.New(0, 0)
		written, write := context.WithCancel(t.Context())
		for range 20 {
			r := open(t, toolset.Options{Control: control}, image)
			go r.Call(admission.WithResponse(written), "x", tool.Call{})
		}
		synctest.Wait()
		if n := held.Load(); n != 9 {
			t.Errorf("%d calls hold 5 MiB, want 9 in 48 MiB", n)
		}
		write()
		synctest.Wait()
		if n := held.Load(); n != 20 {
			t.Errorf("%d calls have continued, want 20", n)
		}
	})
}

func TestMiddlewareOrder(t *testing.T) {
	var notes []string
	note := func(name string) tool.Middleware {
		return func(s tool.Spec, next tool.Handler) tool.Handler {
			return func(ctx context.Context, c tool.Call) (tool.Result, error) {
				notes = append(notes, name+" before "+s.ID)
				defer func() { notes = append(notes, name+" after "+s.ID) }()
				return next(ctx, c)
			}
		}
	}
	o := toolset.Options{Middleware: []tool.Middleware{note("outer"), note("inner")}}
	r := open(t, o, fakes("a/one", "b/two")...)
	if _, err := r.Call(t.Context(), "two", tool.Call{}); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"outer before b/two", "inner before b/two", "inner after b/two", "outer after b/two",
	}
	if !slices.Equal(notes, want) {
		t.Errorf("got %q, want %q", notes, want)
	}
}

// TestMiddlewareLimits checks that middleware can modify a call, and that its time uses no slot and
// does not count toward the timeout.
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
	echo := newFake("a/x", func(_ context.Context, c tool.Call) (tool.Result, error) {
		return text(string(c.Args)), nil
	})
	synctest.Test(t, func(t *testing.T) {
		r := open(t, toolset.Options{
			Middleware: []tool.Middleware{waiting}, Control: admission.New(1, 0), Timeout: time.Minute,
		}, echo)
		call := func(args string, lasts time.Duration) {
			start := time.Now()
			result, err := r.Call(t.Context(), "x", tool.Call{Args: []byte(args)})
			if err != nil || result.Text() != args+" changed" || time.Since(start) != lasts {
				t.Errorf("after %v: %q, %v", time.Since(start), result.Text(), err)
			}
		}
		var calls sync.WaitGroup
		calls.Go(func() { call("wait", time.Hour) })
		synctest.Wait()
		call("now", 0)
		calls.Wait()
	})
}

func TestLog(t *testing.T) {
	var out bytes.Buffer
	untimed := func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey || a.Key == "duration" {
			return slog.Attr{}
		}
		return a
	}
	logger := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{ReplaceAttr: untimed}))
	var err error
	call := func(context.Context, tool.Call) (tool.Result, error) {
		return tool.Result{Truncated: true}, err
	}
	r := open(t, toolset.Options{Logger: logger}, newFake("a/one", call))
	_, _ = r.Call(t.Context(), "one", tool.Call{Args: []byte(`{"secret":1}`)})
	for _, kind := range []tool.Kind{
		tool.BadArguments, tool.Outside, tool.Denied, tool.NotFound, tool.NotDirectory, tool.Failed,
		tool.Cancelled, tool.Timeout, tool.Internal,
	} {
		err = &tool.Error{Kind: kind, Message: "why"}
		_, _ = r.Call(t.Context(), "a_one", tool.Call{})
	}
	_, _ = r.Call(t.Context(), "other", tool.Call{})
	want := `level=INFO msg="tool call" tool=a/one outcome=ok truncated=true
level=INFO msg="tool call" tool=a/one outcome=bad_arguments truncated=false error=why
level=WARN msg="tool call" tool=a/one outcome=outside truncated=false error=why
level=WARN msg="tool call" tool=a/one outcome=denied truncated=false error=why
level=INFO msg="tool call" tool=a/one outcome=not_found truncated=false error=why
level=INFO msg="tool call" tool=a/one outcome=not_a_directory truncated=false error=why
level=WARN msg="tool call" tool=a/one outcome=failed truncated=false error=why
level=INFO msg="tool call" tool=a/one outcome=cancelled truncated=false error=why
level=WARN msg="tool call" tool=a/one outcome=timeout truncated=false error=why
level=ERROR msg="tool call" tool=a/one outcome=internal truncated=false error=why
level=INFO msg="tool call" tool=other outcome=bad_arguments truncated=false ` +
		`error="unknown tool \"other\"; the tools are: a/one"` + "\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestManyCalls(t *testing.T) {
	r := open(t, toolset.Options{Control: admission.New(2, 0)}, fakes("a/x", "b/x", "b/y")...)
	var calls sync.WaitGroup
	for range 50 {
		calls.Go(func() {
			for _, name := range []string{"a/x", "b_x", "y"} {
				if _, err := r.Call(t.Context(), name, tool.Call{}); err != nil || len(r.Definitions()) != 3 {
					t.Error(err)
				}
			}
		})
	}
	calls.Wait()
}
