package search

import (
	"context"
	"runtime"
	"sync"
	"time"

	"gander/internal/admission"
	"gander/internal/files/walk"
	"gander/internal/search/automaton"
	"gander/internal/search/match"
)

const (
	maxWorkers = 8
	maxWaiting = 16 // workers if opening files waits for the file system
	helpAfter  = 3 * time.Millisecond
	// If opening a file takes longer than slowOpen on average of at least enoughOpened, it waits.
	slowOpen     = 250 * time.Microsecond
	enoughOpened = 2
	// Each largeProgram instructions of a program reduce the number of workers by two, because the
	// memory of a worker is proportional to them.
	largeProgram = 1 << 16
	// workerMemory is the maximum size of the states of a worker, in bytes. With 2 MiB, 16 workers
	// need 79 MB and 7 % less processor time for an exploding pattern, instead of 53 MB.
	workerMemory = 1 << 20

	maxWindow = 20 // tasks whose results the consumer has not taken
	taskItems = 16
	taskDirs  = 4 // open directories of a task
)

// A pool is a search. It begins without workers: the goroutine of the consumer walks, searches each
// file and yields the results. If that takes long, workers search files ahead of it, and it yields
// their results in order. There is no deadlock: a worker waits only for the consumer to take its
// results, and the consumer only for its next task, and only if a worker has begun it.
//
// All methods run on the goroutine of the consumer. Workers use ctx, o, matcher, queue and batches.
type pool struct {
	ctx     context.Context
	cancel  context.CancelFunc
	o       Options
	matcher *match.Matcher
	merger  *merger
	scanner *scanner  // whose lines go to the merger
	cutoff  time.Time // after which no document is searched, or zero

	began   time.Time
	opened  int           // the number of files opened before workers joined
	opening time.Duration // the time that this took
	workers int
	weight  int // the memory that each worker reserves
	running sync.WaitGroup
	queue   chan *task // some of its tasks have begun
	batches sync.Pool  // holds *batch

	tasks    []*task // the files to search, in order
	next     *task   // is completed, and then added to tasks
	lastPath string  // the path of the last of the directories of next
	queued   int     // the number of files in tasks so far
}

func newPool(
	parent context.Context, m *match.Matcher, o Options, yield func(Result, error) bool,
) *pool {
	if o.Totals == nil {
		o.Totals = new(Totals)
	}
	if o.Output != Lines {
		o.Before, o.After = 0, 0
	}
	ctx, cancel := context.WithCancel(parent)
	searcher := newSearcher(ctx, m, automaton.StateMemory)
	p := &pool{
		ctx: ctx, cancel: cancel, o: o, matcher: m,
		cutoff: cutoff(ctx), began: time.Now(), weight: admission.Working,
		queue: make(chan *task, 2*(maxWindow+1)), // for files and for blocks
	}
	p.merger = &merger{ctx: ctx, o: &p.o, yield: yield, searcher: searcher}
	p.scanner = p.newScanner(searcher, p.merger)
	return p
}

// reserve reserves the memory for documents that the consumer searches, and waits until it is free.
func (p *pool) reserve() error {
	if p.o.Documents == nil || !p.o.WithDocuments {
		return nil
	}
	err := admission.Reserve(p.ctx, documentMemory)
	p.scanner.reserved = err == nil
	return err
}

func (p *pool) close() {
	p.cancel()
	p.running.Wait()
	p.merger.source.close()
	if p.scanner.reserved {
		admission.Release(p.ctx, documentMemory)
	}
	for range p.workers {
		admission.ReleaseWorker(p.ctx, p.weight)
	}
	if p.next != nil {
		p.tasks = append(p.tasks, p.next)
	}
	for _, t := range p.tasks {
		t.closeDirs()
		for i := range t.items {
			t.items[i].close()
		}
	}
}

// help starts workers if the search has taken long.
func (p *pool) help() {
	early := !p.o.eager && time.Since(p.began) < helpAfter
	if p.workers > 0 || early {
		return
	}
	limit := p.o.Workers
	switch {
	case limit != 0:
	case p.opening > time.Duration(p.opened)*slowOpen:
		limit, p.weight = maxWaiting, admission.Waiting
	default:
		limit = min(runtime.GOMAXPROCS(0), maxWorkers)
	}
	limit = min(limit, maxWaiting-2*p.matcher.Size()/largeProgram)
	for p.workers < limit && admission.AcquireWorker(p.ctx, p.weight) {
		p.workers++
		p.running.Go(p.newWorker().work)
	}
}

// window is the maximum number of tasks whose results the consumer has not taken.
func (p *pool) window() int {
	if p.workers == 0 {
		return 0
	}
	return min(2*p.workers+2, maxWindow)
}

// offer gives a task to the workers. If they have enough, the consumer will search it.
func (p *pool) offer(t *task) {
	select {
	case p.queue <- t:
	default:
	}
}

// searchEntry searches an entry of the walk, or gives it to the workers, if any.
func (p *pool) searchEntry(e walk.Entry, i item) error {
	if p.opened >= enoughOpened || p.o.eager {
		p.help()
	}
	i.path, i.name, i.kind = e.Path(), string(e.Name), e.FileKind()
	if p.workers > 0 {
		return p.queueItem(i, e.Dir)
	}
	p.beginItem(&i)
	if i.err == nil {
		start := time.Now()
		i.setFile(e.File())
		p.opened++
		p.opening += time.Since(start)
	}
	return p.searchItem(&i)
}

// queueItem adds an item to the next task, which it offers when it is large enough.
func (p *pool) queueItem(i item, in *walk.Directory) error {
	if p.next == nil {
		p.next = newTask()
	}
	t := p.next
	isNewDir := len(t.dirs) == 0 || in.Path != p.lastPath
	if i.err == nil && isNewDir {
		dir, err := in.Share()
		if err == nil {
			t.dirs, p.lastPath = append(t.dirs, dir), in.Path
		}
		i.err = err
	}
	if i.err == nil {
		i.dir = t.dirs[len(t.dirs)-1]
	}
	t.items = append(t.items, i)
	p.queued++
	enough := min(taskItems, 1+p.queued/64) // few at first, because a search often has its page soon
	if len(t.items) < enough && len(t.dirs) < taskDirs {
		return nil
	}
	p.offerNext()
	return p.consumeTasks(p.window())
}

func (p *pool) offerNext() {
	if p.next != nil {
		p.offer(p.next)
		p.tasks, p.next = append(p.tasks, p.next), nil
	}
}

// drain yields the results of all tasks.
func (p *pool) drain() error {
	p.offerNext()
	if err := p.consumeTasks(0); err != nil {
		return err
	}
	return p.ctx.Err()
}

// consumeTasks yields the results of the first tasks until at most n remain.
func (p *pool) consumeTasks(n int) error {
	for len(p.tasks) > n {
		if err := p.consume(p.tasks[0]); err != nil {
			return err
		}
		p.tasks = p.tasks[1:]
	}
	return nil
}
