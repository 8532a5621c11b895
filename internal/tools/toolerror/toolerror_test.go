package toolerror

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"testing"

	"gander/internal/files/workspace"
	"gander/tool"
)

// TestErrors checks the kind and the message of every file error, and that context errors are
// returned unchanged.
func TestErrors(t *testing.T) {
	for _, tt := range []struct {
		err  error
		kind tool.Kind
		text string
	}{
		{workspace.ErrOutside, tool.Outside, "path is outside the workspace"},
		{workspace.ErrDenied, tool.Denied, "permission denied"},
		{
			workspace.ErrBadPath, tool.BadArguments,
			"invalid argument: a path cannot contain a NUL character",
		},
		{workspace.ErrNotDirectory, tool.NotDirectory, "not a directory"},
		{workspace.ErrLoop, tool.Failed, "too many levels of symbolic links"},
		{syscall.EACCES, tool.Denied, "permission denied"},
		{syscall.EPERM, tool.Denied, "permission denied"},
		{syscall.ENOENT, tool.NotFound, "no such file or directory"},
		{fs.ErrClosed, tool.Failed, "file already closed"},
	} {
		err := New(fmt.Errorf("x: %w", tt.err), Text(tt.err))
		e, ok := errors.AsType[*tool.Error](err)
		isSame := ok && e.Kind == tt.kind && e.Message == tt.text
		if !isSame || !errors.Is(err, tt.err) {
			t.Errorf("%v: failed as %v", tt.err, err)
		}
	}
	wrapped := fmt.Errorf("x: %w", context.Canceled)
	for _, err := range []error{wrapped, context.DeadlineExceeded} {
		if got := New(err, "message"); got != err {
			t.Errorf("got %v, want %v", got, err)
		}
	}
}

// TestNode checks the texts of Node.js.
func TestNode(t *testing.T) {
	for err, want := range map[error]string{
		syscall.ENFILE:      "ENFILE: file table overflow, open '/x'",
		syscall.EPERM:       "EPERM: operation not permitted, open '/x'",
		workspace.ErrDenied: "EACCES: permission denied, open '/x'",
		fs.ErrClosed:        "UNKNOWN: file already closed, open '/x'",
	} {
		if got := Node(err, "open", "/x"); got == nil || got.Error() != want {
			t.Errorf("%v: got %v, want %s", err, got, want)
		}
	}
	if err := Node(nil, "open", "/x"); err != nil {
		t.Error(err)
	}
}
