package walk

import (
	"bytes"
	"cmp"
	"context"
	"io/fs"
	"math"
	"slices"
	"time"

	"gander/internal/files/names"
	"gander/internal/files/workspace"
)

const (
	// minCollected is the minimum number of entries to collect before they are sorted.
	minCollected = 512
	// maxNewest is the maximum number of entries from one read of the tree.
	maxNewest = 1 << 17

	// recordBytes is the memory of a record without its name, including spare slice capacity.
	recordBytes = 60
	// dirBytes is the memory of a directory without its path.
	dirBytes = 300
)

// A record is a collected entry.
type record struct {
	sec, size int64
	nsec      uint32
	kind      workspace.EntryKind
	dir       *Directory
	name      string
}

// newest collects the most recently modified entries after a bound.
type newest struct {
	ctx     context.Context
	keep    int // number of entries needed
	records []record
	dir     *Directory // of the last record, without names and data
	entered *Directory // original of dir
	size    int        // memory for records and their directories
	memory  *names.Memory
	oldest  *record // oldest record to keep, if others have been dropped

	bound     *record // only entries after the bound are collected, if any
	boundPath []byte

	a, b []byte // paths to compare
}

// newestFirst walks in the order NewestFirst. It keeps at most most entries.
func newestFirst(
	ctx context.Context, start *workspace.Dir, o Options, most int, yield func(Entry, error) bool,
) {
	n := &newest{ctx: ctx, memory: names.NewMemory(ctx)}
	defer n.memory.Release()
	skip, left, stopped := o.Skip, o.Limit, false
	if left == 0 {
		left = math.MaxInt
	}
	o.Order, o.NameOrder, o.CheckSearch, o.CacheKey = PreOrder, names.Order{}, false, ""
	o.Limit, o.Skip = 0, 0
	add := func(e Entry, err error) bool {
		if stopped {
			return false
		}
		if err == nil {
			err = n.add(e)
		}
		if err != nil && (n.bound == nil || e.Dir == nil) && !yield(e, err) || e.Dir == nil {
			stopped = true
		}
		return !stopped
	}
	o.Filter, o.Enter = o.unordered(ctx, add)
	for {
		n.keep = min(most, left)
		Entries(ctx, start, o)(add)
		if stopped {
			return
		}
		n.sort()
		if n.oldest != nil {
			n.records = n.records[:min(n.keep, len(n.records))]
		}
		n.records = n.records[:min(left, len(n.records))]
		left -= len(n.records)
		passed := min(skip, len(n.records))
		skip -= passed
		if !n.yield(n.records[passed:], yield) || n.oldest == nil || left == 0 {
			return
		}
		n.startAfter(n.records[len(n.records)-1])
	}
}

// unordered returns a filter and an Enter function for a walk that yields only directories. The
// Enter function passes all other entries to yield, unsorted, so that their names are not stored.
func (o Options) unordered(ctx context.Context, yield func(Entry, error) bool) (
	filter func(*Directory, []byte, workspace.EntryKind) Decision,
	enter func(*Directory, *workspace.Dir) error,
) {
	decide := o.Filter
	if decide == nil {
		decide = func(*Directory, []byte, workspace.EntryKind) Decision { return Show }
	}
	filter = func(dir *Directory, name []byte, kind workspace.EntryKind) Decision {
		if kind != workspace.Directory {
			return Omit
		}
		return decide(dir, name, kind)
	}
	enter = func(dir *Directory, open *workspace.Dir) error {
		if o.Enter != nil {
			if err := o.Enter(dir, open); err != nil {
				return err
			}
		}
		stopped, leaf := false, true
		err := open.Names(ctx, func(name []byte, kind workspace.EntryKind) bool {
			if kind == workspace.Directory {
				leaf = false
			} else if decide(dir, name, kind) == Show {
				stopped = !yield(Entry{Name: name, Kind: kind, Dir: dir}, nil)
			}
			return !stopped
		})
		if err == nil && (leaf || stopped) {
			err = fs.SkipDir
		}
		return err
	}
	return filter, enter
}

