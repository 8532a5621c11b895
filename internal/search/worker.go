package search

// A worker searches one task after another.
type worker struct {
	pool    *pool
	scanner *scanner
	task    *task
	batch   *batch
}

// newWorker returns a worker. Only the goroutine of the consumer calls it, because the merger changes.
func (p *pool) newWorker() *worker {
	w := &worker{pool: p}
	searcher := newSearcher(p.ctx, p.matcher, workerMemory)
	w.scanner = newScanner(p.ctx, searcher, p.o, w.line)
	w.scanner.named = p.named
	return w
}

// work searches tasks until the pool is closed.
func (w *worker) work() {
	for t := w.pool.next(); t != nil; t = w.pool.next() {
		w.do(t)
	}
}

// do searches the items of a task.
func (w *worker) do(t *task) {
	w.task, w.batch = t, w.newBatch()
	defer func() {
		w.batch.panic = recover()
		w.batch.last = true
		t.ended.Store(true)
		w.flush()
	}()
	if w.scanner.o.started != nil {
		w.scanner.o.started()
	}
	for n := range t.items {
		e := w.search(&t.items[n])
		if e.err != nil && w.pool.ctx.Err() != nil || !w.add(e) {
			return
		}
	}
}

// search searches an item and returns the event of its end.
func (w *worker) search(i *item) event {
	f := i.file
	if f != nil {
		e, err := w.scanner.scan(f, i.region)
		return event{end: &e, err: err}
	}
	f, err := i.open(&w.pool.clock)
	if err != nil {
		return event{err: err}
	}
	w.task.files = append(w.task.files, f)
	e, err := w.scanner.scanFirst(f)
	if err != nil || e.next == 0 {
		_ = f.Close()
		f, w.task.files = nil, w.task.files[:len(w.task.files)-1]
	}
	return event{end: &e, file: f, err: err}
}

func (w *worker) newBatch() *batch { return w.pool.free.Get().(*batch) }

// line adds a line of the current item.
func (w *worker) line(l Line) error {
	if !w.add(event{line: l}) {
		return errStopped
	}
	return nil
}

// add adds an event, and reports whether to continue.
func (w *worker) add(e event) bool {
	text := e.line.Text
	if len(w.batch.text)+len(text) > batchText || len(w.batch.events) == batchEvents {
		if !w.flush() {
			return false
		}
		w.batch = w.newBatch()
	}
	start := len(w.batch.text)
	w.batch.text = append(w.batch.text, text...)
	e.line.Text = w.batch.text[start:len(w.batch.text):len(w.batch.text)]
	w.batch.events = append(w.batch.events, e)
	return true
}

// flush sends the batch to the consumer, and reports whether to continue.
func (w *worker) flush() bool {
	select {
	case w.task.batches <- w.batch:
		return true
	case <-w.task.quit:
	case <-w.pool.ctx.Done():
	}
	w.batch = &batch{}
	return false
}
