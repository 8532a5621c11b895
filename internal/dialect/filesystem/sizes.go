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

	"gander/internal/dialect"
	"gander/internal/engine/text"
	"gander/internal/engine/workspace"
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

// totals are what the last lines of the answer tell of all entries.
type totals struct {
	files, directories int
	bytes              int64
}

// listSizes lists a directory with sizes. It reports whether the answer contains the entry called wanted.
func (t *Tool) listSizes(ctx context.Context, path string, bySize bool, b tool.Budget, wanted string) (tool.Result, bool, error) {
	limit, limited := b.Limit()
	if limited && limit == 0 {
		return tool.Result{}, false, dialect.TooSmall(b)
	}
	dir, at, err := t.openDir(ctx, path)
	if err != nil {
		return tool.Result{}, false, err
	}
	defer dir.Close()
	r := newRanking(bySize, limit)
	var sum totals
	err = dir.Names(ctx, func(name []byte, kind workspace.EntryKind) bool {
		size := sizeOf(dir, name, kind)
		if kind == workspace.Directory {
			sum.directories++
		} else {
			sum.files++
			sum.bytes += size
		}
		r.add(name, size, kind == workspace.Directory)
		return true
	})
	if err != nil {
		return tool.Result{}, false, newError(err, "scandir", at.path)
	}
	return t.renderSizes(r, sum, b, wanted)
}

// sizeOf returns the size of what an entry leads to, or 0 where it cannot be looked at.
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

// renderSizes writes the answer. Entries are left out from the end if it is too long; the totals stay.
func (t *Tool) renderSizes(r *ranking, sum totals, b tool.Budget, wanted string) (tool.Result, bool, error) {
	entries := r.sorted()
	tail := fmt.Sprintf("\nTotal: %d files, %d directories\nCombined size: %s", sum.files, sum.directories, formatSize(sum.bytes))
	limit, limited := b.Limit()
	var out strings.Builder
	var line []byte
	var ends []int // of the lines, if the size is limited
	position := 0
	for i, e := range entries {
		if limited && out.Len() > limit {
			break
		}
		if wanted != "" && string(e.name) == wanted {
			position = i + 1
		}
		line = append(t.appendSizeLine(line[:0], e), '\n')
		out.Grow(len(line)) // at least doubles the builder when it is full, in contrast to Write
		out.Write(line)
		if limited {
			ends = append(ends, out.Len())
		}
	}
	count := sum.files + sum.directories
	if !limited || len(ends) == count && out.Len()+len(tail) <= limit {
		out.WriteString(tail)
		return tool.Result{Parts: tool.Text(out.String())}, position > 0, nil
	}
	for shown := len(ends); shown > 0; shown-- {
		notice := fmt.Sprintf("\n[gander: output limit of %d bytes reached; %d of %d entries shown]", limit, shown, count)
		if size := ends[shown-1] + len(tail) + len(notice); size <= limit {
			content := out.String()[:ends[shown-1]] + tail + notice
			return tool.Result{Parts: tool.Text(content), Truncated: true}, 0 < position && position <= shown, nil
		}
	}
	return tool.Result{}, false, dialect.TooSmall(b)
}

// appendSizeLine appends the line of an entry. The name is padded to 30 UTF-16 units, the size to 10.
func (t *Tool) appendSizeLine(line []byte, e ranked) []byte {
	kind := workspace.Regular
	if e.directory {
		kind = workspace.Directory
	}
	name := t.shown(e.name)
	width := len(name)
	if !text.ASCII(name) {
		width = len(utf16.Encode([]rune(string(name))))
	}
	line = append(append(line, mark(kind)...), name...)
	line = appendBlanks(line, max(30-width, 0)+1)
	if e.directory {
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

// A ranked entry is an entry of a directory with what it is ordered by.
type ranked struct {
	name      []byte
	key       []byte   // of the collator; nil if entries are ordered by size
	prefix    [16]byte // of the key: most pairs differ there, and it is next to that of the next entry in memory
	size      int64
	directory bool
	ascii     bool
}

// A ranking keeps the first entries of a directory in the order of the answer: by size, the largest first, or as en-US collates
// the names; then by the bytes of the names. It keeps no more than an answer of limit bytes can show, and all if that is 0.
type ranking struct {
	bySize   bool
	limit    int
	bytes    int // least size of the lines of the entries kept
	entries  []ranked
	last     *ranked // of those kept when others were dropped; what comes after it is not kept
	collator *text.Collator
	scratch  []byte
}

func newRanking(bySize bool, limit int) *ranking {
	r := &ranking{bySize: bySize, limit: limit}
	if !bySize {
		r.collator = text.NewCollator()
	}
	return r
}

// leastLine is the size of the shortest line.
const leastLine = len("[DIR] ") + 31 + len("\n")

// add adds an entry. It does not retain name.
func (r *ranking) add(name []byte, size int64, directory bool) {
	e := ranked{name: name, size: size, directory: directory, ascii: text.ASCII(name)}
	if r.collator != nil {
		r.scratch = r.collator.AppendKey(r.scratch[:0], text.LossyKey(nil, name))
		e.key = r.scratch
		copy(e.prefix[:], e.key)
	}
	if r.last != nil && r.compare(e, *r.last) > 0 {
		return
	}
	kept := slices.Concat(name, e.key)
	e.name, e.key = kept[:len(name):len(name)], kept[len(name):]
	r.entries = append(r.entries, e)
	if r.bytes += leastLine; r.limit > 0 && r.bytes > 2*r.limit+64*leastLine {
		r.sorted()
		r.entries = r.entries[:r.limit/leastLine+1]
		r.bytes = len(r.entries) * leastLine
		r.last = new(r.entries[len(r.entries)-1])
	}
}

func (r *ranking) sorted() []ranked {
	slices.SortFunc(r.entries, r.compare)
	return r.entries
}

func (r *ranking) compare(a, b ranked) int {
	order := 0
	switch {
	case r.bySize:
		order = cmp.Compare(b.size, a.size)
	case a.ascii == b.ascii: // the keys compare
		if order = bytes.Compare(a.prefix[:], b.prefix[:]); order == 0 {
			order = bytes.Compare(a.key, b.key)
		}
	default:
		order = r.collator.Compare(text.LossyKey(nil, a.name), text.LossyKey(nil, b.name))
	}
	return cmp.Or(order, bytes.Compare(a.name, b.name))
}

// sizesListing describes list_directory_with_sizes.
func (t *Tool) sizesListing(path string) (dialect.Listing, error) {
	l, err := t.plainListing(path)
	l.Contains = func(ctx context.Context, rel string, b tool.Budget) (bool, error) {
		_, contains, err := t.listSizes(ctx, path, false, b, rel)
		return contains, err
	}
	return l, err
}
