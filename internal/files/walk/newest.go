package walk

import (
	"bytes"
	"cmp"
	"context"
	"math"
	"slices"

	"gander/internal/files/names"
	"gander/internal/files/workspace"
)

const (
	// minCollected is the minimum number of entries to collect before they are sorted.
	minCollected = 512
	// maxNewest is the maximum number of entries from one read of the tree.
	maxNewest = 1 << 17

	// recordBytes is the memory of a record without its name, including spare slice capacity.
	recordBytes = 80
	// dirBytes is the memory of a directory without its path.
	dirBytes = 300
)

// A record is a collected entry.
type record struct {
	info workspace.Info
	dir  *Directory
	name string
}

// newest collects the most recently modified entries after a bound.
type newest struct {
	ctx     context.Context // of the walk, whose entries each add passes through
	keep    int             // number of entries needed
	records []record
	dir     *Directory // the directory of the last record, without names and data
	entered *Directory // original of dir
	size    int        // memory for records and their directories
	memory  *names.Memory
	oldest  *record // oldest record to keep, if others have been dropped
	bound   *record // only entries after the bound are collected, if any
	a, b    []byte  // paths to compare
}

func newestFirst(
	ctx context.Context, start *workspace.Dir, o Options, yield func(Entry, error) bool,
) {
	n := &newest{ctx: ctx, memory: names.NewMemory(ctx)}
	defer n.memory.Release()
	left := cmp.Or(o.Limit, math.MaxInt)
	for {
		n.keep = min(maxNewest, left)
		if !n.collect(start, o, yield) {
			return
		}
		page := n.page(left)
		left -= len(page)
		if !n.yieldRecords(page, yield) {
			return
		}
		isLast := n.oldest == nil
		if isLast || left == 0 {
			return
		}
		n.continueAfter(page[len(page)-1])
	}
}

// collect reads the tree and adds its entries. It yields errors, and reports whether to continue.
func (n *newest) collect(start *workspace.Dir, o Options, yield func(Entry, error) bool) bool {
	isFirstRead := n.bound == nil // each read of the tree meets the same errors
	all := Options{Depth: o.Depth, Filter: o.Filter, Enter: o.Enter}
	for e, err := range Entries(n.ctx, start, all) {
		if e.Dir == nil { // the walk has failed
			yield(e, err)
			return false
		}
		if !e.ForError {
			addErr := n.add(e) // also an entry that cannot be entered
			err = cmp.Or(err, addErr)
			e.ForError = true
		}
		isNew := err != nil && isFirstRead
		if isNew && !yield(e, err) {
			return false
		}
	}
	return true
}

// page returns the newest records, sorted: at most limit, and at most keep if others have been
// dropped.
func (n *newest) page(limit int) []record {
	slices.SortFunc(n.records, n.compare)
	if n.oldest != nil {
		limit = min(limit, n.keep)
	}
	return n.records[:min(limit, len(n.records))]
}

// continueAfter removes all records, to collect the entries after last.
func (n *newest) continueAfter(last record) {
	clear(n.records)
	n.bound, n.records, n.entered, n.oldest, n.size = &last, n.records[:0], nil, nil, 0
}

func (n *newest) yieldRecords(records []record, yield func(Entry, error) bool) bool {
	for _, r := range records {
		if err := n.ctx.Err(); err != nil {
			yield(Entry{}, err)
			return false
		}
		more := yield(Entry{Name: []byte(r.name), Kind: r.info.Kind, Dir: r.dir, info: &r.info}, nil)
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
	isTooOld := n.oldest != nil && info.ModTime.Before(n.oldest.info.ModTime)
	isTooNew := n.bound != nil && info.ModTime.After(n.bound.info.ModTime)
	if isTooOld || isTooNew {
		return nil
	}
	if d := e.Dir; n.entered != d {
		n.entered = d
		n.dir = &Directory{Path: d.Path, Depth: d.Depth, open: d.open}
		n.size += dirBytes + len(d.Path)
	}
	r := record{info, n.dir, string(e.Name)}
	if n.bound != nil && n.compare(r, *n.bound) <= 0 {
		return nil
	}
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
	slices.SortFunc(n.records, n.compare)
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

// compare compares records by modification time, newest first, and then by path.
func (n *newest) compare(a, b record) int {
	if c := b.info.ModTime.Compare(a.info.ModTime); c != 0 {
		return c
	}
	n.a, n.b = a.appendPath(n.a[:0]), b.appendPath(n.b[:0])
	return bytes.Compare(n.a, n.b)
}

func (r record) appendPath(dst []byte) []byte { return append(r.dir.appendPrefix(dst), r.name...) }
