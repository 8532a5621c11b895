package search

import (
	"fmt"
	"runtime/debug"
)

const (
	// batchText and batchLength limit the size of a batch.
	batchText   = 64 << 10
	batchLength = 256
)

// A batch holds the next results of a task.
type batch struct {
	lines []Line
	text  []byte // the text of the lines
	ends  []ending
	last  bool
	panic error // a panic of the worker with its stack, which the run repeats
}

func (r *run) newBatch() *batch {
	b, ok := r.batches.Get().(*batch)
	if !ok {
		return new(batch)
	}
	clear(b.lines)
	*b = batch{lines: b.lines[:0], text: b.text[:0], ends: b.ends[:0]}
	return b
}

// A worker searches tasks on a goroutine of its own.
type worker struct {
	run     *run
	scanner *scanner
	task    *task
	batch   *batch
}

func (r *run) newWorker() *worker {
	w := &worker{run: r, batch: r.newBatch()}
	w.scanner = r.newScanner(r.newSearcher(workerMemory), w.line)
	return w
}

// work searches tasks until the search ends, or until a panic, which it sends to the run.
func (w *worker) work() {
	defer func() {
		if p := recover(); p != nil {
			w.batch.panic = fmt.Errorf("%v\n\n%s", p, debug.Stack())
			_ = w.flush()
		}
	}()
	for w.run.ctx.Err() == nil {
		select {
		case t := <-w.run.queue:
			if t.ctx.Err() == nil && t.claim() {
				w.searchTask(t)
			}
		case <-w.run.ctx.Done():
		}
	}
}

// searchTask searches the items of a task.
func (w *worker) searchTask(t *task) {
	w.task = t
	defer t.closeDirs()
	if w.run.o.onTask != nil {
		w.run.o.onTask()
	}
	for n := range t.items {
		end, err := w.scanner.search(&t.items[n])
		if err == errStopped || w.makeRoom(0) != nil {
			return
		}
		end.err, end.after = err, len(w.batch.lines)
		w.batch.ends = append(w.batch.ends, end)
	}
	w.batch.last = true
	_ = w.flush()
}

// line adds a line to the batch.
func (w *worker) line(l Line) error {
	if err := w.makeRoom(len(l.Text)); err != nil {
		return err
	}
	start := len(w.batch.text)
	w.batch.text = append(w.batch.text, l.Text...)
	l.Text = w.batch.text[start:len(w.batch.text):len(w.batch.text)]
	w.batch.lines = append(w.batch.lines, l)
	return nil
}

// makeRoom flushes the batch if it has no room for a line of a size, or for an ending.
func (w *worker) makeRoom(size int) error {
	isFull := len(w.batch.lines)+len(w.batch.ends) == batchLength
	if isFull || len(w.batch.text)+size > batchText {
		return w.flush()
	}
	return nil
}

// flush sends the batch to the run, or returns errStopped if nobody wants the results.
func (w *worker) flush() error {
	b := w.batch
	w.batch = w.run.newBatch()
	select {
	case w.task.batches <- b:
		return nil
	case <-w.task.ctx.Done():
		return errStopped
	}
}
