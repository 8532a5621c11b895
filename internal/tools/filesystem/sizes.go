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

	"gander/internal/files/names"
	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/tools/shared"
	"gander/tool"
)

// listWithSizes answers list_directory_with_sizes (section 6).
func (t *Tool) listWithSizes(ctx context.Context, c tool.Call) (tool.Result, error) {
	a, err := t.arguments(c.Args)
	if err != nil {
		return tool.Result{}, err
	}
	path, sortBy := a.string("path"), a.sortBy()
	if err := a.err(); err != nil {
		return tool.Result{}, err
	}
	result, _, err := t.listSizes(ctx, path, sortBy == "size", c.Budget, "")
	return result, err
}

// A sizeList is an answer of list_directory_with_sizes while entries are added to it.
type sizeList struct {
	tool     *Tool
	limit    int
	limited  bool
	out      strings.Builder
	line     []byte
	ends     []int  // of the lines, if the size is limited
	wanted   string // name of an entry to look for; "" for none
	position int    // its position among the entries, from 1; 0 if it is not there
	added    int

	// The last lines of the answer tell this of all entries.
	files, directories int
	bytes              int64
}

// listSizes lists a directory with sizes. It reports whether the answer contains the entry called wanted.
func (t *Tool) listSizes(ctx context.Context, path string, bySize bool, b tool.Budget, wanted string) (tool.Result, bool, error) {
	l := &sizeList{tool: t, wanted: wanted}
	l.limit, l.limited = b.Limit()
	if l.limited && l.limit == 0 {
		return tool.Result{}, false, shared.TooSmall(b)
	}
	dir, at, err := t.openDir(ctx, path)
	if err != nil {
		return tool.Result{}, false, err
	}
	defer dir.Close()
	if bySize {
		err = l.bySize(ctx, dir)
	} else {
		err = l.byName(ctx, dir)
	}
	if err != nil {
		return tool.Result{}, false, newError(err, "scandir", at.path)
	}
	return l.finish(b)
}

// bySize adds the entries of a directory by size, the largest first, then by the bytes of their names.
func (l *sizeList) bySize(ctx context.Context, dir *workspace.Dir) error {
	r := ranking{limit: l.limit}
	s := newSizer(dir, func(e sized) {
		l.count(e)
		r.add(e)
	})
	defer s.close()
	err := dir.Names(ctx, func(name []byte, kind workspace.EntryKind) bool {
		s.add(name, kind)
		return true
	})
	if err != nil {
		return err
	}
	s.finish()
	for _, e := range r.sorted() {
		if !l.add(e) {
			break
		}
	}
	return nil
}

// byName adds the entries of a directory as en-US collates their names, then by the bytes of their names. If the size of the answer
// is limited, it counts all entries and then looks again at those that it adds.
func (l *sizeList) byName(ctx context.Context, dir *workspace.Dir) error {
	memory := names.NewMemory(ctx)
	defer memory.Release()
	s := newSizer(dir, func(e sized) {
		l.count(e)
		if !l.limited {
			l.add(e)
		}
	})
	defer s.close()
	counting := l.limited
	entries, err := names.Collate(ctx, nil, l.limit, memory, func(add func([]byte, workspace.EntryKind) bool) error {
		err := dir.Names(ctx, func(name []byte, kind workspace.EntryKind) bool {
			if counting {
				s.add(name, kind)
			}
			return add(name, kind)
		})
		counting = false
		return err
	})
	if err != nil {
		return err
	}
	if l.limited {
		s.finish()
		return entries.Each(func(e names.Item) bool {
			return l.add(sized{name: e.Name, kind: e.Kind, size: sizeOf(dir, e.Name, e.Kind)})
		})
	}
	err = entries.Each(func(e names.Item) bool {
		s.add(e.Name, e.Kind)
		return true
	})
	if err == nil {
		s.finish()
	}
	return err
}

// count counts an entry for the last lines.
func (l *sizeList) count(e sized) {
	if e.kind == workspace.Directory {
		l.directories++
	} else {
		l.files++
		l.bytes += e.size
	}
}

// add adds the line of an entry, and reports whether there is room for more.
func (l *sizeList) add(e sized) bool {
	if l.added++; l.wanted != "" && string(e.name) == l.wanted {
		l.position = l.added
	}
	l.line = append(l.tool.appendSizeLine(l.line[:0], e), '\n')
	l.out.Grow(len(l.line)) // at least doubles the builder when it is full, in contrast to Write
	l.out.Write(l.line)
	if l.limited {
		l.ends = append(l.ends, l.out.Len())
	}
	return !l.limited || l.out.Len() <= l.limit
}

// finish returns the answer. Entries are left out from the end if it is too long; the totals stay.
func (l *sizeList) finish(b tool.Budget) (tool.Result, bool, error) {
	tail := fmt.Sprintf("\nTotal: %d files, %d directories\nCombined size: %s", l.files, l.directories, formatSize(l.bytes))
	count := l.files + l.directories
	if !l.limited || len(l.ends) == count && l.out.Len()+len(tail) <= l.limit {
		l.out.WriteString(tail)
		return tool.Result{Parts: tool.Text(l.out.String())}, l.position > 0, nil
	}
	for shown := len(l.ends); shown > 0; shown-- {
		notice := fmt.Sprintf("\n[gander: output limit of %d bytes reached; %d of %d entries shown]", l.limit, shown, count)
		if size := l.ends[shown-1] + len(tail) + len(notice); size <= l.limit {
			content := l.out.String()[:l.ends[shown-1]] + tail + notice
			return tool.Result{Parts: tool.Text(content), Truncated: true}, 0 < l.position && l.position <= shown, nil
		}
	}
	return tool.Result{}, false, shared.TooSmall(b)
}

// appendSizeLine appends the line of an entry. The name is padded to 30 UTF-16 units, the size to 10.
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

// A ranking keeps the largest entries, in the order of the answer. It keeps no more than an answer of limit bytes can show, and
// all if that is 0.
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

// sizesListing describes list_directory_with_sizes.
func (t *Tool) sizesListing(path string) (shared.Listing, error) {
	l, err := t.plainListing(path)
	l.Contains = func(ctx context.Context, rel string, b tool.Budget) (bool, error) {
		_, contains, err := t.listSizes(ctx, path, false, b, rel)
		return contains, err
	}
	return l, err
}
