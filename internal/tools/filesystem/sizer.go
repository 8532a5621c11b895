package filesystem

import (
	"runtime"
	"slices"
	"sync"
	"unicode/utf8"

	"gander/internal/files/workspace"
)

const (
	batchEntries = 512 // entries of a batch, at most
	maxBatches   = 8   // batches that a sizer is ahead of its consumer
	maxWorkers   = 4   // goroutines that work for a call
)

// A sized entry is an entry of a directory, with its size once that is known.
type sized struct {
	name []byte
	kind workspace.EntryKind
	size int64
}

// A batch holds entries and their names.
type batch struct {
	entries []sized
	names   []byte
}

// add adds an entry. It does not retain name.
func (b *batch) add(name []byte, kind workspace.EntryKind) {
	start := len(b.names)
	b.names = append(b.names, name...)
	b.entries = append(b.entries, sized{name: b.names[start:], kind: kind})
}

func (b *batch) full() bool { return len(b.entries) == batchEntries }

// A sizer finds the sizes of the entries of a directory, on several goroutines if there are many. It passes the entries to its
// consumer in the order in which they were added.
type sizer struct {
	dir     *workspace.Dir
	consume func(sized)  // must not retain the name
	batch   *sizeBatch   // is being filled
	pending []*sizeBatch // with the workers, in order
	free    []*sizeBatch
	todo    chan *sizeBatch // nil until there are workers
	running int             // workers
	workers sync.WaitGroup
}

// A sizeBatch is a number of entries for one worker.
type sizeBatch struct {
	batch
	done  chan struct{}
	panic any // the value with which the worker has panicked
}

// newSizer returns a sizer, which must be closed.
func newSizer(dir *workspace.Dir, consume func(sized)) *sizer {
	return &sizer{dir: dir, consume: consume, batch: newSizeBatch()}
}

func newSizeBatch() *sizeBatch { return &sizeBatch{done: make(chan struct{}, 1)} }

// add adds an entry. It does not retain name.
func (s *sizer) add(name []byte, kind workspace.EntryKind) {
	if s.batch.add(name, kind); s.batch.full() {
		s.send()
	}
}

// send gives the batch to a worker, and begins another.
func (s *sizer) send() {
	if s.todo == nil {
		s.start()
	}
	if s.running > 0 {
		s.todo <- s.batch
	} else {
		s.batch.work(s.dir)
	}
	s.pending = append(s.pending, s.batch)
	if len(s.pending) == maxBatches {
		s.take()
	}
	if last := len(s.free) - 1; last >= 0 {
		s.batch, s.free = s.free[last], s.free[:last]
	} else {
		s.batch = newSizeBatch()
	}
}

// start starts the workers. There are fewer, or none, if the directory cannot be opened for each of them.
func (s *sizer) start() {
	s.todo = make(chan *sizeBatch, maxBatches)
	for range min(runtime.GOMAXPROCS(0), maxWorkers) {
		dir, err := s.dir.Clone()
		if err != nil {
			return
		}
		s.running++
		s.workers.Go(func() {
			defer dir.Close()
			for b := range s.todo {
				b.work(dir)
			}
		})
	}
}

// take waits for the first pending batch and passes its entries to the consumer.
func (s *sizer) take() {
	b := s.pending[0]
	s.pending = slices.Delete(s.pending, 0, 1)
	<-b.done
	if b.panic != nil {
		panic(b.panic)
	}
	for _, e := range b.entries {
		s.consume(e)
	}
	b.entries, b.names = b.entries[:0], b.names[:0]
	s.free = append(s.free, b)
}

// finish passes all entries to the consumer that it has not had.
func (s *sizer) finish() {
	s.batch.work(s.dir)
	s.pending = append(s.pending, s.batch)
	for len(s.pending) > 0 {
		s.take()
	}
}

// close ends the workers.
func (s *sizer) close() {
	if s.todo != nil {
		close(s.todo)
	}
	s.workers.Wait()
}

// work finds the sizes of the entries of a batch.
func (b *sizeBatch) work(dir *workspace.Dir) {
	defer func() {
		b.panic = recover()
		b.done <- struct{}{}
	}()
	for i := range b.entries {
		e := &b.entries[i]
		e.size = sizeOf(dir, e.name, e.kind)
	}
}

// sizeOf returns the size of what an entry leads to, or 0 where it cannot be looked at.
func sizeOf(dir *workspace.Dir, name []byte, kind workspace.EntryKind) int64 {
	if !utf8.Valid(name) {
		return 0 // the original looks for its lossy name
	}
	look := dir.Lstat
	if kind == workspace.Symlink {
		look = dir.Stat
	}
	info, err := look(string(name))
	if err != nil {
		return 0
	}
	return info.Size
}
