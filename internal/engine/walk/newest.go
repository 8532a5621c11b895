package walk

import (
	"bytes"
	"context"
	"math"
	"slices"
	"time"

	"gander/internal/engine/names"
	"gander/internal/engine/workspace"
)

// minCollected is the number of entries that are collected at least before they are sorted, so that a small limit does not
// cause sorting all the time.
const minCollected = 512

// newest collects the entries that were modified last.
type newest struct {
	ctx     context.Context
	limit   int // zero for none
	entries []Entry
	oldest  time.Time // of the entries kept when others were dropped; zero before
	a, b    []byte    // paths that are compared
	calls   int       // of compare
}

func newestFirst(ctx context.Context, start *workspace.Dir, o Options, yield func(Entry, error) bool) {
	n := &newest{ctx: ctx, limit: o.Limit}
	skip := o.Skip
	o.Order, o.NameOrder, o.Limit, o.Skip, o.MaxBytes, o.CacheKey = PreOrder, names.Order{}, 0, 0, 0, ""
	for e, err := range Entries(ctx, start, o) {
		if err == nil {
			err = n.add(e)
		}
		if err != nil && (!yield(e, err) || e.Dir == nil) {
			return
		}
	}
	n.sort()
	for _, e := range n.entries[min(skip, len(n.entries)):] {
		if err := ctx.Err(); err != nil {
			yield(Entry{}, err)
			return
		}
		goOn := yield(e, nil)
		if e.Dir.Depth > 0 {
			e.Dir.open.Release() // which the caller may have made the directory open again
		}
		if !goOn {
			return
		}
	}
}

// add adds an entry, unless it is too old. The error is that of describing it.
func (n *newest) add(e Entry) error {
	info, err := e.Lstat()
	if err != nil {
		return err
	}
	if info.ModTime.Before(n.oldest) {
		return nil
	}
	e.Name, e.info = bytes.Clone(e.Name), new(info)
	n.entries = append(n.entries, e)
	if n.limit > 0 && n.limit < math.MaxInt/2 && len(n.entries) >= max(2*n.limit, minCollected) {
		n.sort()
	}
	return nil
}

// sort sorts the entries and drops those beyond the limit. After the end of ctx the order means nothing.
func (n *newest) sort() {
	slices.SortFunc(n.entries, n.compare)
	if n.limit > 0 && len(n.entries) > n.limit {
		clear(n.entries[n.limit:])
		n.entries = n.entries[:n.limit]
		n.oldest = n.entries[n.limit-1].info.ModTime
	}
}

// compare orders entries. Once ctx is done, all are equal, which ends sorting soon.
func (n *newest) compare(a, b Entry) int {
	if n.calls++; n.calls%1024 == 0 && n.ctx.Err() != nil {
		n.calls-- // so that the next call asks again
		return 0
	}
	if c := b.info.ModTime.Compare(a.info.ModTime); c != 0 {
		return c
	}
	n.a, n.b = a.AppendPath(n.a[:0]), b.AppendPath(n.b[:0])
	return bytes.Compare(n.a, n.b)
}
