package search

const (
	// batchText and batchEvents limit the size of a batch.
	batchText   = 64 << 10
	batchEvents = 256
)

// A batch holds the next results of a task.
type batch struct {
	events []event
	text   []byte // of the lines
	last   bool
	panic  any // passed on to the consumer
}

func (p *pool) newBatch() *batch {
	if b, ok := p.batches.Get().(*batch); ok {
		clear(b.events)
		*b = batch{events: b.events[:0], text: b.text[:0]}
		return b
	}
	return new(batch)
}

// An event is a line, or the ending of an item.
type event struct {
	line Line
	end  *ending // nil for a line
	err  error
}

type worker struct {
	pool    *pool
	scanner *scanner
	task    *task
	batch   *batch
}

// newWorker must be called by the goroutine of the consumer, because it changes the merger.
func (p *pool) newWorker() *worker {
	w := &worker{pool: p, batch: p.newBatch()}
	w.scanner = newScanner(p.ctx, newSearcher(p.ctx, p.matcher, workerMemory), p.o, w.line)
	w.scanner.named = p.named
	return w
}

// work searches tasks until the search ends. It prefers blocks: the consumer waits for them.
func (w *worker) work() {
	for w.pool.ctx.Err() == nil {
		var t *task
		select {
		case t = <-w.pool.blocks:
		default:
			select {
			case t = <-w.pool.blocks:
			case t = <-w.pool.files:
			case <-w.pool.ctx.Done():
				return
			}
		}
		if t.begin() && !w.do(t) {
			return
		}
	}
}

// do searches the items of a task. It reports whether there was no panic.
func (w *worker) do(t *task) (ok bool) {
	w.task = t
	defer func() {
		w.batch.panic = recover()
		w.batch.last = true
		ok = w.batch.panic == nil
		t.closeDirs()
		_ = w.flush()
	}()
	if w.scanner.o.started != nil {
		w.scanner.o.started()
	}
	for n := range t.items {
		i := &t.items[n]
		i.open()
		end, err := w.scanner.search(i)
		if err != nil && w.pool.ctx.Err() != nil || w.add(event{end: &end, err: err}) != nil {
			break
		}
	}
	return true
}

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

// flush sends the batch to the consumer, or returns errStopped if the results are not wanted.
func (w *worker) flush() error {
	b := w.batch
	w.batch = w.pool.newBatch()
	select {
	case w.task.batches <- b:
		return nil
	case <-w.task.quit:
	case <-w.pool.ctx.Done():
	}
	return errStopped
}
