package filesystem

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"gander/internal/files/names"
	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/tools/shared"
	"gander/tool"
)

// A sized is an entry of a directory with its size.
type sized struct {
	name []byte
	kind workspace.EntryKind
	size int64
}

// A sizeList is a result of list_directory_with_sizes.
type sizeList struct {
	tool   *Tool
	page   *shared.Page
	limit  int // in bytes; 0 means no limit
	ranked bool
	line   []byte

	// Totals of all entries.
	files, directories int
	bytes              int64
}

// listWithSizes runs list_directory_with_sizes (section 6).
func (t *Tool) listWithSizes(ctx context.Context, c tool.Call) (tool.Result, error) {
	a := t.arguments(c.Args)
	path := a.Required("path").String("")
	sortBy := a.Optional("sortBy").Choice("name", "size")
	if err := a.Err(); err != nil {
		return tool.Result{}, err
	}
	page, err := shared.NewPage(c.Budget)
	if err != nil {
		return tool.Result{}, err
	}
	dir, at, err := t.openDir(ctx, path)
	if err != nil {
		return tool.Result{}, err
	}
	defer dir.Close()
	l := &sizeList{tool: t, page: page, ranked: sortBy == "size"}
	l.limit, _ = c.Budget.Limit()
	if l.ranked {
		err = l.bySize(ctx, dir)
	} else {
		err = l.byName(ctx, dir)
	}
	if err != nil {
		return tool.Result{}, newError(err, "scandir", at.path)
	}
	return l.finish()
}

// bySize adds the entries of a directory in descending order of size, then by the bytes of their
// names.
func (l *sizeList) bySize(ctx context.Context, dir *workspace.Dir) error {
	r := ranking{limit: l.limit}
	err := dir.Names(ctx, func(name []byte, kind workspace.EntryKind) bool {
		r.add(l.count(dir, name, kind))
		return true
	})
	if err != nil {
		return err
	}
	for _, e := range r.sorted() {
		if !l.add(e) {
			break
		}
	}
	return nil
}

// byName adds the entries of a directory in the order of en-US, then by the bytes of their names.
// With a limit, it counts all entries first and then determines the sizes of added entries again.
func (l *sizeList) byName(ctx context.Context, dir *workspace.Dir) error {
	memory := names.NewMemory(ctx)
	defer memory.Release()
	counting := l.limit > 0
	read := func(add func([]byte, workspace.EntryKind) bool) error {
		err := dir.Names(ctx, func(name []byte, kind workspace.EntryKind) bool {
			if counting {
				l.count(dir, name, kind)
			}
			return add(name, kind)
		})
		counting = false
		return err
	}
	entries, err := names.Collate(ctx, nil, l.limit, memory, read)
	if err != nil {
		return err
	}
	err = entries.Each(func(e names.Item) bool {
		if l.limit > 0 {
			return l.add(l.sized(dir, e.Name, e.Kind))
		}
		l.add(l.count(dir, e.Name, e.Kind))
		return ctx.Err() == nil
	})
	return cmp.Or(err, ctx.Err())
}

// sized returns an entry with its size, if needed.
func (l *sizeList) sized(dir *workspace.Dir, name []byte, kind workspace.EntryKind) sized {
	e := sized{name: name, kind: kind}
	if kind != workspace.Directory || l.ranked {
		e.size = sizeOf(dir, name, kind)
	}
	return e
}

// count adds an entry to the totals and returns it.
func (l *sizeList) count(dir *workspace.Dir, name []byte, kind workspace.EntryKind) sized {
	e := l.sized(dir, name, kind)
	if kind == workspace.Directory {
		l.directories++
	} else {
		l.files++
		l.bytes += e.size
	}
	return e
}

// sizeOf returns the size of an entry or of a symlink's target, or 0 if it is unknown.
func sizeOf(dir *workspace.Dir, name []byte, kind workspace.EntryKind) int64 {
	if !utf8.Valid(name) {
		return 0 // the original looks for its lossy name
	}
	look := dir.Lstat
	if kind == workspace.Symlink {
		look = dir.Stat
	}
	info, err := look(string(name))
	if err != nil {
		return 0
	}
	return info.Size
}

// add adds the line of an entry. It reports whether the line fits. The name is padded to 30 UTF-16
// units, the size to 10.
func (l *sizeList) add(e sized) bool {
	name := l.tool.shown(e.name)
	width := len(name)
	if !text.ASCII(name) {
		width = len(utf16.Encode([]rune(string(name))))
	}
	l.line = append(append(l.line[:0], mark(e.kind)...), name...)
	l.line = appendBlanks(l.line, max(30-width, 0)+1)
	if e.kind != workspace.Directory {
		size := formatSize(e.size)
		l.line = append(appendBlanks(l.line, 10-len(size)), size...)
	}
	return l.page.Add(l.line)
}

// finish adds the totals and returns the result.
func (l *sizeList) finish() (tool.Result, error) {
	l.page.Last(fmt.Sprintf("\nTotal: %d files, %d directories\nCombined size: %s",
		l.files, l.directories, formatSize(l.bytes)))
	return l.page.Finish(func(shown int) string {
		return fmt.Sprintf("%d of %d entries shown", shown, l.files+l.directories)
	})
}

// formatSize formats a size with two decimals in the largest unit that it reaches.
func formatSize(size int64) string {
	if size < 1024 {
		return strconv.FormatInt(max(size, 0), 10) + " B"
	}
	unit, name := int64(1024), "KB"
	for _, larger := range []string{"MB", "GB", "TB"} {
		if size/1024 < unit {
			break
		}
		unit, name = unit*1024, larger
	}
	hundredths := (size%unit*100 + unit/2) / unit
	return fmt.Sprintf("%d.%02d %s", size/unit+hundredths/100, hundredths%100, name)
}

// A ranking holds the largest entries: as many as fit in limit bytes, or all if limit is 0.
type ranking struct {
	limit   int
	entries []sized
	last    *sized // smallest entry held after others were dropped
}

// minLine is the minimum size of a line.
const minLine = len("[DIR] ") + 31 + len("\n")

// add adds an entry. It does not retain the name.
func (r *ranking) add(e sized) {
	if r.last != nil && compareSizes(e, *r.last) > 0 {
		return
	}
	e.name = bytes.Clone(e.name)
	r.entries = append(r.entries, e)
	if most := r.limit/minLine + 1; r.limit > 0 && len(r.entries) >= 2*most+64 {
		r.entries = r.sorted()[:most]
		r.last = new(r.entries[most-1])
	}
}

func (r *ranking) sorted() []sized {
	slices.SortFunc(r.entries, compareSizes)
	return r.entries
}

func compareSizes(a, b sized) int {
	return cmp.Or(cmp.Compare(b.size, a.size), bytes.Compare(a.name, b.name))
}
