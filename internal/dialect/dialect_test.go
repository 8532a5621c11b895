package dialect

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"

	"gander/internal/engine/workspace"
	"gander/tool"
)

// TestErrors: what each error of the engine is to a caller, and its words, however it is wrapped.
func TestErrors(t *testing.T) {
	for _, tt := range []struct {
		err   error
		kind  tool.Kind
		words string
	}{
		{workspace.ErrOutside, tool.Outside, "path is outside the workspace"},
		{workspace.ErrDenied, tool.Denied, "permission denied"},
		{workspace.ErrBadPath, tool.BadArguments, "invalid argument: a path cannot contain a NUL character"},
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
		if got := ErrorText(tt.err); got != tt.words {
			t.Errorf("%v: got %q, want %q", tt.err, got, tt.words)
		}
		var failure *tool.Error
		if err := NewError(tt.err, "message"); !errors.As(err, &failure) || failure.Kind != tt.kind || failure.Message != "message" || !errors.Is(err, tt.err) {
			t.Errorf("%v: failed as %v", tt.err, err)
		}
	}
}

// TestFailKeepsContext: an error of the context is for the registry to word.
func TestFailKeepsContext(t *testing.T) {
	for _, err := range []error{context.Canceled, context.DeadlineExceeded, fmt.Errorf("x: %w", context.Canceled)} {
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
	if longest := Excerpt(strings.Repeat("\x00", 1000)); len(longest) != 60*len(`\u0000`)+len("...") || !utf8.ValidString(longest) {
		t.Errorf("got %d bytes", len(longest))
	}
}

// TestPage: a budget of nothing has no room for any answer; the smaller limit of two is the limit.
func TestPage(t *testing.T) {
	limits := func(output, available int) tool.Budget {
		return tool.Budget{MaxOutputBytes: &output, AvailableBytes: &available}
	}
	for _, tt := range []struct {
		budget tool.Budget
		cut    string
		small  string
	}{
		{tool.Budget{}, "", ""},
		{limits(10, 9), "[gander: output limit of 9 bytes reached; go on]", ""},
		{limits(9, 10), "[gander: output limit of 9 bytes reached; go on]", ""},
		{limits(0, 10), "[gander: output limit of 0 bytes reached; go on]", "the output limit of 0 bytes is too small for any answer; raise it"},
		{limits(10, -5), "[gander: output limit of 0 bytes reached; go on]", "the output limit of 0 bytes is too small for any answer; raise it"},
	} {
		page, err := NewPage(tt.budget)
		if (err == nil) != (tt.small == "") || err != nil && (err.Error() != tt.small || page != nil) {
			t.Errorf("%+v: got %v, %v", tt.budget, page, err)
		}
		if tt.cut == "" {
			page.Head("head")
			if content, ok := page.Finish(nil); content != "head" || !ok {
				t.Errorf("without a limit: %q, %v", content, ok)
			}
		} else if got := CutNotice(tt.budget, "go on"); got != tt.cut {
			t.Errorf("got %s, want %s", got, tt.cut)
		}
	}
	var failure *tool.Error
	if err := TooSmall(limits(5, 5)); !errors.As(err, &failure) || failure.Kind != tool.Failed {
		t.Errorf("got %v", err)
	}
}
