package gemini

import (
	"context"
	"errors"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"

	"gander/internal/dialect"
	"gander/internal/text"
	"gander/internal/workspace"
	"gander/tool"
)

// A listing is one directory as the answer tells of it.
type listing struct {
	shelf   *shelf
	shown   int // how many entries there are to show, those that no answer can hold included
	ignored int
	empty   bool // the directory has no entries at all
}

// list reads a directory: ignore files, then the globs, then what the entry leads to.
func (t *ListDirectory) list(ctx context.Context, dir *workspace.Dir, r request, b tool.Budget) (*listing, error) {
	limit, _ := b.Limit()
	l := &listing{empty: true, shelf: newShelf(ctx, limit)}
	ignorer := t.ignorer(ctx, dir, r)
	_, err := dir.Lstat(".")
	opaque := err != nil
	err = dir.Names(ctx, func(name []byte, kind workspace.Kind) bool {
		l.empty = false
		switch {
		case ignorer.ignores(name, kind):
			l.ignored++
			return ctx.Err() == nil // rules can be slow
		case r.excludes(name) || opaque || !utf8.Valid(name):
			// The original inspects an entry by its lossy name, and leaves out what it cannot inspect.
			return true
		default:
			return l.add(dir, name, kind)
		}
	})
	if err == nil {
		err = ctx.Err()
	}
	return l, err
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

// add adds an entry. A symlink is what it leads to. One that leads outside, or where a deny pattern forbids to go, is a
// plain name; one that cannot be followed to its end is left out.
func (l *listing) add(dir *workspace.Dir, name []byte, kind workspace.Kind) bool {
	if kind == workspace.Symlink || kind == workspace.Unknown {
		info, err := dir.Stat(string(name))
		if err != nil && !errors.Is(err, workspace.ErrOutside) && !errors.Is(err, workspace.ErrDenied) {
			return true
		}
		kind = info.Kind
	}
	l.shown++
	return l.shelf.add(name, kind)
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
	cut := false
	content, ok := page.Finish(func(kept int) string {
		cut = true
		return dialect.Cut(b, fmt.Sprintf("%d of %d entries shown; leave some out with ignore, or list a subdirectory", kept, l.shown))
	})
	if !ok {
		return tool.Result{}, dialect.TooSmall(b)
	}
	return tool.Result{Content: content, Display: display, Truncated: cut}, nil
}

// items adds a line for every entry.
func (t *ListDirectory) items(l *listing, page *text.Page) error {
	var line []byte
	return l.shelf.each(func(name []byte, directory bool) bool {
		line = line[:0]
		if directory {
			line = append(line, "[DIR] "...)
		}
		start := len(line)
		if line = append(line, name...); !t.settings.VerbatimNames {
			line = text.EscapeTail(line, start)
		}
		return page.Add(line)
	})
}
