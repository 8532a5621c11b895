package walk

import (
	"bytes"
	"context"
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
	ctx   context.Context
	dir   *Directory
	order Order
	keep  func(*Directory, []byte, workspace.Kind) bool
	// inspect asks on the first pass whether the directory can be searched; opaque is the answer that it cannot.
	inspect, opaque bool

	list list
	next int  // in list
	want int  // how many names the last pass was to keep; 0: all
	more bool // whether the directory has names after the list
}

// fill makes the first pass: at most n entries will be taken, as far as is known; 0 means any number.
func (s *stream) fill(n int) error {
	s.want = n
	if s.inspect {
		_, err := s.dir.open.Lstat(".")
		s.opaque = errors.Is(err, fs.ErrPermission)
	}
	return s.read(nil)
}

// take takes the next entry; ok is false at the end. n is as for fill.
func (s *stream) take(n int) (name []byte, kind workspace.Kind, ok bool, err error) {
	if s.next == len(s.list.places) {
		if !s.more {
			return nil, 0, false, nil
		}
		kind, _, name := s.list.records.get(s.list.places[s.next-1])
		s.want = max(n, 2*s.want)
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
	p := picker{stream: s, ctx: s.ctx, want: s.want, after: after, got: &records{}}
	if err := s.dir.open.Names(s.ctx, p.add); err != nil {
		return err
	}
	places := p.sorted()
	if p.err != nil {
		return p.err
	}
	if s.want > 0 && len(places) > s.want {
		places, p.more = places[:s.want], true
	}
	s.list, s.next, s.more = list{*p.got, places}, 0, p.more
	return nil
}

// bar is a copy of a name to compare others with.
func (s *stream) bar(name []byte, kind workspace.Kind) *bar {
	key, _ := s.order.key(nil, name)
	return &bar{s.order.class(kind), bytes.Clone(key), bytes.Clone(name)}
}
