package toolset_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"gander/internal/admission"
	"gander/internal/toolset"
	"gander/tool"
)

// A publisher is a tool with its own error format. It records the original errors.
type publisher struct {
	fake
	seen *[]tool.Error
}

func (p publisher) PublishError(e *tool.Error) {
	*p.seen = append(*p.seen, *e)
	e.Code, e.Message = "PUBLISHED", "published: "+e.Message
}

// TestErrors checks that middleware receives every error as a *tool.Error, regardless of its
// source, and that the error is published exactly once.
func TestErrors(t *testing.T) {
	own := &tool.Error{
		Kind: tool.NotFound, Code: "C", Message: "m", Display: "d", Err: fs.ErrNotExist,
	}
	odd := errors.New("odd")
	denied := toolset.Options{Policy: tool.Policy{Deny: []string{"all"}}}
	approving := func(approve func() error) toolset.Options {
		return toolset.Options{Policy: tool.Policy{
			Prompt:  []string{"x"},
			Approve: func(context.Context, tool.Spec, tool.Call) error { return approve() },
		}}
	}
	const panicked = "internal error; the call was given up"
	wait := func(ctx context.Context, _ tool.Call) (tool.Result, error) {
		<-ctx.Done()
		return tool.Result{}, ctx.Err()
	}
	tests := []struct {
		name    string
		options toolset.Options
		call    tool.Handler // implements the tool
		after   tool.Handler // returns the result of the middleware, if not nil
		seen    tool.Kind    // received by the middleware
		kind    tool.Kind    // empty if the call succeeds
		message string
		cause   error
		lasts   time.Duration
	}{
		{name: "success"},
		{
			name: "an Error", call: returns(text("part"), own),
			seen: tool.NotFound, kind: tool.NotFound, message: "m", cause: fs.ErrNotExist,
		},
		{
			name: "a wrapped Error", call: returns(text("part"), fmt.Errorf("in: %w", own)),
			seen: tool.NotFound, kind: tool.NotFound, message: "m", cause: fs.ErrNotExist,
		},
		{
			name: "a nil *Error", call: returns(text("part"), (*tool.Error)(nil)),
			seen: tool.Internal, kind: tool.Internal,
			message: "internal error: the tool failed and did not say why",
		},
		{
			name: "another error", call: returns(text("part"), odd),
			seen: tool.Internal, kind: tool.Internal, message: "internal error: odd", cause: odd,
		},
		{
			name: "cancellation", call: returns(tool.Result{}, context.Canceled),
			seen: tool.Cancelled, kind: tool.Cancelled, message: "the call was cancelled",
			cause: context.Canceled,
		},
		{
			name: "deadline", options: toolset.Options{Timeout: time.Minute}, call: wait,
			seen: tool.Timeout, kind: tool.Timeout, cause: context.DeadlineExceeded, lasts: time.Minute,
			message: "the call took longer than its time limit; ask for less, or raise the limit",
		},
		{
			name: "stuck calls", call: returns(tool.Result{}, admission.ErrBusy),
			seen: tool.Failed, kind: tool.Failed, message: admission.ErrBusy.Error(), cause: tool.ErrBusy,
		},
		{
			name: "too much memory", call: func(ctx context.Context, _ tool.Call) (tool.Result, error) {
				return tool.Result{}, admission.Reserve(ctx, 100<<30)
			},
			seen: tool.Failed, kind: tool.Failed,
			message: "the call needs 107374182400 bytes of memory, and the limit is 50331648; ask for less",
		},
		{
			name: "panic", call: panics("secret"),
			seen: tool.Internal, kind: tool.Internal, message: panicked,
		},
		{
			name: "panic of nil", call: panics(nil),
			seen: tool.Internal, kind: tool.Internal, message: panicked,
		},
		{
			name: "policy", options: denied, seen: tool.Denied, kind: tool.Denied,
			message: "the policy does not allow a/x", cause: tool.ErrPolicy,
		},
		{
			name: "approver", options: approving(func() error { return odd }),
			seen: tool.Denied, kind: tool.Denied, message: "a/x was not approved: odd", cause: odd,
		},
		{
			name: "panic of the approver", options: approving(func() error { panic(odd) }),
			kind: tool.Internal, message: panicked,
		},
		{
			name: "not UTF-8", call: returns(text("a\xff"), nil),
			kind: tool.Internal, message: "internal error: the content is not UTF-8",
		},
		{
			name: "too large", options: toolset.Options{MaxOutputBytes: 1}, kind: tool.Failed,
			message: "the output limit of 1 bytes is too small for the answer; raise it or ask for less",
		},
		{
			name: "middleware", after: returns(tool.Result{}, odd),
			kind: tool.Internal, message: "internal error: odd", cause: odd,
		},
		{
			name:  "Error of middleware",
			after: returns(tool.Result{}, &tool.Error{Kind: tool.Failed, Message: "too often"}),
			kind:  tool.Failed, message: "too often",
		},
		{name: "panic of middleware", after: panics("oh"), kind: tool.Internal, message: panicked},
		{
			name: "result of middleware", options: denied, after: returns(text("cached"), nil),
			seen: tool.Denied,
		},
		{
			name: "middleware, not UTF-8", after: returns(text("\xff"), nil),
			kind: tool.Internal, message: "internal error: the content is not UTF-8",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var seen tool.Kind
				look := func(_ tool.Spec, next tool.Handler) tool.Handler {
					return func(ctx context.Context, c tool.Call) (tool.Result, error) {
						result, err := next(ctx, c)
						if err != nil {
							seen = err.(*tool.Error).Kind
						}
						if tt.after != nil {
							return tt.after(ctx, c)
						}
						return result, err
					}
				}
				var published []tool.Error
				tt.options.Middleware = []tool.Middleware{look}
				r := open(t, tt.options, publisher{newFake("a/x", tt.call), &published})
				start := time.Now()
				if tt.kind == "" {
					if _, err := r.Call(t.Context(), "x", tool.Call{}); err != nil || published != nil {
						t.Errorf("%v, published %v", err, published)
					}
				} else {
					e := failure(t, r, t.Context(), "x", tool.Call{})
					if e == own || e.Kind != tt.kind || e.Code != "PUBLISHED" ||
						e.Message != "published: "+tt.message || tt.cause != nil && !errors.Is(e, tt.cause) {
						t.Errorf("got %#v, want %s: %s (%v)", e, tt.kind, tt.message, tt.cause)
					}
					if len(published) != 1 || published[0].Kind != tt.kind {
						t.Errorf("published %+v, want one error of kind %s", published, tt.kind)
					}
				}
				if took := time.Since(start); took != tt.lasts || seen != tt.seen {
					t.Errorf("took %v; the middleware sees %q, want %q", took, seen, tt.seen)
				}
			})
		})
	}
}

