package walk

import (
	"bytes"
	"cmp"
	"context"
	"io/fs"
	"slices"
	"time"

	"gander/internal/admission"
	"gander/internal/files/names"
	"gander/internal/files/workspace"
)

const (
	// minCollected is the minimum number of entries to collect before they are sorted.
	minCollected = 512
	// maxNewest is the maximum number of entries to keep. The tree is read again for further ones.
	maxNewest = 1 << 17

	// smallNewest and largeNewest limit the collected bytes before and after reserveNewest bytes are
	// reserved, which include the spare capacity of slices and copies made by drop.
	smallNewest   = 256 << 10
	largeNewest   = 8 << 20
	reserveNewest = 2 * largeNewest
	// maxNewestWait is the maximum time to wait for the reservation.
	maxNewestWait = 3 * time.Second
	recordBytes   = 32
	dirBytes      = 512 // without the path
)

// A record is an entry that has been collected.
type record struct {
	sec, size int64
	nsec      uint32
	dir, name uint32 // index in newest.dirs, and in newest.names
	length    uint16 // of the name
	kind      workspace.EntryKind
}

// newest collects the entries after a bound that were modified last.
type newest struct {
	ctx     context.Context
	most    int // the maximum number of entries to keep
	keep    int // the number of entries needed, at most most
	records []record
	dirs    []*Directory
	last    *Directory // of the last record
	names   []byte
	size    int    // of records, dirs and names in bytes
	limit   int    // of size
	asked   bool   // for the large limit
	dropped bool   // entries have been dropped that follow the first keep records
	oldest  record // the last of those when entries were dropped

	bounded   bool // only entries after the bound are collected
	bound     record
	boundPath []byte

	a, b  []byte // paths that are compared
	calls int    // of compare
}

// newestFirst walks in the order NewestFirst. It keeps at most the given number of entries.
func newestFirst(
	ctx context.Context, start *workspace.Dir, o Options, most int, yield func(Entry, error) bool,
) {
	n := &newest{ctx: ctx, most: most, limit: smallNewest}
	defer n.release()
	skip, limit, count, again, stopped := o.Skip, o.Limit, 0, false, false
	o.Order, o.NameOrder, o.CheckSearch, o.CacheKey = PreOrder, names.Order{}, false, ""
	o.Limit, o.Skip = 0, 0
	add := func(e Entry, err error) bool {
		if stopped {
			return false
		}
		if err == nil {
			err = n.add(e)
		}
		if err != nil && (!again || e.Dir == nil) && !yield(e, err) || e.Dir == nil {
			stopped = true
		}
		return !stopped
	}
	o.Filter, o.Enter = o.unordered(ctx, add)
	for ; !again || n.dropped && (limit == 0 || count < limit); again = true {
		n.begin(limit - count)
		Entries(ctx, start, o)(add)
		if stopped {
			return
		}
		n.last = nil
		n.sort()
		if n.dropped {
			n.records = n.records[:min(n.keep, len(n.records))]
		}
		if limit > 0 {
			n.records = n.records[:min(limit-count, len(n.records))]
		}
		count += len(n.records)
		passed := min(skip, len(n.records))
		skip -= passed
		if !n.yield(n.records[passed:], yield) {
			return
		}
	}
}

// unordered returns a filter and a hook for a walk that yields only directories. The hook yields the
// other entries unsorted, so that their names need not be held.
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

// begin prepares to collect the entries after those collected before. left is the number of entries
// that the caller needs; zero or less means no limit.
func (n *newest) begin(left int) {
	if last := len(n.records) - 1; last >= 0 {
		n.bounded, n.bound, n.boundPath = true, n.records[last], n.path(n.boundPath, n.records[last])
	}
	clear(n.dirs)
	n.records, n.dirs, n.names, n.dropped = n.records[:0], n.dirs[:0], n.names[:0], false
	n.size = 0
	n.keep = n.most
	if left > 0 {
		n.keep = min(n.keep, left)
	}
}

// yield yields the entries of records, and reports whether to continue.
func (n *newest) yield(records []record, yield func(Entry, error) bool) bool {
	for _, r := range records {
		if err := n.ctx.Err(); err != nil {
			yield(Entry{}, err)
			return false
		}
		info := &workspace.Info{Kind: r.kind, Size: r.size, ModTime: time.Unix(r.sec, int64(r.nsec))}
		e := Entry{Name: n.nameOf(r), Kind: r.kind, Dir: n.dirs[r.dir], info: info}
		more := yield(e, nil)
		if e.Dir.Depth > 0 {
			e.Dir.open.Release() // which the caller may have made the directory open again
		}
		if !more {
			return false
		}
	}
	return true
}

