package search

import (
	"context"
	"iter"
	"sync"

	"gander/internal/engine/search/match"
	"gander/internal/engine/walk"
	"gander/internal/engine/workspace"
)

// Bounds on what several workers do ahead of the consumer. With three batches of each job they hold at most 8 MiB of results
// and 272 open files.
const (
	maxJobs  = 16        // that wait for the consumer
	jobFiles = 16        // in one job
	jobBytes = 512 << 10 // in the files of a job, unless it has only one

	batchText    = 64 << 10
	batchResults = 256
)

// A job is a run of files that one worker searches. Its results come in batches, the last of which says so.
type job struct {
	items   []item
	size    int64
	batches chan *batch
}

// An item is a file to be searched, or the error about an entry of the walk.
type item struct {
	path string
	file *workspace.File // nil if there is an error
	err  error
}

// A batch is some results of a job, whose text it holds.
type batch struct {
	results []itemResult
	text    []byte
	last    bool
	panic   any // with which the job has ended
}

type itemResult struct {
	Result
	err error
}

// An ahead searches files ahead of the consumer: one goroutine walks, opens the files, and hands them to the others in jobs.
// If none of them is free, it does a job itself.
//
// No two wait for each other: each goroutine does its jobs in order, so the job that the consumer waits for is done, under way,
// or the next that some goroutine takes which waits for nothing.
type ahead struct {
	ctx     context.Context
	m       *match.Matcher
	o       *Options
	ordered chan *job // all jobs, in order
	todo    chan *job // those that the workers do
	free    sync.Pool // of *batch
	err     error     // that ended the walk
}

// searchAhead searches the files that a walk yields with several workers, and yields the results in order.
func searchAhead(parent context.Context, entries iter.Seq2[walk.Entry, error], m *match.Matcher, o *Options, yield func(Result, error) bool) error {
	ctx, cancel := context.WithCancel(parent)
	a := &ahead{ctx: ctx, m: m, o: o, ordered: make(chan *job, maxJobs), todo: make(chan *job, o.Workers)}
	a.free.New = func() any { return &batch{text: make([]byte, 0, batchText)} }
	var workers sync.WaitGroup
	defer workers.Wait()
	defer cancel()
	workers.Go(func() { a.walk(entries) })
	for range o.Workers - 1 {
		workers.Go(func() {
			s := a.newWorker()
			for j := range a.todo {
				s.do(j)
			}
		})
	}
	if !a.consume(newSearcher(ctx, m), yield) {
		return nil
	}
	if err := parent.Err(); err != nil {
		return err
	}
	return a.err // the walk has ended, as it has closed the channel
}

// consume yields the results of all jobs, and reports whether the consumer wants more.
func (a *ahead) consume(searcher *match.Searcher, yield func(Result, error) bool) bool {
	for j := range a.ordered {
		for last := false; !last; {
			var b *batch
			select {
			case b = <-j.batches:
			case <-a.ctx.Done():
				return true
			}
			if b.panic != nil {
				panic(b.panic)
			}
			for _, r := range b.results {
				r.Line.searcher = searcher
				if !yield(r.Result, r.err) {
					return false
				}
			}
			last = b.last
			b.results, b.text, b.last = b.results[:0], b.text[:0], false
			a.free.Put(b)
		}
	}
	return true
}

// walk makes jobs of the entries that a walk yields.
func (a *ahead) walk(entries iter.Seq2[walk.Entry, error]) {
	defer close(a.ordered)
	defer close(a.todo)
	s := a.newWorker()
	j := newJob()
	defer func() { s.hand(j) }()
	for e, err := range entries {
		var f *workspace.File
		if err == nil {
			f, err = e.File()
		}
		switch {
		case err == nil:
			j.items = append(j.items, item{path: e.Path(), file: f})
			j.size += f.Size()
		case e.Dir == nil:
			a.err = err
			return
		case a.ctx.Err() != nil:
			return
		case a.o.Totals.tells(err):
			j.items = append(j.items, item{path: e.Path(), err: err})
		}
		if len(j.items) >= jobFiles || j.size >= jobBytes {
			s.hand(j)
			j = newJob()
		}
	}
}

func newJob() *job { return &job{items: make([]item, 0, jobFiles), batches: make(chan *batch, 2)} }

// A worker does one job after the other.
type worker struct {
	*ahead
	scanner *scanner
	job     *job
	batch   *batch
}

func (a *ahead) newWorker() *worker {
	w := &worker{ahead: a}
	w.scanner = newScanner(a.ctx, a.m, a.o, func(r Result) bool { return w.add(itemResult{Result: r}) })
	return w
}

// hand gives a job to another worker, or does it if none takes it.
func (w *worker) hand(j *job) {
	if len(j.items) == 0 {
		return
	}
	select {
	case w.ordered <- j:
	case <-w.ctx.Done():
		w.do(j)
		return
	}
	select {
	case w.todo <- j:
	default:
		w.do(j)
	}
}

// do searches the files of a job, and closes them whatever happens.
func (w *worker) do(j *job) {
	w.job, w.batch = j, w.free.Get().(*batch)
	next := 0
	defer func() {
		w.batch.panic = recover()
		for _, i := range j.items[next:] {
			if i.file != nil {
				_ = i.file.Close()
			}
		}
		w.batch.last = true
		w.flush()
	}()
	for _, i := range j.items {
		next++
		err := i.err
		if err == nil {
			w.scanner.path = i.path
			err = w.scanner.scan(i.file)
		}
		switch {
		case err == nil:
		case err == errStopped || w.ctx.Err() != nil:
			return
		case i.err != nil || w.o.Totals.tells(err):
			w.add(itemResult{Result{Path: i.path}, err})
		}
	}
}

// add adds a result to the batch, and reports whether to go on.
func (w *worker) add(r itemResult) bool {
	if len(w.batch.text)+len(r.Line.Text) > batchText || len(w.batch.results) == batchResults {
		if !w.flush() {
			return false
		}
		w.batch = w.free.Get().(*batch)
	}
	start := len(w.batch.text)
	w.batch.text = append(w.batch.text, r.Line.Text...)
	r.Line.Text = w.batch.text[start:]
	w.batch.results = append(w.batch.results, r)
	return true
}

// flush sends the batch to the consumer, and reports whether to go on.
func (w *worker) flush() bool {
	select {
	case w.job.batches <- w.batch:
		return true
	case <-w.ctx.Done():
		return false
	}
}
