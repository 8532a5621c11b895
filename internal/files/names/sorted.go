package names

import (
	"context"
	"math"
	"time"

	"gander/internal/admission"
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
	list   list
	next   int // index in list
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

// pass reads the directory and keeps the first names that satisfy the query.
func (s *Sorted) pass() error {
	s.Free()
	top := s.memory.top
	top.reset(s.query)
	err := s.read(top.add)
	if err == nil {
		s.list, err = top.take()
	}
	return err
}

// Next returns the next entry, or a zero Item at the end.
func (s *Sorted) Next() (Item, error) {
	if s.next == len(s.list.places) {
		if !s.list.more {
			return Item{}, nil
		}
		s.query.after = s.query.Order.boundOf(s.list.at(s.next - 1))
		s.query.Limit = 2 * min(s.query.Limit, math.MaxInt/2)
		if err := s.pass(); err != nil || len(s.list.places) == 0 {
			return Item{}, err
		}
	}
	if s.next%checkEvery == 0 {
		if err := s.memory.ctx.Err(); err != nil {
			return Item{}, err
		}
	}
	s.next++
	return s.list.at(s.next - 1), nil
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

// Free makes the memory of the names available for other directories. No entries are left.
func (s *Sorted) Free() {
	if size := s.list.size(); size > 0 {
		s.memory.held -= size
	}
	s.list, s.next = list{}, 0
}

// Collation returns the order by class, then by the en-US collation of the names.
func Collation(class func(workspace.EntryKind) uint8) Order {
	collator := text.NewCollator()
	return Order{Class: class, Key: func(dst, name []byte) []byte {
		return collator.AppendKey(dst, text.LossyKey(nil, name))
	}}
}

const (
	// smallShare is the quota in bytes that every walk has.
	smallShare = 512 << 10
	// reserved is the quota in bytes of a walk that has reserved it.
	reserved = 24 << 20
	// maxWait is the maximum time to wait for the large quota. A walk then continues with the small
	// quota and reads directories more often, because a disk may block the calls that hold the memory.
	maxWait = 3 * time.Second
)

// A Memory holds the names of all directories of a walk, in a limited number of bytes. It is not
// safe for concurrent use.
type Memory struct {
	ctx   context.Context // of the call that the memory is reserved for
	quota int             // the maximum number of bytes of lists
	held  int             // bytes of lists
	tried bool            // a reservation was tried
	large bool            // the large quota is reserved

	top *topK // makes all lists
}

// NewMemory returns the memory of a walk in the call of ctx. The caller calls Release after it.
func NewMemory(ctx context.Context) *Memory {
	m := &Memory{ctx: ctx, quota: smallShare}
	m.top = &topK{memory: m}
	return m
}

// available returns the number of bytes that another list can hold.
func (m *Memory) available() int { return m.quota - m.held }

// grow tries once to reserve the large quota. It returns an error only if the call's context is
// done.
func (m *Memory) grow() error {
	if m.tried {
		return nil
	}
	m.tried = true
	ctx, cancel := context.WithTimeout(m.ctx, maxWait)
	defer cancel()
	if admission.Reserve(ctx, reserved) == nil {
		m.quota, m.large = reserved, true
	}
	return m.ctx.Err()
}

// Release releases the large quota. It can be called more than once.
func (m *Memory) Release() {
	if m.large {
		admission.Release(m.ctx, reserved)
		m.quota, m.large = smallShare, false
	}
}