// startAfter resets n to collect the entries after last.
func (n *newest) startAfter(last record) {
	n.bound, n.boundPath = &last, last.appendPath(n.boundPath[:0])
	clear(n.records)
	n.records, n.entered, n.oldest, n.size = n.records[:0], nil, nil, 0
}

// yield yields the records and reports whether to continue.
func (n *newest) yield(records []record, yield func(Entry, error) bool) bool {
	for _, r := range records {
		if err := n.ctx.Err(); err != nil {
			yield(Entry{}, err)
			return false
		}
		info := &workspace.Info{Kind: r.kind, Size: r.size, ModTime: time.Unix(r.sec, int64(r.nsec))}
		more := yield(Entry{Name: []byte(r.name), Kind: r.kind, Dir: r.dir, info: info}, nil)
		if r.dir.Depth > 0 {
			r.dir.open.Release() // the caller may have reopened it
		}
		if !more {
			return false
		}
	}
	return true
}

// add adds an entry unless it is too old or before the bound. It returns an error if the entry
// cannot be described.
func (n *newest) add(e Entry) error {
	info, err := e.Lstat()
	if err != nil {
		return err
	}
	r := record{
		sec: info.ModTime.Unix(), nsec: uint32(info.ModTime.Nanosecond()), size: info.Size,
		kind: info.Kind,
	}
	if n.oldest != nil && compareTimes(&r, n.oldest) > 0 {
		return nil
	}
	if n.bound != nil {
		c := compareTimes(&r, n.bound)
		if c == 0 {
			n.a = e.AppendPath(n.a[:0])
			c = bytes.Compare(n.a, n.boundPath)
		}
		if c <= 0 {
			return nil
		}
	}
	if d := e.Dir; n.entered != d {
		n.entered = d
		n.dir = &Directory{Path: d.Path, Depth: d.Depth, open: d.open}
		n.size += dirBytes + len(d.Path)
	}
	r.dir, r.name = n.dir, string(e.Name)
	n.records = append(n.records, r)
	n.size += recordBytes + len(r.name)
	if n.full() {
		n.drop()
	}
	return nil
}

// full reports whether records must be dropped. If they need more memory than is reserved and no
// more is available, full reduces keep.
func (n *newest) full() bool {
	if len(n.records) >= max(2*n.keep, minCollected) {
		return true
	}
	if n.size <= n.memory.Available() || len(n.records) < minCollected {
		return false
	}
	if n.memory.Grow() == nil && n.size <= n.memory.Available() {
		return false
	}
	n.keep = min(n.keep, len(n.records)/2)
	return true
}

// drop drops the oldest records, except for keep.
func (n *newest) drop() {
	if len(n.records) <= n.keep {
		return
	}
	n.sort()
	clear(n.records[n.keep:])
	n.records = n.records[:n.keep]
	oldest := n.records[n.keep-1]
	n.oldest, n.size = &oldest, 0
	dirs := make(map[*Directory]bool)
	for _, r := range n.records {
		n.size += recordBytes + len(r.name)
		if !dirs[r.dir] {
			dirs[r.dir] = true
			n.size += dirBytes + len(r.dir.Path)
		}
	}
}

func (n *newest) sort() {
	slices.SortFunc(n.records, func(a, b record) int {
		if c := compareTimes(&a, &b); c != 0 {
			return c
		}
		n.a, n.b = a.appendPath(n.a[:0]), b.appendPath(n.b[:0])
		return bytes.Compare(n.a, n.b)
	})
}

// compareTimes compares records by modification time, newest first.
func compareTimes(a, b *record) int {
	return cmp.Or(cmp.Compare(b.sec, a.sec), cmp.Compare(b.nsec, a.nsec))
}

func (r record) appendPath(dst []byte) []byte { return append(r.dir.appendPrefix(dst), r.name...) }
