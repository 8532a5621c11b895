package shared

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"gander/internal/files/workspace"
	"gander/tool"
)

// TestErrors checks the kind and the message of every file error.
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
		{workspace.ErrIsDirectory, tool.Failed, "is a directory"},
		{workspace.ErrNotRegular, tool.Failed, "not a regular file"},
		{workspace.ErrLoop, tool.Failed, "too many levels of symbolic links"},
		{syscall.EACCES, tool.Denied, "permission denied"},
		{syscall.EPERM, tool.Denied, "permission denied"},
		{syscall.ENOENT, tool.NotFound, "no such file or directory"},
		{syscall.EIO, tool.Failed, syscall.EIO.Error()},
		{fs.ErrClosed, tool.Failed, "file already closed"},
	} {
		if got := ErrorKind(fmt.Errorf("x: %w", tt.err)); got != tt.kind {
			t.Errorf("%v: got kind %s, want %s", tt.err, got, tt.kind)
		}
		if got := ErrorText(tt.err); got != tt.text {
			t.Errorf("%v: got %q, want %q", tt.err, got, tt.text)
		}
		err := NewError(tt.err, "message")
		e, ok := errors.AsType[*tool.Error](err)
		if !ok || e.Kind != tt.kind || e.Message != "message" || !errors.Is(err, tt.err) {
			t.Errorf("%v: failed as %v", tt.err, err)
		}
	}
}

// TestNewErrorKeepsContext checks that context errors are returned unchanged.
func TestNewErrorKeepsContext(t *testing.T) {
	wrapped := fmt.Errorf("x: %w", context.Canceled)
	for _, err := range []error{context.Canceled, context.DeadlineExceeded, wrapped} {
		if got := NewError(err, "message"); got != err {
			t.Errorf("got %v, want %v", got, err)
		}
	}
}

func TestExcerpt(t *testing.T) {
	for value, want := range map[string]string{
		"":                            "",
		"漢\"":                         "漢\"",
		"a\nb\u202e\x1b":              `a\nb\u202e\u001b`,
		strings.Repeat("x", 60):       strings.Repeat("x", 60),
		strings.Repeat("x", 61):       strings.Repeat("x", 60) + "...",
		"x" + strings.Repeat("漢", 20): "x" + strings.Repeat("漢", 19) + "...",
	} {
		if got := Excerpt(value); got != want {
			t.Errorf("%q: got %q, want %q", value, got, want)
		}
		if got := Excerpt([]byte(value)); got != want {
			t.Errorf("bytes of %q: got %q, want %q", value, got, want)
		}
	}
	longest := Excerpt(strings.Repeat("\x00", 1000))
	if longest != strings.Repeat(`\u0000`, 60)+"..." {
		t.Errorf("got %q", longest)
	}
}
