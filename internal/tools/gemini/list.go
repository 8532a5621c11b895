package gemini

import (
	"cmp"
	"context"
	"fmt"

	"gander/internal/files/names"
	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/tools/shared"
	"gander/tool"
)

// A listing is the visible content of a directory.
type listing struct {
	entries *names.Collated
	memory  *names.Memory // of entries
	shown   int           // number of visible entries
	ignored int
	empty   bool // the directory has no entries
}

// list reads a directory.
func (t *ListDirectory) list(
	ctx context.Context, dir *workspace.Dir, r request, b tool.Budget,
) (*listing, error) {
	f, err := t.filter(ctx, dir, r)
	if err != nil {
		return nil, err
	}
	limit, _ := b.Limit()
	l := &listing{memory: names.NewMemory(ctx)}
	read := func(add func([]byte, workspace.EntryKind) bool) error { return l.read(ctx, f, add) }
	l.entries, err = names.Collate(ctx, names.DirectoriesFirst, limit, l.memory, read)
	if err != nil {
		l.memory.Release()
	}
	return l, err
}

// read passes the visible entries to add, and counts the entries.
func (l *listing) read(
	ctx context.Context, f *filter, add func(name []byte, kind workspace.EntryKind) bool,
) error {
	l.shown, l.ignored, l.empty = 0, 0, true
	err := f.dir.Names(ctx, func(name []byte, kind workspace.EntryKind) bool {
		l.empty = false
		shown, ignored, as := f.shows(name, kind)
		switch {
		case shown:
			l.shown++
			return add(name, as)
		case ignored:
			l.ignored++
		}
		return ctx.Err() == nil // matching rules and globs can be slow
	})
	return cmp.Or(err, ctx.Err())
}

// write writes the result.
func (t *ListDirectory) write(l *listing, path string, b tool.Budget) (tool.Result, error) {
	defer l.memory.Release()
	page, err := shared.NewPage(b)
	if err != nil {
		return tool.Result{}, err
	}
	display := fmt.Sprintf("Listed %d item(s).", l.shown)
	if l.empty {
		page.Line("Directory " + path + " is empty.")
		display = "Directory is empty."
	} else {
		page.Line("Directory listing for " + path + ":")
	}
	if err := t.items(l, page); err != nil {
		return tool.Result{}, err
	}
	if l.shown == 0 && !l.empty {
		page.Line("")
	}
	if l.ignored > 0 {
		count := fmt.Sprintf("(%d ignored)", l.ignored)
		page.Line("")
		page.Line(count)
		display += " " + count
	}
	result, err := page.Finish(func(kept int) string {
		const hint = "%d of %d entries shown; leave some out with ignore, or list a subdirectory"
		return fmt.Sprintf(hint, kept, l.shown)
	})
	if err != nil {
		return tool.Result{}, err
	}
	result.Display = display
	return result, nil
}

// items adds the lines of the entries.
func (t *ListDirectory) items(l *listing, page *shared.Page) error {
	page.Expect(l.entries.NameBytes())
	return l.entries.Each(func(e names.Item) bool {
		var mark []byte
		if e.Kind == workspace.Directory {
			mark = []byte("[DIR] ")
		}
		name := e.Name
		if !t.settings.VerbatimNames {
			name = text.EscapeBytes(name)
		}
		return page.Add(mark, name)
	})
}
