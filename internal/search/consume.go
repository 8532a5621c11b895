package search

// consume yields the results of a task. If no worker has begun it, consume searches it.
func (r *run) consume(t *task) error {
	if !t.begin() {
		return r.receive(t)
	}
	defer t.closeDirs()
	for n := range t.items {
		i := &t.items[n]
		r.beginItem(i)
		i.open()
		if err := r.searchItem(i); err != nil {
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
		for _, e := range b.events {
			if e.end == nil {
				if err := r.merger.line(e.line); err != nil {
					return err
				}
				continue
			}
			if err := r.endItem(&t.items[next], *e.end, e.err); err != nil {
				return err
			}
			next++
			if next < len(t.items) {
				r.beginItem(&t.items[next])
			}
		}
		last := b.last
		r.batches.Put(b)
		if last {
			return nil
		}
	}
}

// beginItem begins the results of an item.
func (r *run) beginItem(i *item) {
	r.o.Totals.add(&i.walked)
	if !i.block {
		r.merger.begin(i)
	}
}

// searchItem searches an item, whose file is open.
func (r *run) searchItem(i *item) error {
	defer i.close()
	end, err := r.scanner.search(i)
	return r.endItem(i, end, err)
}

// endItem ends the results of an item, after the rest of its file, and closes the file.
func (r *run) endItem(i *item, e ending, err error) error {
	defer i.close()
	if i.block { // an error ends the file
		if err != nil {
			return err
		}
		return r.merger.end(e, i.region.end == toEnd)
	}
	if err == nil && e.document == deferred {
		i.setFile(r.merger.start.Join(i.path).File())
		e, err = r.scanner.search(i)
	}
	if err == nil {
		err = r.merger.end(e, !e.hasRest())
	}
	if err == nil && e.hasRest() && r.merger.stage < done {
		err = r.searchBlocks(i, e.rest)
	}
	return r.merger.fail(err)
}

// searchBlocks searches the rest of the file of an item by blocks.
func (r *run) searchBlocks(i *item, rest region) error {
	var tasks []*task
	quit := make(chan struct{})
	defer func() {
		close(quit)
		for _, t := range tasks {
			t.begun.Store(true)
		}
	}()
	for rest.start != toEnd || len(tasks) > 0 {
		r.help()
		for rest.start != toEnd && len(tasks) <= r.window() {
			end, err := blockEnd(r.ctx, i.file, rest.start, r.scanner.buf)
			if err != nil {
				return err
			}
			block := item{file: i.file, named: i.named, block: true, region: rest}
			block.region.end = end
			t := newTask(block)
			t.quit = quit
			r.offer(t)
			tasks = append(tasks, t)
			rest.start = end
		}
		if err := r.consume(tasks[0]); err != nil || r.merger.stage == done {
			return err
		}
		tasks = tasks[1:]
	}
	return nil
}