// TestPanic checks that the underlying error contains the panic value and the stack trace, and that
// the message contains neither.
func TestPanic(t *testing.T) {
	r := open(t, toolset.Options{}, newFake("a/x", panics("secret")))
	e := failure(t, r, t.Context(), "x", tool.Call{})
	if strings.Contains(e.Message, "secret") || !strings.Contains(e.Err.Error(), "panic: secret") ||
		!strings.Contains(e.Err.Error(), "fake_test.go") {
		t.Errorf("got %s, caused by %v", e.Message, e.Err)
	}
}

// TestLongErrors checks that error messages are shortened, regardless of their source.
func TestLongErrors(t *testing.T) {
	long := strings.Repeat("日", 1<<20)
	r := open(t, toolset.Options{}, newFake("a/x", returns(tool.Result{},
		&tool.Error{Kind: tool.BadArguments, Message: long, Display: long})))
	for _, name := range []string{"x", long} {
		e := failure(t, r, t.Context(), name, tool.Call{})
		if len(e.Message) > 16<<10 || len(e.Display) > 16<<10 || !utf8.ValidString(e.Message) {
			t.Errorf("%d bytes, %d bytes", len(e.Message), len(e.Display))
		}
		if name == "x" && !strings.HasSuffix(e.Message, "... (3145728 bytes in all)") {
			t.Errorf("the error ends in %q", e.Message[len(e.Message)-40:])
		}
	}
}

// TestClosed checks that Close makes further calls and calls in progress fail.
func TestClosed(t *testing.T) {
	var r *toolset.Toolset
	closing := func(context.Context, tool.Call) (tool.Result, error) {
		r.Close()
		return tool.Result{Parts: tool.Text("No matches found."), NothingFound: true}, nil
	}
	r = open(t, toolset.Options{}, append(fakes("a/x"), newFake("a/close", closing))...)
	if _, err := r.Call(t.Context(), "x", tool.Call{}); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"close", "x"} {
		e := failure(t, r, t.Context(), name, tool.Call{})
		if e.Kind != tool.Failed || !errors.Is(e, tool.ErrClosed) {
			t.Errorf("%s: %s, %v", name, e.Kind, e)
		}
	}
}
