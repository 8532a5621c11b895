package fsys_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"gander/internal/files/fsys"
	"gander/internal/files/workspace"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
)

// openFS returns an FS for a new directory with entries. Its context is ctx.
func openFS(t *testing.T, ctx context.Context, entries ...string) fs.FS {
	t.Helper()
	w, err := workspace.Open(workspace.Options{}, fixture.Make(t, entries...))
	testkit.Must(t, err)
	t.Cleanup(func() { _ = w.Close() })
	at, err := w.Find(ctx, ".")
	testkit.Must(t, err)
	return fsys.New(at, fs.ErrPermission)
}

// TestDescriptionIsNoEntry checks that a description is not taken for an entry of a directory,
// which it cannot inspect, nor an entry for a description, which it does not have yet.
func TestDescriptionIsNoEntry(t *testing.T) {
	files := openFS(t, t.Context(), "a")
	info, err := fs.Stat(files, "a")
	testkit.Must(t, err)
	if entry, ok := info.(fs.DirEntry); ok {
		t.Errorf("a description is a %T", entry)
	}
	entries, err := fs.ReadDir(files, ".")
	testkit.Must(t, err)
	if info, ok := entries[0].(fs.FileInfo); ok {
		t.Errorf("an entry says that its size is %d", info.Size())
	}
	described, err := fs.FileInfoToDirEntry(info).Info()
	if err != nil || described.Size() != 1 {
		t.Errorf("an entry of a description: %v, %v", described, err)
	}
}

// A countedContext is done after a number of calls of Err.
type countedContext struct {
	context.Context
	left int
}

func (c *countedContext) Err() error {
	if c.left == 0 {
		return context.Canceled
	}
	c.left--
	return nil
}

// TestInterruptedReadDir checks that ReadDir of an open directory returns the entries before an
// error, unless it was asked for a number of them.
func TestInterruptedReadDir(t *testing.T) {
	var names []string
	for i := range 1000 { // more than one read of the system
		names = append(names, fmt.Sprintf("%d%s", i, strings.Repeat("x", 200)))
	}
	ctx := &countedContext{Context: t.Context()}
	files := openFS(t, ctx, names...)
	d, err := files.Open(".")
	testkit.Must(t, err)
	for n, hasEntries := range map[int]bool{-1: true, 1: false} {
		ctx.left = 1
		entries, err := d.(fs.ReadDirFile).ReadDir(n)
		if !errors.Is(err, context.Canceled) || len(entries) > 0 != hasEntries {
			t.Errorf("ReadDir(%d): %d entries, %v", n, len(entries), err)
		}
	}
	ctx.left = 1 << 10
	entries, err := d.(fs.ReadDirFile).ReadDir(-1)
	if err != nil || len(entries) != len(names) {
		t.Errorf("after an error: %d entries, %v", len(entries), err)
	}
}
