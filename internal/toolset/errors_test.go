package toolset_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"gander/internal/admission"
	"gander/internal/testkit/tooltest"
	"gander/internal/toolset"
	"gander/tool"
)

// A publisher is a tool with its own error format. It records the original errors.
type publisher struct {
	tooltest.Fake
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
	var none toolset.Options
	denied := toolset.Options{Policy: tool.Policy{Deny: []string{"all"}}}
	approving := func(approve func() error) toolset.Options {
		return toolset.Options{Policy: tool.Policy{
			Prompt:  []string{"x"},
			Approve: func(context.Context, tool.Spec, tool.Call) error { return approve() },
		}}
	}
	const (
		panicked = "internal error; the call was given up"
		invalid  = "internal error: the content is not UTF-8"
		late     = "the call took longer than its time limit; ask for less, or raise the limit"
		mute     = "internal error: the tool failed and did not say why"
		large    = "the output limit of 1 bytes is too small for the answer; raise it or ask for less"
		memory   = "the call needs 107374182400 bytes of memory, and the limit is 50331648; ask for less"
	)
	fails := func(err error) tool.Handler { return returns(text("part"), err) }
	wait := func(ctx context.Context, _ tool.Call) (tool.Result, error) {
		<-ctx.Done()
		return tool.Result{}, ctx.Err()
	}
	greedy := func(ctx context.Context, _ tool.Call) (tool.Result, error) {
		return tool.Result{}, admission.Reserve(ctx, 100<<30)
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
	}{
		{"success", none, nil, nil, "", "", "", nil},
		{"an Error", none, fails(own), nil, "not_found", "not_found", "m", fs.ErrNotExist},
		{
			"a wrapped Error", none, fails(fmt.Errorf("in: %w", own)), nil,
			"not_found", "not_found", "m", fs.ErrNotExist,
		},
		{"a nil *Error", none, fails((*tool.Error)(nil)), nil, "internal", "internal", mute, nil},
		{
			"outside", none, fails(fmt.Errorf("open x: %w", tool.ErrOutside)), nil,
			"outside", "outside", "open x: path is outside the workspace", tool.ErrOutside,
		},
		{
			"missing", none, fails(&fs.PathError{Op: "open", Path: "x", Err: fs.ErrNotExist}), nil,
			"not_found", "not_found", "open x: file does not exist", fs.ErrNotExist,
		},
		{
			"permission", none, fails(fmt.Errorf("open x: %w", syscall.EACCES)), nil,
			"denied", "denied", "open x: permission denied", fs.ErrPermission,
		},
		{
			"invalid path", none, fails(fmt.Errorf("open x: %w", fs.ErrInvalid)), nil,
			"bad_arguments", "bad_arguments", "open x: invalid argument", fs.ErrInvalid,
		},
		{"another error", none, fails(odd), nil, "internal", "internal", "internal error: odd", odd},
		{
			"cancellation", none, fails(context.Canceled), nil,
			"cancelled", "cancelled", "the call was cancelled", context.Canceled,
		},
		{
			"deadline",
			toolset.Options{Timeout: time.Minute},
			wait, nil,
			"timeout", "timeout", late, context.DeadlineExceeded,
		},
		{
			"stuck calls", none, fails(admission.ErrBusy), nil,
			"failed", "failed", admission.ErrBusy.Error(), tool.ErrBusy,
		},
		{"too much memory", none, greedy, nil, "failed", "failed", memory, nil},
		{"panic", none, panics("secret"), nil, "internal", "internal", panicked, nil},
		{"panic of nil", none, panics(nil), nil, "internal", "internal", panicked, nil},
		{
			"policy", denied, nil, nil, "denied", "denied", "the policy does not allow a/x",
			tool.ErrPolicy,
		},
		{
			"approver", approving(func() error { return odd }), nil, nil,
			"denied", "denied", "a/x was not approved: odd", odd,
		},
		{
			"panic of the approver", approving(func() error { panic(odd) }), nil, nil,
			"", "internal", panicked, nil,
		},
		{"not UTF-8", none, returns(text("a\xff"), nil), nil, "", "internal", invalid, nil},
		{"too large", toolset.Options{MaxOutputBytes: 1}, nil, nil, "", "failed", large, nil},
		{"middleware", none, nil, fails(odd), "", "internal", "internal error: odd", odd},
		{"Error of middleware", none, nil, fails(own), "", "not_found", "m", fs.ErrNotExist},
		{"panic of middleware", none, nil, panics("oh"), "", "internal", panicked, nil},
		{
			"result of middleware", denied, nil, returns(text("cached"), nil), "denied", "", "", nil,
		},
		{
			"middleware, not UTF-8", none, nil, returns(text("\xff"), nil), "", "internal", invalid, nil,
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
				if took := time.Since(start); took != tt.options.Timeout || seen != tt.seen {
					t.Errorf("took %v; the middleware sees %q, want %q", took, seen, tt.seen)
				}
			})
		})
	}
}

// TestPanic checks that the underlying error and the log have the panic value and the stack trace,
// and that the message has neither.
func TestPanic(t *testing.T) {
	var log strings.Builder
	logger := slog.New(slog.NewTextHandler(&log, nil))
	r := open(t, toolset.Options{Logger: logger}, newFake("a/x", panics("secret")))
	e := failure(t, r, t.Context(), "x", tool.Call{})
	for _, want := range []string{"panic: secret", "fake_test.go"} {
		if !strings.Contains(e.Err.Error(), want) || !strings.Contains(log.String(), want) {
			t.Errorf("no %s: %v, logged as %s", want, e.Err, &log)
		}
	}
	if strings.Contains(e.Message, "secret") {
		t.Error(e.Message)
	}
}

// A panickingPublisher is a tool whose own error format cannot be made.
type panickingPublisher struct{ tooltest.Fake }

func (panickingPublisher) PublishError(*tool.Error) { panic("format") }

// TestPanicOfPublisher checks that an error that cannot be published is an internal error.
func TestPanicOfPublisher(t *testing.T) {
	r := open(t, toolset.Options{},
		panickingPublisher{newFake("a/x", returns(text(""), fs.ErrNotExist))})
	if e := failure(t, r, t.Context(), "x", tool.Call{}); e.Kind != tool.Internal {
		t.Errorf("got %v", e)
	}
}

// TestLongErrors checks that error messages are shortened, regardless of their source.
func TestLongErrors(t *testing.T) {
	long := strings.Repeat("日", 1<<20)
	r := open(t, toolset.Options{}, newFake("a/x", returns(tool.Result{},
		&tool.Error{Kind: tool.BadArguments, Message: long, Display: long})))
	for _, name := range []string{"x", long, strings.Repeat("\u2028", 1<<20)} {
		e := failure(t, r, t.Context(), name, tool.Call{})
		if name != "x" && len(e.Message) > 2000 {
			t.Errorf("%d bytes about an unknown name", len(e.Message))
		}
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
