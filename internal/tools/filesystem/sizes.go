package filesystem

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"gander/internal/files/names"
	"gander/internal/files/text"
	"gander/internal/files/workspace"
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
	listing
	tool   *Tool
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
	err := a.Err()
	if err != nil {
		return tool.Result{}, err
	}
	l := &sizeList{tool: t, ranked: sortBy == "size"}
	if l.listing, err = t.list(ctx, path, c.Budget); err != nil {
		return tool.Result{}, err
	}
	defer l.dir.Close()
	if l.ranked {
		err = l.bySize(ctx)
	} else {
		err = l.byName(ctx)
	}
	if err != nil {
		return tool.Result{}, newError(err, "scandir", l.at.path)
	}
	return l.finish()
}

// bySize adds the entries of the directory in descending order of size, then by the bytes of their
// names.
func (l *sizeList) bySize(ctx context.Context) error {
	r := ranking{limit: l.limit}
	err := l.dir.Names(ctx, func(name []byte, kind workspace.EntryKind) bool {
		r.add(l.count(name, kind))
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

// byName adds the entries of the directory in the order of en-US, then by the bytes of their names.
// With a limit, it counts all entries first and then determines the sizes of added entries again.
func (l *sizeList) byName(ctx context.Context) error {
	sized := l.count
	if l.limit > 0 {
		sized = l.sized
		err := l.dir.Names(ctx, func(name []byte, kind workspace.EntryKind) bool {
			l.count(name, kind)
			return true
		})
		if err != nil {
			return err
		}
	}
	memory := names.NewMemory(ctx)
	defer memory.Release()
	read := func(add func([]byte, workspace.EntryKind) bool) error { return l.dir.Names(ctx, add) }
	entries, err := names.Collate(ctx, nil, l.limit, memory, read)
	if err != nil {
		return err
	}
	err = entries.Each(func(e names.Item) bool {
		return l.add(sized(e.Name, e.Kind)) && ctx.Err() == nil
	})
	return cmp.Or(err, ctx.Err())
}

// count adds an entry to the totals and returns it.
func (l *sizeList) count(name []byte, kind workspace.EntryKind) sized {
	e := l.sized(name, kind)
	if kind == workspace.Directory {
		l.directories++
	} else {
		l.files++
		l.bytes += e.size
	}
	return e
}

// sized returns an entry with its size, if needed. A symlink has the size of its target. An unknown
// size is 0.
func (l *sizeList) sized(name []byte, kind workspace.EntryKind) sized {
	e := sized{name: name, kind: kind}
	// The original looks for the lossy name.
	if kind == workspace.Directory && !l.ranked || !utf8.Valid(name) {
		return e
	}
	look := l.dir.Lstat
	if kind == workspace.Symlink {
		look = l.dir.Stat
	}
	if info, err := look(string(name)); err == nil {
		e.size = info.Size
	}
	return e
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
	l.line = append(l.line, strings.Repeat(" ", max(30-width, 0)+1)...)
	if e.kind != workspace.Directory {
		l.line = fmt.Appendf(l.line, "%10s", formatSize(e.size))
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
