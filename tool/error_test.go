package tool_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"testing"

	"gander/tool"
)

// TestErrorIs: each kind matches its own sentinel and none of the others.
func TestErrorIs(t *testing.T) {
	sentinels := map[tool.Kind]error{
		tool.Outside:   tool.ErrOutside,
		tool.NotFound:  fs.ErrNotExist,
		tool.Denied:    fs.ErrPermission,
		tool.Timeout:   context.DeadlineExceeded,
		tool.Cancelled: context.Canceled,
	}
	for _, kind := range []tool.Kind{
		tool.BadArguments, tool.Outside, tool.Denied, tool.NotFound, tool.NotDirectory, tool.Failed, tool.Cancelled, tool.Timeout, tool.Internal, "", "of_a_tool",
	} {
		err := fmt.Errorf("wrapped: %w", &tool.Error{Kind: kind})
		for of, sentinel := range sentinels {
			if got, want := errors.Is(err, sentinel), of == kind; got != want {
				t.Errorf("an error of kind %q matches %v: %v, want %v", kind, sentinel, got, want)
			}
		}
		for _, sentinel := range []error{tool.ErrPolicy, tool.ErrUnknownTool, tool.ErrBusy} {
			if errors.Is(err, sentinel) {
				t.Errorf("an error of kind %q matches %v", kind, sentinel)
			}
		}
	}
}

func TestErrorMatchesItsCause(t *testing.T) {
	err := &tool.Error{Kind: tool.Failed, Message: "words", Err: fmt.Errorf("cause: %w", syscall.EIO)}
	if err.Error() != "words" || !errors.Is(err, syscall.EIO) || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v does not match its cause alone", err)
	}
}

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
		{"any other", odd, tool.Error{Kind: tool.Internal, Message: "internal error: odd"}},
		{"no *Error", (*tool.Error)(nil), tool.Error{Kind: tool.Internal, Message: "internal error: the tool failed and did not say why"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := registry(t, tool.RegistryOptions{}, fake{id: "a/x", name: "x", call: func(context.Context, tool.Call) (tool.Result, error) {
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
