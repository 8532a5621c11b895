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

// TestErrorIs checks that each kind matches its own sentinel and no other.
func TestErrorIs(t *testing.T) {
	sentinels := map[tool.Kind]error{
		tool.Outside:   tool.ErrOutside,
		tool.NotFound:  fs.ErrNotExist,
		tool.Denied:    fs.ErrPermission,
		tool.Timeout:   context.DeadlineExceeded,
		tool.Cancelled: context.Canceled,
	}
	for _, kind := range []tool.Kind{
		tool.BadArguments, tool.Outside, tool.Denied, tool.NotFound, tool.NotDirectory,
		tool.Failed, tool.Cancelled, tool.Timeout, tool.Internal, "", "of_a_tool",
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
