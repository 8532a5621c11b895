package walk

import (
	"bytes"
	"context"
	"slices"
	"time"

	"gander/internal/engine/names"
	"gander/internal/engine/workspace"
)

const (
	// minCollected is the number of entries that are collected at least before they are sorted, so that a small limit does
	// not cause sorting all the time.
	minCollected = 512
	// maxNewest is the number of entries that are kept at most. The tree is read again for those that follow.
	maxNewest = 1 << 15
)

// newest collects the entries that were modified last, of those that follow a bound.
type newest struct {
	ctx     context.Context
	keep    int // the number of entries to collect
	entries []Entry
	more    bool      // entries follow those that are collected
	oldest  time.Time // of the entries kept when others were dropped; zero before

	after     time.Time // of the bound; zero for none
	afterPath []byte
	a, b      []byte // paths that are compared
	calls     int    // of compare
}

func newestFirst(ctx context.Context, start *workspace.Dir, o Options, yield func(Entry, error) bool) {
	n := &newest{ctx: ctx}
	skip, limit, count := o.Skip, o.Limit, 0
	o.Order, o.NameOrder, o.Limit, o.Skip, o.MaxBytes, o.CacheKey = PreOrder, names.Order{}, 0, 0, 0, ""
	for again := false; !again || n.more && (limit == 0 || count < limit); again = true {
		n.begin(limit - count)
		for e, err := range Entries(ctx, start, o) {
			if err == nil {
				err = n.add(e)
			}
			if err != nil && (!again || e.Dir == nil) && (!yield(e, err) || e.Dir == nil) {
				return
			}
		}
		n.sort()
		count += len(n.entries)
		passed := min(skip, len(n.entries))
		skip -= passed
		if !n.yield(n.entries[passed:], yield) {
			return
		}
	}
}

// begin prepares to collect the entries that follow those collected before; left is how many the caller still wants, or 0 or less
// if there is no limit.
func (n *newest) begin(left int) {
	if last := len(n.entries) - 1; last >= 0 {
		n.after, n.afterPath = n.entries[last].info.ModTime, n.entries[last].AppendPath(n.afterPath[:0])
	}
	clear(n.entries)
	n.entries, n.more, n.oldest = n.entries[:0], false, time.Time{}
	n.keep = maxNewest
	if left > 0 {
		n.keep = min(n.keep, left)
	}
}

// yield yields entries, and reports whether to go on.
func (n *newest) yield(entries []Entry, yield func(Entry, error) bool) bool {
	for _, e := range entries {
		if err := n.ctx.Err(); err != nil {
			yield(Entry{}, err)
			return false
		}
		goOn := yield(e, nil)
		if e.Dir.Depth > 0 {
			e.Dir.open.Release() // which the caller may have made the directory open again
		}
		if !goOn {
			return false
		}
	}
	return true
}

// add adds an entry, unless it is too old, or not after the bound. The error is that of describing it.
func (n *newest) add(e Entry) error {
	info, err := e.Lstat()
	if err != nil {
		return err
	}
	switch {
	case info.ModTime.Before(n.oldest):
		n.more = true
		return nil
	case n.after.IsZero():
	case n.after.Before(info.ModTime):
		return nil
	case n.after.Equal(info.ModTime):
		if n.a = e.AppendPath(n.a[:0]); bytes.Compare(n.a, n.afterPath) <= 0 {
			return nil
		}
	}
	e.Name, e.info = bytes.Clone(e.Name), new(info)
	n.entries = append(n.entries, e)
	if len(n.entries) >= max(2*n.keep, minCollected) {
		n.sort()
	}
	return nil
}

// sort sorts the entries and drops those that are too many. After the end of ctx the order means nothing.
func (n *newest) sort() {
	slices.SortFunc(n.entries, n.compare)
	if len(n.entries) > n.keep {
		clear(n.entries[n.keep:])
		n.entries, n.more = n.entries[:n.keep], true
		n.oldest = n.entries[n.keep-1].info.ModTime
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
