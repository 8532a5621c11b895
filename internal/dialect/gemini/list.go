package gemini

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"unicode/utf16"
	"unicode/utf8"

	"gander/internal/dialect"
	"gander/internal/engine/text"
	"gander/internal/engine/workspace"
	"gander/tool"
)

// A listing is one directory as the answer tells of it.
type listing struct {
	shelf   *shelf
	shown   int // how many entries there are to show, those that no answer can hold included
	ignored int
	empty   bool // the directory has no entries at all

	sought []byte // the name of an entry to look out for; nil for none
	found  int    // which of the lines it is, from 1; 0 where it is not met
	kept   int    // entries in the answer once it is rendered
}

// list reads a directory.
func (t *ListDirectory) list(ctx context.Context, dir *workspace.Dir, r request, b tool.Budget) (*listing, error) {
	j, err := t.judge(ctx, dir, r)
	if err != nil {
		return nil, err
	}
	limit, _ := b.Limit()
	l := &listing{}
	l.shelf, err = newShelf(ctx, limit, func(add func([]byte, workspace.EntryKind) bool) error { return l.read(ctx, j, add) })
	return l, err
}

// read shows add the entries that are to be shown, and counts all.
func (l *listing) read(ctx context.Context, j *judge, add func(name []byte, shown workspace.EntryKind) bool) error {
	l.shown, l.ignored, l.empty = 0, 0, true
	err := j.dir.Names(ctx, func(name []byte, kind workspace.EntryKind) bool {
		l.empty = false
		cause, shown := j.judge(name, kind)
		switch cause {
		case "":
			l.shown++
			return add(name, shown)
		case tool.CauseIgnored:
			l.ignored++
		}
		return ctx.Err() == nil // rules and globs can be slow
	})
	if err == nil {
		err = ctx.Err()
	}
	return err
}

// A judge decides on the entries of one directory.
type judge struct {
	request
	dir     *workspace.Dir
	ignorer *ignorer
	opaque  bool // nothing can be said about the entries: the directory cannot be searched
}

func (t *ListDirectory) judge(ctx context.Context, dir *workspace.Dir, r request) (*judge, error) {
	ignorer, err := t.ignorer(ctx, dir, r)
	if err != nil {
		return nil, err
	}
	_, err = dir.Lstat(".")
	opaque := errors.Is(err, fs.ErrPermission)
	if err != nil && !opaque {
		return nil, err
	}
	return &judge{request: r, dir: dir, ignorer: ignorer, opaque: opaque}, nil
}

// judge returns the cause for which an entry is left out: ignore files, then the globs, then what the entry leads to. For
// one that is shown the cause is "", and shown is the kind to show it as: a symlink is what it leads to. One that leads
// outside, or where a deny pattern forbids to go, is a plain name.
func (j *judge) judge(name []byte, kind workspace.EntryKind) (cause string, shown workspace.EntryKind) {
	// The original inspects an entry by its lossy name, and leaves out what it cannot inspect.
	switch {
	case j.ignorer.ignores(name, kind):
		return tool.CauseIgnored, kind
	case j.excludes(name):
		return tool.CauseExcluded, kind
	case j.opaque:
		return tool.CauseUnreadable, kind
	case !text.ASCII(name) && !utf8.Valid(name): // the first is faster, and most are
		return tool.CauseName, kind
	case kind != workspace.Symlink && kind != workspace.Unknown:
		return "", kind
	}
	info, err := j.dir.Stat(string(name))
	if err != nil && !errors.Is(err, workspace.ErrOutside) && !errors.Is(err, workspace.ErrDenied) {
		return tool.CauseLink, kind
	}
	return "", info.Kind
}

// excludes reports whether one of the globs leaves the entry out.
func (r request) excludes(name []byte) bool {
	if len(r.globs) == 0 {
		return false
	}
	units := utf16.Encode([]rune(string(name)))
	for _, g := range r.globs {
		if g.match(units) {
			return true
		}
	}
	return false
}

// render writes the answer.
func (t *ListDirectory) render(l *listing, path string, b tool.Budget) (tool.Result, error) {
	page, err := dialect.NewPage(b)
	if err != nil {
		return tool.Result{}, err
	}
	display := fmt.Sprintf("Listed %d item(s).", l.shown)
	if l.empty {
		page.Head("Directory " + path + " is empty.")
		display = "Directory is empty."
	} else {
		page.Head("Directory listing for " + path + ":")
	}
	if err := t.items(l, page); err != nil {
		return tool.Result{}, err
	}
	if l.shown == 0 && !l.empty {
		page.Tail("")
	}
	if l.ignored > 0 {
		count := fmt.Sprintf("(%d ignored)", l.ignored)
		page.Tail("")
		page.Tail(count)
		display += " " + count
	}
	l.kept = l.shown
	result, err := dialect.FinishPage(page, b, func(kept int) string {
		l.kept = kept
		return fmt.Sprintf("%d of %d entries shown; leave some out with ignore, or list a subdirectory", kept, l.shown)
	})
	if err != nil {
		return tool.Result{}, err
	}
	result.Display = display
	return result, nil
}

// items adds a line for every entry.
func (t *ListDirectory) items(l *listing, page *text.Page) error {
	directory := []byte("[DIR] ")
	page.Expect(l.shelf.size())
	count := 0
	return l.shelf.each(func(name []byte, isDirectory bool) bool {
		if count++; l.sought != nil && bytes.Equal(name, l.sought) {
			l.found = count
		}
		var mark []byte
		if isDirectory {
			mark = directory
		}
		if !t.settings.VerbatimNames {
			name = text.EscapeBytes(name)
		}
		return page.Add(mark, name)
	})
}
