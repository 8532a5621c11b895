package search

import (
	"context"
	"iter"
	"sync"

	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/search/match"
)

// These limit how far several workers read ahead of the consumer. With three batches for each job, they hold at most 8 MiB of
// results and 272 open files.
const (
	maxJobs  = 16        // jobs that wait for the consumer
	jobFiles = 16        // files of a job
	jobBytes = 512 << 10 // size of the files of a job, at which no more are added

	batchText    = 64 << 10
	batchResults = 256
)

// A job is a list of files for one worker to search. Its results come in batches.
type job struct {
	items   []item
	size    int64
	batches chan *batch
}

// An item is a file to search, or an error about an entry of the walk.
type item struct {
	path string
	file *workspace.File // nil if there is an error
	err  error
}

// A batch holds results of a job.
type batch struct {
	results []itemResult
	text    []byte // the text of the results
	last    bool   // the job has ended
	panic   any    // the value with which the job has panicked
}

type itemResult struct {
	Result
	err error
}

// A pool is a search with several workers. One of them walks, opens the files, and makes jobs of them for the others. If these are
// all busy, it does a job itself.
//
// There is no deadlock: a worker waits only for the consumer, and the consumer only for the first job that is not finished. Jobs
// are handed out in order, so that job is under way, or a worker is free to take it.
type pool struct {
	ctx     context.Context
	m       *match.Matcher
	o       *Options
	ordered chan *job // all jobs, in order
	todo    chan *job // the jobs for workers that do not walk
	free    sync.Pool // batches for reuse
	err     error     // the error that ended the walk
}

// searchParallel searches the files that a walk yields with several workers, and yields the results in order.
func searchParallel(parent context.Context, entries iter.Seq2[walk.Entry, error], m *match.Matcher, o *Options, yield func(Result, error) bool) error {
	ctx, cancel := context.WithCancel(parent)
	p := &pool{ctx: ctx, m: m, o: o, ordered: make(chan *job, maxJobs), todo: make(chan *job, o.Workers)}
	p.free.New = func() any { return &batch{text: make([]byte, 0, batchText)} }
	var workers sync.WaitGroup
	defer workers.Wait()
	defer cancel()
	workers.Go(func() { p.walk(entries) })
	for range o.Workers - 1 {
		workers.Go(func() {
			s := p.newWorker()
			for j := range p.todo {
				s.do(j)
			}
		})
	}
	if !p.consume(newSearcher(ctx, m), yield) {
		return nil
	}
	if err := parent.Err(); err != nil {
		return err
	}
	return p.err // set before the walk closed the channel
}

// consume yields the results of all jobs, and reports whether the consumer wants more.
func (p *pool) consume(searcher *match.Searcher, yield func(Result, error) bool) bool {
	for j := range p.ordered {
		for last := false; !last; {
			var b *batch
			select {
			case b = <-j.batches:
			case <-p.ctx.Done():
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
			p.free.Put(b)
		}
	}
	return true
}

// walk makes jobs of the entries of a walk.
func (p *pool) walk(entries iter.Seq2[walk.Entry, error]) {
	defer close(p.ordered)
	defer close(p.todo)
	s := p.newWorker()
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
			p.err = err
			return
		case p.ctx.Err() != nil:
			return
		case p.o.Totals.countError(err):
			j.items = append(j.items, item{path: e.Path(), err: err})
		}
		if len(j.items) >= jobFiles || j.size >= jobBytes {
			s.hand(j)
			j = newJob()
		}
	}
}

func newJob() *job { return &job{items: make([]item, 0, jobFiles), batches: make(chan *batch, 2)} }

// A worker does one job after another.
type worker struct {
	*pool
	scanner *scanner
	job     *job
	batch   *batch
}

func (p *pool) newWorker() *worker {
	w := &worker{pool: p}
	w.scanner = newScanner(p.ctx, p.m, p.o, func(r Result) bool { return w.add(itemResult{Result: r}) })
	return w
}

// hand gives a job to another worker, or does it if all are busy.
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

// do searches the files of a job and closes all of them, even if it ends early.
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
		case i.err != nil || w.o.Totals.countError(err):
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