// add adds an entry unless it is too old or not after the bound. It returns an error if the entry
// cannot be described.
func (n *newest) add(e Entry) error {
	info, err := e.Lstat()
	if err != nil {
		return err
	}
	r := record{
		sec: info.ModTime.Unix(), nsec: uint32(info.ModTime.Nanosecond()), size: info.Size,
		name: uint32(len(n.names)), length: uint16(len(e.Name)), kind: info.Kind,
	}
	if n.dropped && compareTimes(r, n.oldest) > 0 {
		return nil
	}
	if n.bounded {
		c := compareTimes(r, n.bound)
		if c == 0 {
			n.a = e.AppendPath(n.a[:0])
			c = bytes.Compare(n.a, n.boundPath)
		}
		if c <= 0 {
			return nil
		}
	}
	if n.last != e.Dir {
		n.last = e.Dir
		d := e.Dir
		copied := &Directory{Path: d.Path, Depth: d.Depth, Data: d.Data, open: d.open} // without names
		n.dirs = append(n.dirs, copied)
		n.size += dirBytes + len(e.Dir.Path)
	}
	r.dir = uint32(len(n.dirs) - 1)
	n.names = append(n.names, e.Name...)
	n.records = append(n.records, r)
	n.size += recordBytes + len(e.Name)
	if n.full() {
		n.sort()
		n.drop()
	}
	return nil
}

// full reports whether records must be dropped. Before it drops needed records, it tries once to
// reserve memory.
func (n *newest) full() bool {
	if len(n.records) >= max(2*n.keep, minCollected) {
		return true
	}
	if n.size <= n.limit || len(n.records) < minCollected {
		return false
	}
	if !n.asked {
		n.asked = true
		ctx, cancel := context.WithTimeout(n.ctx, maxNewestWait)
		defer cancel()
		if admission.Reserve(ctx, reserveNewest) == nil {
			n.limit = largeNewest
			return false
		}
	}
	n.keep = min(n.keep, len(n.records)/2)
	return true
}

// release releases the reserved memory.
func (n *newest) release() {
	if n.limit == largeNewest {
		admission.Release(n.ctx, reserveNewest)
	}
}

// drop removes records beyond keep, which are sorted, with their names and directories.
func (n *newest) drop() {
	if len(n.records) <= n.keep {
		return
	}
	n.records, n.dropped = n.records[:n.keep], true
	n.oldest = n.records[n.keep-1]
	kept := make([]byte, 0, len(n.names)/2)
	moved := make([]uint32, len(n.dirs)) // new index + 1
	var dirs []*Directory
	for i := range n.records {
		r := &n.records[i]
		if moved[r.dir] == 0 {
			dirs = append(dirs, n.dirs[r.dir])
			moved[r.dir] = uint32(len(dirs))
		}
		name := n.nameOf(*r)
		r.dir, r.name = moved[r.dir]-1, uint32(len(kept))
		kept = append(kept, name...)
	}
	n.names, n.dirs, n.last = kept, dirs, nil
	n.size = len(kept) + recordBytes*len(n.records)
	for _, d := range dirs {
		n.size += dirBytes + len(d.Path)
	}
}

// sort sorts the records. Once ctx is done the order is unspecified.
func (n *newest) sort() { slices.SortFunc(n.records, n.compare) }

// compare orders records. Once ctx is done, all are equal, which ends sorting early.
func (n *newest) compare(a, b record) int {
	if n.calls++; n.calls%1024 == 0 && n.ctx.Err() != nil {
		n.calls-- // so that the next call asks again
		return 0
	}
	if c := compareTimes(a, b); c != 0 {
		return c
	}
	n.a, n.b = n.path(n.a, a), n.path(n.b, b)
	return bytes.Compare(n.a, n.b)
}

// compareTimes orders records by their times, the latest first.
func compareTimes(a, b record) int {
	return cmp.Or(cmp.Compare(b.sec, a.sec), cmp.Compare(b.nsec, a.nsec))
}

func (n *newest) nameOf(r record) []byte { return n.names[r.name:][:r.length:r.length] }

// path returns the path of a record, in the memory of dst.
func (n *newest) path(dst []byte, r record) []byte {
	return Entry{Name: n.nameOf(r), Dir: n.dirs[r.dir]}.AppendPath(dst[:0])
}
