package toolset_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"gander/internal/admission"
	"gander/internal/toolset"
	"gander/tool"
)

// TestBudget checks that the lowest limit applies, and that a tool cannot exceed it. Text and data
// have separate limits.
func TestBudget(t *testing.T) {
	const none = -1
	limit := func(n int) *int {
		if n == none {
			return nil
		}
		return &n
	}
	for _, tt := range []struct{ own, maximum, available, want int }{
		{0, none, none, none},
		{-1, none, none, none},
		{9, none, none, 9},
		{9, 5, none, 5},
		{9, none, 5, 5},
		{9, 20, none, 9},
		{9, 20, 8, 8},
		{9, 6, 7, 6},
		{9, none, 0, 0},
		{0, 0, none, 0},
		{0, -2, none, 0},
		{9, none, -3, 0},
	} {
		for _, over := range []int{0, 1} {
			text := func(_ context.Context, c tool.Call) (tool.Result, error) {
				limit, limited := c.Budget.Limit()
				if limited != (tt.want != none) || limited && limit != tt.want {
					t.Errorf("%v: the tool gets %d, %v", tt, limit, limited)
				}
				return text(strings.Repeat("x", limit+over)), nil
			}
			data := func(_ context.Context, c tool.Call) (tool.Result, error) {
				size := over
				if limit := c.Budget.MaxDataBytes; limit != nil {
					size += *limit
				}
				part := tool.Part{Data: make([]byte, size), MIMEType: "image/png"}
				return tool.Result{Parts: []tool.Part{part}}, nil
			}
			r := open(t, toolset.Options{MaxOutputBytes: tt.own, MaxDataBytes: tt.own},
				newFake("a/text", text), newFake("a/data", data))
			for name, b := range map[string]tool.Budget{
				"text": {MaxOutputBytes: limit(tt.maximum), AvailableBytes: limit(tt.available)},
				"data": {MaxDataBytes: limit(tt.maximum)},
			} {
				limited := tt.want != none
				if name == "data" {
					limited = tt.own > 0 || tt.maximum != none
				}
				_, err := r.Call(t.Context(), name, tool.Call{Budget: b})
				if exceeds := limited && over > 0; (err != nil) != exceeds {
					t.Errorf("%v, %s, %d bytes more: %v", tt, name, over, err)
				}
			}
		}
	}
}

// TestMiddleware checks the order of middleware, that it can modify a call, and that its time uses
// no slot and does not count toward the timeout.
func TestMiddleware(t *testing.T) {
	note := func(name string) tool.Middleware {
		return func(s tool.Spec, next tool.Handler) tool.Handler {
			return func(ctx context.Context, c tool.Call) (tool.Result, error) {
				if string(c.Args) == "wait" {
					time.Sleep(time.Hour)
				}
				c.Args = append(c.Args, " "+name...)
				result, err := next(ctx, c)
				return text(result.Text() + " " + name + " " + s.ID), err
			}
		}
	}
	echo := newFake("a/x", func(_ context.Context, c tool.Call) (tool.Result, error) {
		return text(string(c.Args)), nil
	})
	synctest.Test(t, func(t *testing.T) {
		r := open(t, toolset.Options{
			Middleware: []tool.Middleware{note("outer"), note("inner")},
			Control:    admission.New(1, 0), Timeout: time.Minute,
		}, echo)
		call := func(args string, lasts time.Duration) {
			start := time.Now()
			result, err := r.Call(t.Context(), "x", tool.Call{Args: []byte(args)})
			if err != nil || result.Text() != args+" outer inner inner a/x outer a/x" ||
				time.Since(start) != lasts {
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
