package search

import "context"

// consume yields the results of a task. If no worker has claimed it, consume searches it.
func (r *run) consume(t *task) error {
	if !t.claim() {
		return r.receive(t)
	}
	defer t.closeDirs()
	for n := range t.items {
		if err := r.searchItem(&t.items[n]); err != nil {
			return err
		}
	}
	return nil
}

// receive yields the results of a task that a worker searches.
func (r *run) receive(t *task) error {
	next := 0 // item
	r.beginItem(&t.items[next])
	for {
		var b *batch
		select {
		case b = <-t.batches:
		case <-r.ctx.Done():
			return r.ctx.Err()
		}
		if b.panic != nil {
			panic(b.panic)
		}
		lines := 0 // taken from the batch
		for _, e := range b.ends {
			if err := r.takeLines(b.lines[lines:e.after]); err != nil {
				return err
			}
			lines = e.after
			if err := r.endItem(&t.items[next], e, e.err); err != nil {
				return err
			}
			next++
			if next < len(t.items) {
				r.beginItem(&t.items[next])
			}
		}
		if err := r.takeLines(b.lines[lines:]); err != nil {
			return err
		}
		last := b.last
		r.batches.Put(b)
		if last {
			return nil
		}
	}
}

// takeLines yields lines of the current item.
func (r *run) takeLines(lines []Line) error {
	for _, l := range lines {
		if err := r.takeLine(l); err != nil {
			return err
		}
	}
	return nil
}

// searchItem searches an item and yields its results.
func (r *run) searchItem(i *item) error {
	r.beginItem(i)
	e, err := r.scanner.search(i)
	return r.endItem(i, e, err)
}

// beginItem begins the results of an item.
func (r *run) beginItem(i *item) {
	r.o.Totals.add(&i.walked)
	if i.block == nil {
		r.file.reopened.close()
		r.file = currentFile{path: i.path, named: i.named}
	}
}

// endItem ends the results of an item. An error about a block ends the file.
func (r *run) endItem(i *item, e ending, err error) error {
	if i.block != nil {
		if err != nil {
			return err
		}
		return r.takeEnding(e, i.block.end == toEnd)
	}
	switch {
	case err != nil:
	case e.outcome == large, e.outcome == deferred:
		err = r.searchDeferred(i, e)
	default:
		err = r.takeEnding(e, true)
	}
	return r.fail(err)
}

// searchDeferred searches the file of an item that a scanner has left to the run, and opens it
// again unless it is the start.
func (r *run) searchDeferred(i *item, e ending) error {
	if i.file == nil {
		f, err := r.start.Join(i.path).File()
		if err != nil {
			return err
		}
		defer f.Close()
		i.file = f
	}
	if e.outcome == deferred {
		var err error
		e, err = r.scanner.search(i)
		if err != nil {
			return err
		}
	}
	if e.outcome == large {
		return r.searchBlocks(i, e.isText)
	}
	return r.takeEnding(e, true)
}

// searchBlocks searches the large file of an item in blocks.
func (r *run) searchBlocks(i *item, isText bool) error {
	ctx, cancel := context.WithCancel(r.ctx)
	defer cancel()
	e, err := r.o.encodingOf(i.file)
	if err != nil {
		return err
	}
	text := section(i.file, e.Mark)
	start := int64(0) // of the next block
	var tasks []*task
	for start != toEnd || len(tasks) > 0 {
		r.help()
		for start != toEnd && len(tasks) <= r.window() {
			b, err := r.scanner.nextBlock(text, start)
			if err != nil {
				return err
			}
			b.isText = isText
			t := newTask(ctx, item{named: i.named, block: b})
			r.offer(t)
			tasks = append(tasks, t)
			start = b.end
		}
		if err := r.consume(tasks[0]); err != nil || r.file.done {
			return err
		}
		tasks = tasks[1:]
	}
	return nil
}
