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
	"gander/internal/tools/shared"
	"gander/tool"
)

// A sized entry is an entry of a directory with its size.
type sized struct {
	name []byte
	kind workspace.EntryKind
	size int64
}

// A sizeList is a result of list_directory_with_sizes to which entries are added.
type sizeList struct {
	tool    *Tool
	limit   int
	limited bool
	ranked  bool // entries are sorted by size
	out     strings.Builder
	line    []byte
	ends    []int // of the lines, if the size is limited

	// The last lines of the result have these of all entries.
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
	l := &sizeList{tool: t, ranked: sortBy == "size"}
	if l.limit, l.limited = c.Budget.Limit(); l.limited && l.limit == 0 {
		return tool.Result{}, shared.TooSmall(c.Budget)
	}
	dir, at, err := t.openDir(ctx, path)
	if err != nil {
		return tool.Result{}, err
	}
	defer dir.Close()
	if l.ranked {
		err = l.bySize(ctx, dir)
	} else {
		err = l.byName(ctx, dir)
	}
	if err != nil {
		return tool.Result{}, newError(err, "scandir", at.path)
	}
	return l.finish(c.Budget)
}

// bySize adds the entries of a directory by size, the largest first, then by the bytes of their
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

// byName adds the entries of a directory as en-US collates their names, then by the bytes of their
// names. If the size of the result is limited, it counts all entries and then looks again at those
// that it adds.
func (l *sizeList) byName(ctx context.Context, dir *workspace.Dir) error {
	memory := names.NewMemory(ctx)
	defer memory.Release()
	counting := l.limited
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
		if l.limited {
			return l.add(l.sized(dir, e.Name, e.Kind))
		}
		l.add(l.count(dir, e.Name, e.Kind))
		return ctx.Err() == nil
	})
	return cmp.Or(err, ctx.Err())
}

// sized returns an entry with its size, unless that is not needed.
func (l *sizeList) sized(dir *workspace.Dir, name []byte, kind workspace.EntryKind) sized {
	e := sized{name: name, kind: kind}
	if kind != workspace.Directory || l.ranked {
		e.size = sizeOf(dir, name, kind)
	}
	return e
}

// count counts an entry for the last lines, and returns it.
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

// sizeOf returns the size of what an entry leads to, or 0 if it cannot be determined.
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

// add adds the line of an entry. It reports whether there is room for more.
func (l *sizeList) add(e sized) bool {
	l.line = append(l.tool.appendSizeLine(l.line[:0], e), '\n')
	l.out.Grow(len(l.line)) // at least doubles a full builder, unlike Write
	l.out.Write(l.line)
	if l.limited {
		l.ends = append(l.ends, l.out.Len())
	}
	return !l.limited || l.out.Len() <= l.limit
}

// finish returns the result. If it is too long, entries are omitted from the end; the totals stay.
func (l *sizeList) finish(b tool.Budget) (tool.Result, error) {
	tail := fmt.Sprintf("\nTotal: %d files, %d directories\nCombined size: %s",
		l.files, l.directories, formatSize(l.bytes))
	count := l.files + l.directories
	if !l.limited || len(l.ends) == count && l.out.Len()+len(tail) <= l.limit {
		l.out.WriteString(tail)
		return tool.Result{Parts: tool.Text(l.out.String())}, nil
	}
	notice := func(n int) string {
		return fmt.Sprintf("\n[gander: output limit of %d bytes reached; %d of %d entries shown]",
			l.limit, n, count)
	}
	shown := shared.Largest(1, len(l.ends), func(n int) bool {
		return l.ends[n-1]+len(tail)+len(notice(n)) <= l.limit
	})
	if shown < 1 {
		return tool.Result{}, shared.TooSmall(b)
	}
	content := l.out.String()[:l.ends[shown-1]] + tail + notice(shown)
	return tool.Result{Parts: tool.Text(content), Truncated: true}, nil
}

// appendSizeLine appends the line of an entry. The name is padded to 30 UTF-16 units, the size to
// 10.
func (t *Tool) appendSizeLine(line []byte, e sized) []byte {
	name := t.shown(e.name)
	width := len(name)
	if !text.ASCII(name) {
		width = len(utf16.Encode([]rune(string(name))))
	}
	line = append(append(line, mark(e.kind)...), name...)
	line = appendBlanks(line, max(30-width, 0)+1)
	if e.kind == workspace.Directory {
		return line
	}
	size := formatSize(e.size)
	return append(appendBlanks(line, 10-len(size)), size...)
}

func appendBlanks(b []byte, count int) []byte {
	for range count {
		b = append(b, ' ')
	}
	return b
}

// formatSize returns a size with two decimals of the largest unit that it reaches.
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

// A ranking keeps the largest entries, in the order of the answer. It keeps no more than an answer
// of limit bytes can show, and all if that is 0.
type ranking struct {
	limit   int
	entries []sized
	last    *sized // of those kept when others were dropped; what comes after it is not kept
}

// leastLine is the size of the shortest line.
const leastLine = len("[DIR] ") + 31 + len("\n")

// add adds an entry. It does not retain its name.
func (r *ranking) add(e sized) {
	if r.last != nil && compareSizes(e, *r.last) > 0 {
		return
	}
	e.name = bytes.Clone(e.name)
	r.entries = append(r.entries, e)
	if most := r.limit/leastLine + 1; r.limit > 0 && len(r.entries) >= 2*most+64 {
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
