package registry_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"unicode/utf8"

	"gander/internal/admission"
	"gander/internal/registry"
	"gander/tool"
)

// TestErrorsOfATool: whatever error a tool returns, the caller gets an *Error of its own.
func TestErrorsOfATool(t *testing.T) {
	own := &tool.Error{Kind: tool.NotFound, Code: "C", Message: "m", Display: "d", Err: fs.ErrNotExist}
	odd := errors.New("odd")
	tests := []struct {
		name string
		err  error
		want tool.Error
	}{
		{"an *Error", own, *own},
		{"one that is wrapped", fmt.Errorf("in: %w", own), *own},
		{"a deadline", fmt.Errorf("in: %w", context.DeadlineExceeded), tool.Error{
			Kind: tool.Timeout, Message: "the call took longer than its time limit; ask for less, or raise the limit",
		}},
		{"a cancellation", context.Canceled, tool.Error{Kind: tool.Cancelled, Message: "the call was cancelled"}},
		{"too many stuck calls", admission.ErrBusy, tool.Error{
			Kind: tool.Failed, Message: admission.ErrBusy.Error(), Err: tool.ErrBusy,
		}},
		{"any other", odd, tool.Error{Kind: tool.Internal, Message: "internal error: odd"}},
		{"no *Error", (*tool.Error)(nil), tool.Error{Kind: tool.Internal, Message: "internal error: the tool failed and did not say why"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := open(t, registry.Options{}, fake{id: "a/x", name: "x", call: func(context.Context, tool.Call) (tool.Result, error) {
				return tool.Result{Parts: tool.Text("half an answer")}, tt.err
			}})
			got := failure(t, r, t.Context(), "x", tool.Call{})
			if got == own {
				t.Error("the caller got the tool's own value")
			}
			if got.Kind != tt.want.Kind || got.Code != tt.want.Code || got.Message != tt.want.Message || got.Display != tt.want.Display {
				t.Errorf("got %#v, want %#v", got, tt.want)
			}
			if tt.want.Err == nil && got.Err != nil && !errors.Is(got, tt.err) || tt.want.Err != nil && got.Err != tt.want.Err {
				t.Errorf("the cause is %v, want %v", got.Err, tt.err)
			}
		})
	}
}

// TestLongErrors checks that the texts of an error are bounded, whoever made them.
func TestLongErrors(t *testing.T) {
	long := strings.Repeat("日", 1<<20)
	r := open(t, registry.Options{}, publishing{fake{id: "a/x", name: "x", call: func(context.Context, tool.Call) (tool.Result, error) {
		return tool.Result{}, &tool.Error{Kind: tool.BadArguments, Message: long, Display: long}
	}}})
	for _, name := range []string{"x", long} {
		e := failure(t, r, t.Context(), name, tool.Call{})
		if len(e.Message) > 16<<10 || len(e.Display) > 16<<10 || !utf8.ValidString(e.Message) {
			t.Errorf("%d bytes, %d bytes", len(e.Message), len(e.Display))
		}
		if name == "x" && !strings.HasSuffix(e.Message, "... (3145739 bytes in all)") {
			t.Errorf("the error ends in %q", e.Message[len(e.Message)-40:])
		}
	}
}

// TestClosed checks that a call of a closed registry fails, and so does one that is in progress
// when the registry is closed.
func TestClosed(t *testing.T) {
	var r *registry.Registry
	closing := fake{id: "a/close", name: "close", call: func(context.Context, tool.Call) (tool.Result, error) {
		r.Close()
		return tool.Result{Parts: tool.Text("No matches found."), NothingFound: true}, nil
	}}
	r = open(t, registry.Options{}, append(fakes("a/x"), closing)...)
	if _, err := r.Call(t.Context(), "x", tool.Call{}); err != nil {
		t.Error(err)
	}
	selected, err := r.Select("x")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"close", "x"} {
		if e := failure(t, r, t.Context(), name, tool.Call{}); e.Kind != tool.Failed || !errors.Is(e, tool.ErrClosed) {
			t.Errorf("%s: %s, %v", name, e.Kind, e)
		}
	}
	if e := failure(t, selected, t.Context(), "x", tool.Call{}); !errors.Is(e, tool.ErrClosed) {
		t.Errorf("selected: %v", e)
	}
}
