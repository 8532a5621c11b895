package walk

import (
	"context"
	"encoding/binary"
	"sync"
	"sync/atomic"

	"gander/internal/engine/workspace"
)

const (
	// maxAhead is the number of directories that are open ahead at a time, at most.
	maxAhead = 32
	// minAhead is the number of them below which more are opened in directories above the one that the walk is in.
	minAhead = 24
	// beforeAhead is the number of directories that a walk enters before it reads ahead: most small trees are read sooner than the
	// goroutine begins.
	beforeAhead = 64
	// maxPacked is the size of the names of a directory that are read ahead. The lists of maxAhead such directories fit in the
	// memory that a call may hold at any time ([names.Memory]).
	maxPacked = 6 << 10
)

// An ahead is what a walk needs to read ahead. The walk opens the directories that it enters next, and another goroutine reads their
// names. The walk's own goroutine does all else: it filters and sorts the names, and opens what comes next below the directory. If
// it enters a directory that the other goroutine has not claimed, it reads the names itself.
type ahead struct {
	before  int          // directories to enter before it begins
	path    []*Directory // that the walk is in, from the start
	open    int          // subdirectories that are open ahead
	unused  []*subdirectory
	todo    chan *subdirectory // nil until the goroutine is started
	reading sync.WaitGroup
}

// A subdirectory is open before the walk enters it.
type subdirectory struct {
	dir   *Directory
	index int           // in the list of the directory that it lies in
	next  *subdirectory // of the same directory

	claimed atomic.Bool   // by a goroutine, to read the names
	done    chan struct{} // receives a value when the other goroutine has read the names
	packed  []byte        // names, if whole
	whole   bool          // packed has all names

	ready  bool // packed and whole can be used
	listed bool // dir has its first list
}

// read packs the names. If that fails, the walk reads them when it enters the subdirectory, and meets the error then.
func (s *subdirectory) read(ctx context.Context) {
	err := s.dir.open.Names(ctx, func(name []byte, kind workspace.EntryKind) bool {
		s.whole = len(s.packed)+len(name) <= maxPacked
		s.packed = binary.AppendUvarint(append(s.packed, byte(kind)), uint64(len(name)))
		s.packed = append(s.packed, name...)
		return s.whole
	})
	s.whole = s.whole && err == nil
}

// unpack yields packed names until yield returns false.
func unpack(packed []byte, yield func(name []byte, kind workspace.EntryKind) bool) {
	for len(packed) > 0 {
		length, n := binary.Uvarint(packed[1:])
		start := 1 + n
		end := start + int(length)
		if !yield(packed[start:end:end], workspace.EntryKind(packed[0])) {
			return
		}
		packed = packed[end:]
	}
}

// lookAhead opens what comes next below d, which the walk begins, and below the directories that d lies in.
func (w *preOrderWalk) lookAhead(d *Directory) {
	w.ahead.path = append(w.ahead.path, d)
	if w.ahead.before > 0 || w.ctx.Err() != nil {
		w.ahead.before--
		return
	}
	w.openBelow(d)
	for i := len(w.ahead.path) - 2; i >= 0 && w.ahead.open < minAhead; i-- {
		w.openBelow(w.ahead.path[i])
	}
}

// openBelow opens the subdirectories that come next below d. It lists those that are open and read, and opens theirs as well.
func (w *preOrderWalk) openBelow(d *Directory) {
	if !w.enters(d, workspace.Directory) || d.Depth >= maxOpen {
		return
	}
	last := &d.ahead
	for *last != nil && w.ahead.open < maxAhead {
		s := *last
		select {
		case <-s.done:
			s.ready = true
		default:
		}
		if s.ready && s.whole && !s.listed {
			s.listed = w.list(s) == nil
		}
		if s.listed {
			w.openBelow(s.dir)
		}
		last = &s.next
	}
	for w.ahead.open < maxAhead {
		index := d.entries.nextDirectory()
		if index < 0 {
			return
		}
		sub := new(Directory)
		if w.openDir(sub, d, string(d.entries.list.At(index).Name)) != nil {
			continue // The walk meets the error when it enters the subdirectory.
		}
		s := w.ahead.unusedSubdirectory()
		s.dir, s.index, s.next, s.packed, s.whole, s.ready, s.listed = sub, index, nil, s.packed[:0], true, false, false
		s.claimed.Store(false)
		*last, last = s, &s.next
		w.ahead.send(w.ctx, s)
	}
}

// take returns the subdirectory of d with an index, open and no longer ahead, or nil if it is not open.
func (w *preOrderWalk) take(d *Directory, index int) *subdirectory {
	s := d.ahead
	if s == nil || s.index != index {
		return nil
	}
	d.ahead = s.next
	w.ahead.open--
	switch {
	case s.ready:
	case s.claimed.CompareAndSwap(false, true):
		s.whole = false
	default:
		<-s.done
	}
	return s
}

// enterAhead enters a subdirectory that was taken. If it fails, no handle stays open.
func (w *preOrderWalk) enterAhead(s *subdirectory) (*Directory, error) {
	d := s.dir
	var err error
	if !s.listed {
		err = w.list(s)
	}
	s.dir = nil
	w.ahead.unused = append(w.ahead.unused, s)
	if err != nil {
		d.open.Release()
		return nil, err
	}
	return d, nil
}

// list gets the first list of a subdirectory.
func (w *preOrderWalk) list(s *subdirectory) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	if s.whole {
		s.dir.entries.packed = s.packed
	}
	return w.read(s.dir)
}

// drop releases what is still open ahead below d.
func (w *preOrderWalk) drop(d *Directory) {
	for d.ahead != nil {
		w.release(w.take(d, d.ahead.index).dir)
	}
}

// release releases d and what is still open ahead below it.
func (w *preOrderWalk) release(d *Directory) {
	w.drop(d)
	d.open.Release()
}

// unusedSubdirectory returns a subdirectory to be opened.
func (a *ahead) unusedSubdirectory() *subdirectory {
	a.open++
	last := len(a.unused) - 1
	if last < 0 {
		return &subdirectory{done: make(chan struct{}, 1), packed: make([]byte, 0, 512)}
	}
	s := a.unused[last]
	a.unused = a.unused[:last]
	return s
}

// send gives a subdirectory to the other goroutine, unless too many wait. It starts the goroutine.
func (a *ahead) send(ctx context.Context, s *subdirectory) {
	if a.todo == nil {
		a.todo = make(chan *subdirectory, 2*maxAhead)
		a.reading.Go(func() {
			for s := range a.todo {
				if s.claimed.CompareAndSwap(false, true) {
					s.read(ctx)
					s.done <- struct{}{}
				}
			}
		})
	}
	select {
	case a.todo <- s:
	default:
	}
}

// stop ends the other goroutine.
func (a *ahead) stop() {
	if a.todo != nil {
		close(a.todo)
		a.reading.Wait()
	}
}
