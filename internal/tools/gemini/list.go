package gemini

import (
	"cmp"
	"context"
	"fmt"

	"gander/internal/files/ignore"
	"gander/internal/files/names"
	"gander/internal/files/pattern"
	"gander/internal/files/workspace"
	"gander/internal/tools/shared"
	"gander/tool"
)

// A contents is the visible content of a directory.
type contents struct {
	tool       *ListDirectory
	ctx        context.Context
	dir        *workspace.Dir
	rules      *ignore.Chain // or nil
	globs      []*pattern.Pattern
	searchable bool // entries can be inspected

	shown   int // number of visible entries
	ignored int // number of entries that ignore files hide
	empty   bool
}

// read passes the visible entries to add, and counts the entries.
func (l *contents) read(add func(name []byte, kind workspace.EntryKind) bool) error {
	l.shown, l.ignored, l.empty = 0, 0, true
	err := l.dir.Names(l.ctx, func(name []byte, kind workspace.EntryKind) bool {
		l.empty = false
		if shown, as := l.shows(name, kind); shown {
			l.shown++
			return add(name, as)
		}
		return l.ctx.Err() == nil // matching rules and globs can be slow
	})
	return cmp.Or(err, l.ctx.Err())
}

// write returns the result.
func (l *contents) write(
	entries *names.Sorted, path string, b tool.Budget,
) (tool.Result, error) {
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
	page.Expect(entries.NameBytes())
	err = entries.Each(func(e names.Item) bool {
		var mark []byte
		if e.Kind == workspace.Directory {
			mark = []byte("[DIR] ")
		}
		return page.Add(mark, shared.Printable(e.Name, l.tool.settings.VerbatimNames))
	})
	if err != nil {
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
	if err == nil {
		result.Display = display
	}
	return result, err
}
