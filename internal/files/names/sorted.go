package names

import (
	"math"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
)

// A Sorted yields the entries of a directory in order. It keeps only the first of the remaining
// names, and reads the directory again when these are used up. Each further pass keeps more. The
// zero value has no entries.
type Sorted struct {
	memory *Memory
	query  Query
	read   ReadFunc
	list   List
	next   int // index in list
	added  int // entries that the last pass has read
	shared bool
}

// A ReadFunc passes the entries of a directory to add until add returns false.
type ReadFunc func(add func(name []byte, kind workspace.EntryKind) bool) error

// checkEvery is the number of entries between checks of the context.
const checkEvery = 256

// Sort reads the entries of a directory that satisfy a query.
func (m *Memory) Sort(q Query, read ReadFunc) (Sorted, error) {
	s := Sorted{memory: m, query: q, read: read}
	err := s.pass()
	return s, err
}

// Resume returns the entries of a directory of which list, from [Sorted.Share], has the first.
func (m *Memory) Resume(q Query, read ReadFunc, list List) Sorted {
	return Sorted{memory: m, query: q, read: read, list: list, shared: true}
}

// pass reads the directory and keeps the first names that satisfy the query.
func (s *Sorted) pass() error {
	s.Free()
	top := s.memory.top
	top.reset(s.query, s.memory.takeSpare())
	err := s.read(top.add)
	if err == nil {
		s.list, err = top.list()
	}
	s.added = top.added
	return err
}

// Next returns the next entry, or a zero Item at the end.
func (s *Sorted) Next() (Item, error) {
	if s.next == s.list.Len() {
		if !s.list.More() {
			return Item{}, nil
		}
		s.query.after = s.query.Order.boundOf(s.list.At(s.next - 1))
		s.query.Limit = 2 * min(s.query.Limit, math.MaxInt/2)
		if err := s.pass(); err != nil || s.list.Len() == 0 {
			return Item{}, err
		}
	}
	if s.next%checkEvery == 0 {
		if err := s.memory.ctx.Err(); err != nil {
			return Item{}, err
		}
	}
	s.next++
	return s.list.At(s.next - 1), nil
}

// Each yields the remaining entries until yield returns false.
func (s *Sorted) Each(yield func(Item) bool) error {
	for {
		item, err := s.Next()
		if err != nil || item.Name == nil || !yield(item) {
			return err
		}
	}
}

// Skip skips at most n entries of those that it keeps, up to the next directory, and returns the
// number of skipped entries.
func (s *Sorted) Skip(n int) int {
	n = min(n, s.list.NonDirRun(s.next))
	s.next += n
	return n
}

// Added returns the number of entries that the directory had when it was last read.
func (s *Sorted) Added() int { return s.added }

// Share returns the names that s keeps, for [Memory.Resume]. They no longer count as memory of the
// walk.
func (s *Sorted) Share() List {
	s.memory.held -= s.list.CacheSize()
	s.shared = true
	return s.list
}

// Free makes the memory of the names available for other directories. No entries are left.
func (s *Sorted) Free() {
	if s.list.CacheSize() > 0 && !s.shared {
		s.memory.spare = append(s.memory.spare, s.list)
	}
	s.list, s.next, s.shared = List{}, 0, false
}

// Collation returns the order by class, then by the en-US collation of the names.
func Collation(class func(workspace.EntryKind) uint8) Order {
	collator := text.NewCollator()
	return Order{Class: class, Key: func(dst, name []byte) []byte {
		return collator.AppendKey(dst, text.LossyKey(nil, name))
	}}
}
