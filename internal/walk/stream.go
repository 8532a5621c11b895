package walk

import (
	"bytes"
	"errors"
	"io/fs"

	"gander/internal/workspace"
)

// A list is names with their kinds, in order.
type list struct {
	records records
	places  []uint32
}

// A stream yields the entries of one directory in order. It reads the directory as often as it must and keeps only the
// smallest names not yet taken: one pass is enough for as many as were asked for, and each further pass keeps more.
type stream struct {
	w      *walker
	dir    *Directory
	order  Order
	opaque bool // nothing can be said about the entries: the directory cannot be searched

	list list
	next int  // in list
	want int  // how many names the last pass was to keep; 0: all
	more bool // whether the directory has names after the list
}

// fill makes the first pass: as many entries will be taken as the walk has left, as far as is known.
func (s *stream) fill() error {
	s.want = s.w.left()
	if s.w.o.Inspect {
		_, err := s.dir.open.Lstat(".")
		s.opaque = errors.Is(err, fs.ErrPermission)
	}
	return s.read(nil)
}

// take takes the next entry; ok is false at the end.
func (s *stream) take() (name []byte, kind workspace.Kind, ok bool, err error) {
	if s.next == len(s.list.places) {
		if !s.more {
			return nil, 0, false, nil
		}
		kind, _, name := s.list.records.get(s.list.places[s.next-1])
		s.want = max(s.w.left(), 2*s.want)
		if err := s.read(s.bar(name, kind)); err != nil || len(s.list.places) == 0 {
			return nil, 0, false, err
		}
	}
	kind, _, name = s.list.records.get(s.list.places[s.next])
	s.next++
	return name, kind, true, nil
}

// read makes a pass for the smallest names after one.
func (s *stream) read(after *bar) error {
	s.free()
	p := &s.w.picker
	list, more, err := p.pass(s, after)
	if err != nil {
		return err
	}
	s.list, s.next, s.more = list, 0, more
	return nil
}

// free gives the list's memory back to the walk.
func (s *stream) free() {
	if s.list.places != nil {
		s.w.spare = append(s.w.spare, s.list)
		s.list = list{}
	}
}

// bar is a copy of a name to compare others with.
func (s *stream) bar(name []byte, kind workspace.Kind) *bar {
	key, _ := s.order.key(nil, name)
	return &bar{s.order.class(kind), bytes.Clone(key), bytes.Clone(name)}
}
