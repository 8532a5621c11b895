package walk

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"

	"gander/internal/workspace"
)

// A list is names with their kinds, in order.
type list struct {
	records records
	places  []uint32
	more    bool // whether the directory has names after these
	shared  bool // the workspace remembers the list, so its memory is not the walk's
}

// A stream yields the entries of one directory in order. It reads the directory as often as it must and keeps only the
// smallest names not yet taken: one pass is enough for as many as were asked for, and each further pass keeps more.
type stream struct {
	w      *walker
	dir    *Directory
	order  Order
	opaque bool // nothing can be said about the entries: the directory cannot be searched

	list list
	next int // in list
	want int // how many names the last pass was to keep; 0: all
}

// fill makes the first pass: as many entries will be taken as the walk has left, as far as is known.
func (s *stream) fill() error {
	s.want = s.w.left()
	if s.w.o.Inspect {
		_, err := s.dir.open.Lstat(".")
		s.opaque = errors.Is(err, fs.ErrPermission)
	}
	if s.w.o.Memo == "" {
		return s.read(nil)
	}
	r, err := s.dir.open.Recall(fmt.Sprintf("%s to %d", s.w.o.Memo, s.order.most))
	if err != nil {
		return err
	}
	if l, ok := r.Value().(list); ok && l.serves(s.want) {
		s.list = l
		return nil
	}
	if s.want > 0 {
		s.want = max(s.want, ahead)
	}
	if err := s.read(nil); err != nil {
		return err
	}
	if s.w.picker.seen >= large {
		s.list.shared = true
		r.Keep(s.list, s.list.bytes())
	}
	return nil
}

const (
	// ahead is how much of a directory is kept where it may be remembered: for the next pages, at no measurable cost.
	ahead = 1000
	// large is how many names make a directory worth remembering.
	large = 4096
)

// serves reports whether l is as good as what a pass for so many names would give.
func (l *list) serves(want int) bool {
	return !l.more || want > 0 && want <= len(l.places)
}

// bytes is the memory that l takes.
func (l *list) bytes() int {
	n := 4 * cap(l.places)
	for _, c := range l.records.chunks {
		n += cap(c)
	}
	return n
}

// take takes the next entry; it is zero at the end. plain says that its name is its own key.
func (s *stream) take() (e Entry, plain bool, err error) {
	if s.next == len(s.list.places) {
		if !s.list.more {
			return Entry{}, false, nil
		}
		kind, _, name := s.list.records.get(s.list.places[s.next-1])
		s.want = max(s.w.left(), 2*s.want)
		if err := s.read(s.bar(name, kind)); err != nil || len(s.list.places) == 0 {
			return Entry{}, false, err
		}
	}
	kind, plain, name := s.list.records.get(s.list.places[s.next])
	s.next++
	return Entry{Name: name, Kind: kind, Dir: s.dir}, plain, nil
}

// read makes a pass for the smallest names after one.
func (s *stream) read(after *bar) error {
	s.free()
	l, err := s.w.picker.pass(s, after)
	s.list, s.next = l, 0
	return err
}

// free gives the list's memory back to the walk.
func (s *stream) free() {
	if s.list.places != nil && !s.list.shared {
		s.w.spare = append(s.w.spare, s.list)
	}
	s.list = list{}
}

// bar is a copy of a name to compare others with.
func (s *stream) bar(name []byte, kind workspace.Kind) *bar {
	key, _ := s.order.key(new([]byte), name)
	return &bar{s.order.class(kind), bytes.Clone(key), bytes.Clone(name)}
}
