package filesystem

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"gander/internal/files/names"
	"gander/internal/files/text"
	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/tools/page"
	"gander/tool"
)

func (t *fileTool) listAllowedDirectories(_ context.Context, c tool.Call) (tool.Result, error) {
	a := t.Arguments(c.Args)
	if a.Err() != nil {
		return tool.Result{}, a.Err()
	}
	out := page.New(c.Budget)
	out.Line("Allowed directories:")
	for _, dir := range t.workspace.Spellings() {
		out.Add(t.shown([]byte(dir)))
	}
	return out.Finish(func(n int) string { return shownEntries(n, "raise it") })
}

func (t *fileTool) listDirectory(ctx context.Context, c tool.Call) (tool.Result, error) {
	a := t.Arguments(c.Args)
	path := a.Required("path").String("")
	if a.Err() != nil {
		return tool.Result{}, a.Err()
	}
	dir, at, err := t.openDir(ctx, path)
	if err != nil {
		return tool.Result{}, err
	}
	defer dir.Close()
	out := page.New(c.Budget)
	o := walk.Options{Depth: 1, MaxBytes: page.MaxBytes(c.Budget)}
	for e, err := range walk.Entries(ctx, dir, o) {
		if err != nil {
			return tool.Result{}, newError(err, "scandir", at.path)
		}
		if !out.Add([]byte(mark(e.Kind)), t.shown(e.Name)) {
			break
		}
	}
	return out.Finish(func(n int) string {
		return shownEntries(n, "search_files finds entries by their names")
	})
}

// mark returns the prefix of a name.
func mark(kind workspace.EntryKind) string {
	if kind == workspace.Directory {
		return "[DIR] "
	}
	return "[FILE] "
}

// A sizeList is a result of list_directory_with_sizes.
type sizeList struct {
	*page.Page
	tool   *fileTool
	dir    *workspace.Dir
	bySize bool
	limit  int // the maximum size in bytes; 0 means no limit

	// Totals of all entries.
	files, directories int
	bytes              int64
}

func (t *fileTool) listWithSizes(ctx context.Context, c tool.Call) (tool.Result, error) {
	a := t.Arguments(c.Args)
	path := a.Required("path").String("")
	sortBy := a.Optional("sortBy").Choice("name", "size")
	if a.Err() != nil {
		return tool.Result{}, a.Err()
	}
	dir, at, err := t.openDir(ctx, path)
	if err != nil {
		return tool.Result{}, err
	}
	defer dir.Close()
	l := &sizeList{
		Page:   page.New(c.Budget),
		tool:   t,
		dir:    dir,
		bySize: sortBy == "size",
		limit:  page.MaxBytes(c.Budget),
	}
	if err := l.addEntries(ctx); err != nil {
		return tool.Result{}, newError(err, "scandir", at.path)
	}
	l.Last(fmt.Sprintf("\nTotal: %d files, %d directories\nCombined size: %s",
		l.files, l.directories, formatSize(l.bytes)))
	return l.Finish(func(shown int) string {
		return fmt.Sprintf("%d of %d entries shown", shown, l.files+l.directories)
	})
}

// addEntries adds the entries in the order of en-US or in descending order of size, then by the
// bytes of their names.
func (l *sizeList) addEntries(ctx context.Context) error {
	// Each size takes a system call. Where sizes determine the order, or a limited result does not
	// show all entries, they are counted while the directory is read, otherwise when they are shown.
	countsFirst := l.bySize || l.limit > 0
	var sizeBeingRead int64 // the size of the entry that is added next
	read := func(add func([]byte, workspace.EntryKind) bool) error {
		if !countsFirst {
			return l.dir.Names(ctx, add)
		}
		l.files, l.directories, l.bytes = 0, 0, 0 // a list that is too large is read again
		return l.dir.Names(ctx, func(name []byte, kind workspace.EntryKind) bool {
			sizeBeingRead = l.count(ctx, name, kind)
			return add(name, kind)
		})
	}
	order := names.Collation(nil)
	if l.bySize {
		order.Key = func(dst, _ []byte) []byte {
			return binary.BigEndian.AppendUint64(dst, ^uint64(sizeBeingRead))
		}
	}
	memory := names.NewMemory(ctx)
	defer memory.Release()
	entries, err := memory.Sort(names.Query{Order: order, MaxBytes: l.limit}, read)
	if err != nil {
		return err
	}
	err = entries.Each(func(e names.Item) bool {
		var size int64
		switch {
		case l.bySize:
			size = int64(^binary.BigEndian.Uint64(e.Key))
		case countsFirst:
			size = l.size(ctx, e.Name, e.Kind)
		default:
			size = l.count(ctx, e.Name, e.Kind)
		}
		return l.addEntry(e.Name, e.Kind, size) && ctx.Err() == nil
	})
	return cmp.Or(err, ctx.Err())
}

// count adds an entry to the totals and returns its size.
func (l *sizeList) count(ctx context.Context, name []byte, kind workspace.EntryKind) int64 {
	size := l.size(ctx, name, kind)
	if kind == workspace.Directory {
		l.directories++
	} else {
		l.files++
		l.bytes += size
	}
	return size
}

// size returns the size of an entry, if needed. A symlink has the size of its target. An unknown
// size is 0.
func (l *sizeList) size(ctx context.Context, name []byte, kind workspace.EntryKind) int64 {
	// The original looks for the lossy name.
	if kind == workspace.Directory && !l.bySize || !utf8.Valid(name) {
		return 0
	}
	var info workspace.Info
	if kind == workspace.Symlink {
		info, _ = l.dir.Stat(ctx, string(name))
	} else {
		info, _ = l.dir.Lstat(string(name))
	}
	return info.Size
}

// addEntry adds the line of an entry. It reports whether the line fits. The name is padded to 30
// UTF-16 units, the size to 10.
func (l *sizeList) addEntry(name []byte, kind workspace.EntryKind, size int64) bool {
	name = l.tool.shown(name)
	width := len(name)
	if !text.ASCII(name) {
		width = len(utf16.Encode([]rune(string(name))))
	}
	padding := []byte(strings.Repeat(" ", max(30-width, 0)+1))
	if kind != workspace.Directory {
		padding = fmt.Appendf(padding, "%10s", formatSize(size))
	}
	return l.Add([]byte(mark(kind)), name, padding)
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
