package gemini

import (
	"context"
	"fmt"

	"gander/internal/files/names"
	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/tools/shared"
	"gander/tool"
)

// A listing is the content of one directory as the answer shows it.
type listing struct {
	entries *names.Collated
	memory  *names.Memory // released when all entries are taken
	shown   int           // entries to show, whether or not the answer has room for them
	ignored int
	empty   bool // the directory has no entries at all
}

// list reads a directory.
func (t *ListDirectory) list(ctx context.Context, dir *workspace.Dir, r request, b tool.Budget) (*listing, error) {
	f, err := t.filter(ctx, dir, r)
	if err != nil {
		return nil, err
	}
	limit, _ := b.Limit()
	l := &listing{memory: names.NewMemory(ctx)}
	l.entries, err = names.Collate(ctx, names.DirectoriesFirst, limit, l.memory, func(add func([]byte, workspace.EntryKind) bool) error { return l.read(ctx, f, add) })
	if err != nil {
		l.memory.Release()
	}
	return l, err
}

// read passes the entries to show to add, and counts all.
func (l *listing) read(ctx context.Context, f *filter, add func(name []byte, kind workspace.EntryKind) bool) error {
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
	if err == nil {
		err = ctx.Err()
	}
	return err
}

// render writes the answer.
func (t *ListDirectory) render(l *listing, path string, b tool.Budget) (tool.Result, error) {
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
		return fmt.Sprintf("%d of %d entries shown; leave some out with ignore, or list a subdirectory", kept, l.shown)
	})
	if err != nil {
		return tool.Result{}, err
	}
	result.Display = display
	return result, nil
}

// items adds a line for every entry.
func (t *ListDirectory) items(l *listing, page *shared.Page) error {
	directory := []byte("[DIR] ")
	page.Expect(l.entries.NameBytes())
	return l.entries.Each(func(e names.Item) bool {
		var mark []byte
		if e.Kind == workspace.Directory {
			mark = directory
		}
		name := e.Name
		if !t.settings.VerbatimNames {
			name = text.EscapeBytes(name)
		}
		return page.Add(mark, name)
	})
}
