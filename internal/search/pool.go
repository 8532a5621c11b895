package search

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"gander/internal/admission"
	"gander/internal/files/workspace"
	"gander/internal/search/automaton"
	"gander/internal/search/match"
)

const (
	// maxWorkers is the maximum number of workers of a search, and maxWaiting if opening files waits
	// for the file system.
	maxWorkers, maxWaiting = 8, 16
	// helpAfter is the time after which workers help.
	helpAfter = 3 * time.Millisecond
	// slowOpen is the mean duration of opening a file above which opening waits for the file system.
	// At least enoughOpened files must have been opened.
	slowOpen     = 250 * time.Microsecond
	enoughOpened = 8
	// largeProgram is a size of a program, in instructions. For each multiple, two workers less help,
	// because each needs memory in proportion.
	largeProgram = 1 << 16
	// workerMemory is the maximum size of the states of a worker, in bytes.
	workerMemory = 2 << 20

	// maxWindow is the maximum number of tasks whose results have not been taken.
	maxWindow = 20
	// taskItems is the maximum number of files in a task.
	taskItems = 16
	// batchText and batchEvents limit the size of a batch.
	batchText   = 64 << 10
	batchEvents = 256
)

// An item is a file to search, or a block of an open file.
type item struct {
	walked Totals // the counts of the walk up to the file
	path   string
	err    error // of opening the file

	dir  *workspace.Dir // closed when the item is searched
	name string
	kind workspace.EntryKind

	file   *workspace.File // nil unless the item is a block
	region region
}

// A task is a list of items for one goroutine to search. Its results come in batches.
type task struct {
	items   []item
	last    bool // the item is the last block of its file
	batches chan *batch
	ended   atomic.Bool   // all results are in batches
	quit    chan struct{} // closed if the results are not wanted
	files   []*workspace.File
}

func newTask() *task { return &task{batches: make(chan *batch, 2), quit: make(chan struct{})} }

// A batch holds results of a task: the lines and the ending of each item.
type batch struct {
	events []event
	text   []byte // of the lines
	last   bool
	panic  any // the value of a panic, if any
}

// An event is a line, or the ending of an item.
type event struct {
	line Line
	end  *ending
	file *workspace.File // the open file, if more blocks follow
	err  error
}

// A pool is a search. It begins without workers: the goroutine of the consumer walks, searches each file
// and yields the results. If that takes long, workers search files ahead of it, and it yields their
// results in order.
//
// A worker waits only for the consumer to take its results. The consumer waits only for the first task
// of those whose results it has not taken, and only if a worker has begun it. There is no deadlock.
type pool struct {
	merger
	ctx     context.Context
	cancel  context.CancelFunc
	matcher *match.Matcher
	scanner *scanner // of the consumer's goroutine
	clock   clock

	batch    *task   // incomplete
	tasks    []*task // of the walk, in order
	left     []*task // whose results were not all received
	searched int     // number of files given to workers

	workers int
	weight  admission.Weight // of each worker
	running sync.WaitGroup
	free    sync.Pool // of batches

	mu            sync.Mutex
	wake          *sync.Cond
	files, blocks []*task // not yet begun
	closed        bool
}

func newPool(
	parent context.Context, m *match.Matcher, o *Options, yield func(Result, error) bool,
) *pool {
	p := &pool{matcher: m, weight: admission.Working, clock: clock{start: time.Now()}}
	p.ctx, p.cancel = context.WithCancel(parent)
	p.wake = sync.NewCond(&p.mu)
	p.free.New = func() any { return &batch{text: make([]byte, 0, batchText)} }
	p.merger = merger{o: o, out: yield, searcher: newSearcher(p.ctx, m, automaton.StateMemory)}
	p.scanner = newScanner(p.ctx, p.searcher, o, p.line)
	return p
}

// A clock measures how long opening files takes. It is safe for concurrent use.
type clock struct {
	start        time.Time
	files, spent atomic.Int64
}

// opened records that a file has been opened since start.
func (c *clock) opened(start time.Time) {
	c.files.Add(1)
	c.spent.Add(int64(time.Since(start)))
}

// waits reports whether opening files waits for the file system.
func (c *clock) waits() bool {
	n := c.files.Load()
	return n >= enoughOpened && time.Duration(c.spent.Load()/n) > slowOpen
}

// help starts workers if the search takes long.
func (p *pool) help() {
	if p.workers > 0 && (p.weight == admission.Waiting || !p.clock.waits()) {
		return
	}
	if p.o.started == nil && time.Since(p.clock.start) < helpAfter {
		return
	}
	most := p.o.Workers
	if most == 0 {
		most = min(runtime.GOMAXPROCS(0), maxWorkers)
	}
	if p.o.Workers == 0 && p.clock.waits() {
		most = maxWaiting
		for range p.workers {
			admission.ReleaseWorker(p.ctx, p.weight-admission.Waiting)
		}
		p.weight = admission.Waiting
	}
	most = min(most, maxWaiting-2*p.matcher.Size()/largeProgram)
	for p.workers < most && admission.AcquireWorker(p.ctx, p.weight) {
		p.workers++
		p.running.Go(p.newWorker().work)
	}
}

// window returns the maximum number of outstanding tasks.
func (p *pool) window() int {
	if p.workers == 0 {
		return 0
	}
	return min(2*p.workers+2, maxWindow)
}

// close ends the workers and closes what they have open.
func (p *pool) close() {
	p.cancel()
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.wake.Broadcast()
	p.running.Wait()
	for range p.workers {
		admission.ReleaseWorker(p.ctx, p.weight)
	}
	if p.batch != nil {
		p.left = append(p.left, p.batch)
	}
	for _, t := range append(p.left, p.tasks...) {
		t.close()
	}
}

// close closes what is open in a task that no goroutine searches.
func (t *task) close() {
	for _, i := range t.items {
		if i.dir != nil {
			i.dir.Close()
		}
	}
	for _, f := range t.files {
		_ = f.Close() // again, perhaps
	}
}

// push gives a task to the workers.
func (p *pool) push(t *task, block bool) {
	p.mu.Lock()
	if block {
		p.blocks = append(p.blocks, t)
	} else {
		p.files = append(p.files, t)
	}
	p.mu.Unlock()
	p.wake.Signal()
}

// take removes a task that no worker has begun, and reports whether it did.
func (p *pool) take(t *task) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, queue := range []*[]*task{&p.blocks, &p.files} {
		if i := slices.Index(*queue, t); i >= 0 {
			*queue = slices.Delete(*queue, i, i+1)
			return true
		}
	}
	return p.workers == 0
}

// next returns a task for a worker, or nil if there will be none.
func (p *pool) next() *task {
	p.mu.Lock()
	defer p.mu.Unlock()
	for !p.closed {
		for _, queue := range []*[]*task{&p.blocks, &p.files} {
			if len(*queue) > 0 {
				t := (*queue)[0]
				*queue = slices.Delete(*queue, 0, 1)
				return t
			}
		}
		p.wake.Wait()
	}
	return nil
}

// abandon ends a task whose results are not wanted.
func (p *pool) abandon(t *task) {
	close(t.quit)
	if p.take(t) {
		t.close()
	}
}
