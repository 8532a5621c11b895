package names

import (
	"slices"

	"gander/internal/files/workspace"
)

// A List is a sorted list of names. It does not change and may be used by several goroutines.
type List struct {
	records     records
	places      []uint32 // of the sorted records
	directories []uint32 // indexes of the directories in places
	more        bool
}

// An Item is an element of a [List].
type Item struct {
	Name      []byte // must not be changed
	Kind      workspace.EntryKind
	KeyIsName bool // Name is also its own key
	Marked    bool // as [Query.Keep] reported
}

// Len returns the number of names.
func (l *List) Len() int { return len(l.places) }

// At returns the item at index i. It is fastest if called with ascending indexes.
func (l *List) At(i int) Item {
	if i%prefetchBatch == 0 {
		l.prefetch(i)
	}
	r := l.records.at(l.places[i])
	return Item{Name: r.name(), Kind: r.kind(), KeyIsName: r.keyIsName(), Marked: r.marked()}
}

const prefetchBatch = 256

// prefetch loads a batch of names into the processor's caches. Names in order are scattered in
// memory; independent loads overlap. The result keeps the compiler from removing the loop.
//
//go:noinline
func (l *List) prefetch(i int) (sum byte) {
	if len(l.places) <= prefetchBatch {
		return 0 // sorting has just loaded them
	}
	for _, place := range l.places[i:min(i+prefetchBatch, len(l.places))] {
		r := l.records.at(place)
		sum += r[r.nameEnd()-1]
	}
	return sum
}

// NonDirRun returns the number of consecutive items from index i on that are not directories.
func (l *List) NonDirRun(i int) int {
	next, _ := slices.BinarySearch(l.directories, uint32(i))
	if next == len(l.directories) {
		return len(l.places) - i
	}
	return int(l.directories[next]) - i
}

// More reports whether the directory contains larger names.
func (l *List) More() bool { return l.more }

// Bytes returns the size of the memory that the list holds, including unused capacity.
func (l *List) Bytes() int {
	n := 4 * (cap(l.places) + cap(l.directories))
	for _, c := range l.records.chunks[:cap(l.records.chunks)] {
		n += cap(c)
	}
	return n
}
