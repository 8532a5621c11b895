package search

import (
	"context"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
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
type pool struct {
	merger
	cancel  context.CancelFunc
	matcher *match.Matcher
	scanner *scanner // of the consumer's goroutine

	began   time.Time
	opened  int           // number of files opened before workers joined
	opening time.Duration // of these files
	workers int
	weight  int // of each worker
	running sync.WaitGroup
	// files and blocks are queues. Some of their tasks have begun.
	files, blocks chan *task
	batches       sync.Pool // of *batch

	tasks  []*task         // of files, in order
	batch  *task           // the next of them, incomplete
	last   *walk.Directory // the directory of the last item of batch
	queued int             // number of files in tasks so far
}

func newPool(
	parent context.Context, m *match.Matcher, o *Options, yield func(Result, error) bool,
) *pool {
	p := &pool{
		matcher: m, weight: admission.Working, began: time.Now(),
		files: make(chan *task, maxWindow+1), blocks: make(chan *task, maxWindow+1),
	}
	p.ctx, p.cancel = context.WithCancel(parent)
	p.o, p.out = o, yield
	p.searcher = newSearcher(p.ctx, m, automaton.StateMemory)
	p.scanner = newScanner(p.ctx, p.searcher, o, p.line)
	return p
}

func (p *pool) close() {
	p.cancel()
	p.running.Wait()
	p.source.close()
	for range p.workers {
		admission.ReleaseWorker(p.ctx, p.weight)
	}
	if p.batch != nil {
		p.tasks = append(p.tasks, p.batch)
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
	if p.workers > 0 || p.o.started == nil && time.Since(p.began) < helpAfter {
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

// A file is a [workspace.File] or a [stream].
type file interface {
	io.ReaderAt
	io.Closer
	Size() int64
}

// An item is a file, or a block of an open file.
type item struct {
	walked Totals // the counts of the walk since the previous file
	path   string
	err    error // of the walk or of opening the file

	dir  *workspace.Dir // of the task
	name string
	kind workspace.EntryKind

	file   file   // nil if it is not open
	region region // of a block
}

// isBlock reports whether the item is a block other than the first, which counts as the file.
func (i *item) isBlock() bool { return i.region.start > 0 }

func (i *item) open() {
	if i.err == nil && !i.isBlock() {
		i.setFile(i.dir.File(i.name, i.kind))
	}
}

func (i *item) setFile(f *workspace.File, err error) {
	if err != nil {
		i.err = err
		return
	}
	i.file = f
}

func (i *item) close() {
	if i.file != nil && !i.isBlock() {
		_ = i.file.Close()
		i.file = nil
	}
}

// A task is a list of items for one goroutine to search.
type task struct {
	items   []item
	dirs    []*workspace.Dir
	begun   atomic.Bool // a goroutine searches the items, or none needs to
	batches chan *batch
	quit    chan struct{} // of a block, closed if its results are not wanted
}

func newTask(items ...item) *task {
	return &task{items: items, batches: make(chan *batch, 2)}
}

func (t *task) closeDirs() {
	for _, d := range t.dirs {
		_ = d.Close()
	}
}

// begin reports whether the caller must search the task, because nobody else does.
func (t *task) begin() bool { return !t.begun.Swap(true) }

// offer gives a task to the workers. If they have enough, the consumer will search it.
func offer(queue chan<- *task, t *task) {
	select {
	case queue <- t:
	default:
	}
}

// searchEntry searches an entry of the walk, or gives it to the workers, if any.
func (p *pool) searchEntry(e walk.Entry, i item) error {
	if p.opened >= enoughOpened || p.o.started != nil {
		p.help()
	}
	if p.workers > 0 {
		return p.queueEntry(e, i)
	}
	p.beginItem(&i)
	p.entry = e
	if i.err == nil {
		start := time.Now()
		i.setFile(e.File())
		p.opened++
		p.opening += time.Since(start)
	}
	return p.searchItem(&i)
}

func (p *pool) queueEntry(e walk.Entry, i item) error {
	if p.batch == nil {
		p.batch, p.last = newTask(), nil
	}
	t := p.batch
	i.path = e.Path()
	if i.err == nil && e.Dir != p.last {
		var dir *workspace.Dir
		if dir, i.err = e.Dir.Share(); i.err == nil {
			t.dirs, p.last = append(t.dirs, dir), e.Dir
		}
	}
	if i.err == nil {
		i.dir, i.name, i.kind = t.dirs[len(t.dirs)-1], string(e.Name), e.FileKind()
	}
	t.items = append(t.items, i)
	// The first tasks are small, because a search often has its page soon.
	p.queued++
	if len(t.items) < min(taskItems, 1+p.queued/64) && len(t.dirs) < taskDirs {
		return nil
	}
	p.offerBatch()
	return p.consumeTasks(p.window())
}

func (p *pool) offerBatch() {
	if p.batch != nil {
		offer(p.files, p.batch)
		p.tasks, p.batch = append(p.tasks, p.batch), nil
	}
}

func (p *pool) drain() error {
	p.offerBatch()
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
