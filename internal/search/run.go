package search

import (
	"context"
	"runtime"
	"sync"
	"time"

	"gander/internal/admission"
	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/search/automaton"
	"gander/internal/search/match"
)

const (
	maxWorkers = 8
	maxWaiting = 16 // workers if opening files waits for the file system
	helpAfter  = 3 * time.Millisecond
	// If opening at least enoughOpened files takes longer than slowOpen on average, it waits.
	slowOpen     = 250 * time.Microsecond
	enoughOpened = 2
	// smallProgram is the memory for a program that a worker does not reserve, in bytes.
	smallProgram = 64 << 10
	// workerMemory is the maximum size of the states of a worker, in bytes. With 2 MiB, 16 workers
	// on an exploding pattern take 79 MB instead of 53, and 7 % less processor time.
	workerMemory = 1 << 20

	maxWindow = 20 // tasks whose results the run has not yielded
	taskItems = 16
	taskDirs  = 4 // open directories of a task
)

// A run is one search. It begins without workers: it walks, searches each file and yields the
// results. If that takes long, workers search files ahead of it, and it yields their results in
// order. There is no deadlock: a worker waits only for the run to take its batches, and the run
// only for its next task, and only if a worker has claimed it.
//
// All methods run on the goroutine of the caller. Workers use what does not change during the
// search, the queue and batches.
type run struct {
	ctx            context.Context // of the search, for its workers and for the lines that it yields
	cancel         context.CancelFunc
	o              Options
	matcher        *match.Matcher
	start          workspace.Location
	documentCutoff time.Time // after which no document is searched, or zero

	yield    func(Result, error) bool // takes the results
	scanner  *scanner                 // whose lines are results of the current file
	file     currentFile
	stream   *stream         // that is searched, or nil
	spans    *match.Searcher // finds the matches in results
	searched Line            // the line whose matches are found
	ended    bool            // Progress has ended the search while a line was read again

	// How fast the search has been without workers.
	began   time.Time
	opened  int // files
	opening time.Duration

	workers int
	weight  int // the memory that each worker reserves
	running sync.WaitGroup
	queue   chan *task // some of its tasks have been claimed or are no longer wanted
	batches sync.Pool  // holds *batch

	tasks  []*task // the files to search, in order
	next   *task   // is completed, and then added to tasks
	queued int     // the number of files in tasks so far
}

// waits reports whether opening files waits for the file system.
func (r *run) waits() bool { return r.opening > time.Duration(r.opened)*slowOpen }

// newRun begins a search.
func newRun(
	parent context.Context, m *match.Matcher, start workspace.Location, o Options,
	yield func(Result, error) bool,
) *run {
	if o.Totals == nil {
		o.Totals = new(Totals)
	}
	if o.Progress == nil {
		o.Progress = func(int64, bool) bool { return true }
	}
	if o.Output != Lines {
		o.Before, o.After = 0, 0
	}
	ctx, cancel := context.WithCancel(parent)
	r := &run{
		ctx: ctx, cancel: cancel, o: o, matcher: m, start: start, documentCutoff: cutoff(ctx),
		yield: yield, began: time.Now(),
		queue: make(chan *task, 2*(maxWindow+1)), // for files and for blocks
	}
	r.spans = r.newSearcher(automaton.StateMemory)
	r.scanner = r.newScanner(r.spans, r.takeLine)
	return r
}

// reserve reserves the memory for documents that the run searches, and waits until it is free.
func (r *run) reserve() error {
	if r.o.Documents == nil || !r.o.WithDocuments {
		return nil
	}
	err := admission.Reserve(r.ctx, documentMemory)
	r.scanner.reserved = err == nil
	return err
}

func (r *run) close() {
	r.cancel()
	r.running.Wait()
	r.file.reopened.close()
	if r.scanner.reserved {
		admission.Release(r.ctx, documentMemory)
	}
	for range r.workers {
		admission.ReleaseWorker(r.ctx, r.weight)
		admission.Release(r.ctx, r.programMemory())
	}
	if r.next != nil {
		r.tasks = append(r.tasks, r.next)
	}
	for _, t := range r.tasks {
		t.closeDirs()
	}
}

// help starts workers if the search has taken long.
func (r *run) help() {
	isEarly := !r.o.eager && time.Since(r.began) < helpAfter
	if r.workers > 0 || isEarly {
		return
	}
	limit := r.o.Workers
	r.weight = admission.Working
	switch {
	case limit != 0:
	case r.waits():
		limit, r.weight = maxWaiting, admission.Waiting
	default:
		limit = min(runtime.GOMAXPROCS(0), maxWorkers)
	}
	for r.workers < limit && r.acquireWorker() {
		r.workers++
		r.running.Go(r.newWorker().work)
	}
}

// acquireWorker reports whether another worker may run. It does not wait: the call has reserved
// memory already if its program is large.
func (r *run) acquireWorker() bool {
	if !admission.AcquireWorker(r.ctx, r.weight) {
		return false
	}
	if admission.Reserve(r.ctx, r.programMemory()) != nil {
		admission.ReleaseWorker(r.ctx, r.weight)
		return false
	}
	return true
}

// programMemory returns the number of bytes that each worker reserves for the program.
func (r *run) programMemory() int64 {
	if n := r.matcher.WorkerMemory(); n > smallProgram {
		return int64(n)
	}
	return 0
}

// window is the maximum number of tasks whose results the run has not yielded.
func (r *run) window() int {
	return min(2*r.workers+2, maxWindow)
}

// offer gives a task to the workers. If they have enough, the run will search it.
func (r *run) offer(t *task) {
	select {
	case r.queue <- t:
	default:
	}
}

// searchEntry searches an entry of the walk, or gives it to the workers, if any.
func (r *run) searchEntry(e walk.Entry, i item) error {
	if r.opened >= enoughOpened || r.o.eager {
		r.help()
	}
	switch {
	case r.workers > 0:
		return r.queueItem(i, e.Dir)
	case i.err != nil:
		return r.searchItem(&i)
	}
	before := time.Now()
	f, err := e.File()
	r.opened++
	r.opening += time.Since(before)
	if err == nil {
		defer f.Close()
	}
	i.file, i.err = f, err
	return r.searchItem(&i)
}

// queueItem adds an item to the next task, which it offers when it is large enough.
func (r *run) queueItem(i item, in *walk.Directory) error {
	enough := min(taskItems, 1+r.queued/64) // few at first, because a search often has its page soon
	if r.next == nil {
		r.next = newTask(r.ctx, make([]item, 0, enough)...)
	}
	t := r.next
	if i.err == nil {
		i.dir, i.err = t.share(in)
	}
	t.items = append(t.items, i)
	r.queued++
	if len(t.items) < enough && len(t.dirs) < taskDirs {
		return nil
	}
	r.offerNext()
	return r.consumeTasks(r.window())
}

func (r *run) offerNext() {
	if r.next != nil {
		r.offer(r.next)
		r.tasks, r.next = append(r.tasks, r.next), nil
	}
}

// drain yields the results of all tasks.
func (r *run) drain() error {
	r.offerNext()
	if err := r.consumeTasks(0); err != nil {
		return err
	}
	return r.ctx.Err()
}

// consumeTasks yields the results of the first tasks until at most n remain.
func (r *run) consumeTasks(n int) error {
	for len(r.tasks) > n {
		if err := r.consume(r.tasks[0]); err != nil {
			return err
		}
		r.tasks = r.tasks[1:]
	}
	return nil
}
