package search

import (
	"fmt"
	"runtime/debug"
)

const (
	// batchText and batchEvents limit the size of a batch.
	batchText   = 64 << 10
	batchEvents = 256
)

// A batch holds the next results of a task.
type batch struct {
	events []event
	text   []byte // the text of the lines
	last   bool
	panic  error // a panic of the worker with its stack, which the consumer repeats
}

// An event is a line, or the ending of an item.
type event struct {
	line Line
	end  *ending // nil for a line
	err  error
}

func (r *run) newBatch() *batch {
	b, ok := r.batches.Get().(*batch)
	if !ok {
		return new(batch)
	}
	clear(b.events)
	*b = batch{events: b.events[:0], text: b.text[:0]}
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
	w.scanner = r.newScanner(r.newSearcher(workerMemory), w)
	return w
}

// work searches tasks until the search ends, or until a panic, which it sends to the consumer.
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
		if err == errStopped {
			return
		}
		if w.add(event{end: &end, err: err}) != nil {
			return
		}
	}
	w.batch.last = true
	_ = w.flush()
}

// line implements [receiver].
func (w *worker) line(l Line) error { return w.add(event{line: l}) }

func (w *worker) add(e event) error {
	text := e.line.Text
	if len(w.batch.text)+len(text) > batchText || len(w.batch.events) == batchEvents {
		if err := w.flush(); err != nil {
			return err
		}
	}
	start := len(w.batch.text)
	w.batch.text = append(w.batch.text, text...)
	e.line.Text = w.batch.text[start:len(w.batch.text):len(w.batch.text)]
	w.batch.events = append(w.batch.events, e)
	return nil
}

// flush sends the batch to the consumer, or returns errStopped if nobody wants the results.
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
