package names

import (
	"context"
	"math"
	"slices"

	"gander/internal/files/workspace"
)

// A Query says which names a [List] has: the smallest that come after a bound and that a filter
// keeps. A list may have more names than Limit and MaxBytes ask for. It may also have fewer,
// because what a TopK holds is bounded; [List.More] then tells that there are more, and the same
// query with After set to the last name of the list returns them.
type Query struct {
	Order Order
	// Limit is the number of names that are needed. Zero sets no limit.
	Limit int
	// MaxBytes is the total size of the names that are needed, in bytes, with one added for each
	// name. Zero sets no limit.
	MaxBytes int
	// After excludes names that do not come after it. Nil excludes none.
	After *Bound
	// Keep reports whether the list may have a name, and whether its [Item] is marked. It is called
	// only for names that are small enough for the list, and must not retain name. If it is nil,
	// all names are kept and none is marked.
	Keep func(name []byte, kind workspace.EntryKind) (keep, mark bool)
	// Memory bounds what the list holds together with the others of the call. Nil bounds each list
	// for itself.
	Memory *Memory
}

// A TopK makes lists of the smallest names that are added to it, in memory that does not depend on
// how many those are. It collects more names than are needed, removes the largest whenever there
// are too many, and from then on rejects names that are not smaller than the largest it has kept. A
// TopK makes one list after the other and reuses its memory. The zero value is ready for Reset.
type TopK struct {
	ctx       context.Context
	query     Query
	limit     *Bound // names from it on have been removed and are rejected; nil before the first removal
	kept      records
	removed   records // memory for the next removal
	added     int
	err       error
	heldBytes int // bound of what is held; 0 stands for largeShare

	reuse   List
	sorter  sorter
	scratch []byte
}

const (
	// minRemoval is the number of names that are collected at least before any is removed, so that
	// small limits do not cause sorting all the time.
	minRemoval = 512
	// largeRemoval is the size from which the memory of what was removed is not kept for the next
	// removal.
	largeRemoval = 64 << 10
	// largeList is the number of names after which the memory of the sorter is released.
	largeList = 1 << 18
	// elementSize is the memory that the sorter takes for each name.
	elementSize = 16
)

// Reset starts a new list in the memory of reuse, a list that is no longer used. Sorting, in Add
// and List, ends when ctx is done.
func (t *TopK) Reset(ctx context.Context, q Query, reuse List) {
	t.ctx, t.query, t.limit, t.added, t.err = ctx, q, nil, 0, nil
	if t.heldBytes == 0 {
		t.heldBytes = largeShare
	}
	if q.Memory != nil {
		q.Memory.Forget(reuse)
		t.heldBytes = q.Memory.available()
	}
	t.reuse, t.kept = reuse, reuse.records
	t.kept.reset(&q.Order)
}

// Added returns the number of names that have been added since Reset, whether or not they were
// kept.
func (t *TopK) Added() int { return t.added }

// NameBytes returns the total size of the names that are kept at present, in bytes, with one added
// for each name.
func (t *TopK) NameBytes() int { return t.kept.nameSize }

// Add adds a name, which it does not retain, and reports whether to go on. It compares before it
// filters, because most names of a large directory are too large for the list.
func (t *TopK) Add(name []byte, kind workspace.EntryKind) bool {
	t.added++
	o := &t.query.Order
	k, form := o.key(&t.scratch, name)
	head := byte(kind) | byte(form)
	switch {
	case t.limit != nil && t.limit.compare(o.class(kind), k, name) >= 0:
		return true
	case t.query.After != nil && t.query.After.compare(o.class(kind), k, name) <= 0:
		return true
	case t.query.Keep != nil:
		keep, mark := t.query.Keep(name, kind)
		if !keep {
			return true
		}
		if mark {
			head |= markBit
		}
	}
	t.kept.add(head, name, k)
	if t.overBound() && t.query.Memory != nil && !t.hasSpare() {
		t.err = t.query.Memory.grow()
		t.heldBytes = t.query.Memory.available()
	}
	if t.full() && t.err == nil {
		t.removeLargest()
	}
	return t.err == nil
}

// List returns the list. The error is that of the context.
func (t *TopK) List() (List, error) {
	elements := t.sort()
	if t.err != nil {
		return List{}, t.err
	}
	l := List{
		records:     t.kept,
		places:      slices.Grow(t.reuse.places[:0], len(elements)),
		directories: t.reuse.directories[:0],
		more:        t.limit != nil,
	}
	for i, e := range elements {
		l.places = append(l.places, e.place)
		if e.kind == workspace.Directory {
			l.directories = append(l.directories, uint32(i))
		}
	}
	t.reuse, t.kept = List{}, records{}
	if t.query.Memory != nil {
		t.query.Memory.held += l.Bytes()
	}
	if len(elements) >= largeList {
		t.sorter = sorter{} // the next list is hardly as long
	}
	return l, nil
}

// full reports whether names must be removed.
func (t *TopK) full() bool {
	n, q := t.kept.count, &t.query
	return q.Limit > 0 && n >= max(2*q.Limit, minRemoval) ||
		q.MaxBytes > 0 && n >= minRemoval && t.kept.nameSize >= q.MaxBytes+min(q.MaxBytes/2, math.MaxInt-q.MaxBytes) ||
		t.overBound()
}

// overBound reports whether more is held than may be. Without removing any, that may always be
// minRemoval names.
func (t *TopK) overBound() bool {
	return t.kept.size+t.kept.count*elementSize > t.heldBytes && (t.query.Memory == nil || t.kept.count >= minRemoval)
}

// removeLargest keeps the names that are needed, or the smaller half of all names if those are too
// many to hold.
func (t *TopK) removeLargest() {
	elements := t.sort()
	if t.err != nil {
		return
	}
	n := t.needed(elements)
	if t.overBound() && !t.hasSpare() {
		n = min(n, len(elements)/2) // removing only a few would soon have to be repeated
	}
	kept := t.removed
	kept.reset(&t.query.Order)
	for _, e := range elements[:n] {
		r := t.kept.at(e.place)
		kept.add(r[0], r.name(), t.kept.key(r))
	}
	last := t.kept.at(elements[n-1].place)
	t.limit = t.query.Order.Bound(last.name(), last.kind())
	t.removed, t.kept = t.kept, kept
	if t.removed.size > largeRemoval {
		t.removed = records{}
	}
}

// hasSpare reports whether many more names are kept than are needed.
func (t *TopK) hasSpare() bool {
	return t.query.Limit > 0 && t.kept.count >= minRemoval && t.kept.count-t.query.Limit >= t.kept.count/4
}

// needed returns how many of the sorted elements the query asks for: one more than MaxBytes has
// room for, so that the caller sees that there are more.
func (t *TopK) needed(elements []element) int {
	n := len(elements)
	if t.query.Limit > 0 {
		n = min(n, t.query.Limit)
	}
	if t.query.MaxBytes > 0 {
		size := 0
		for i, e := range elements[:n] {
			if size += len(t.kept.at(e.place).name()) + 1; size > t.query.MaxBytes {
				return i + 1
			}
		}
	}
	return n
}

// sort returns an element for each name that is kept, in order.
func (t *TopK) sort() []element {
	t.sorter.class, t.sorter.records = t.query.Order.Class, &t.kept
	t.err = t.sorter.sort(t.ctx)
	return t.sorter.elements
}
