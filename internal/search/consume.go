package search

// consume yields the results of a task. If no worker has begun it, consume searches it.
func (p *pool) consume(t *task) error {
	if !t.begin() {
		return p.receive(t)
	}
	defer t.closeDirs()
	for n := range t.items {
		i := &t.items[n]
		p.beginItem(i)
		i.open()
		if err := p.searchItem(i); err != nil {
			return err
		}
	}
	return nil
}

// receive yields the results of a task that a worker searches.
func (p *pool) receive(t *task) error {
	next := 0 // item
	p.beginItem(&t.items[next])
	for {
		var b *batch
		select {
		case b = <-t.batches:
		case <-p.ctx.Done():
			return p.ctx.Err()
		}
		if b.panic != nil {
			panic(b.panic)
		}
		for _, e := range b.events {
			if e.end == nil {
				if err := p.merger.line(e.line); err != nil {
					return err
				}
				continue
			}
			if err := p.endItem(&t.items[next], *e.end, e.err); err != nil {
				return err
			}
			next++
			if next < len(t.items) {
				p.beginItem(&t.items[next])
			}
		}
		last := b.last
		p.batches.Put(b)
		if last {
			return nil
		}
	}
}

// beginItem begins the results of an item.
func (p *pool) beginItem(i *item) {
	p.o.Totals.add(&i.walked)
	if !i.block {
		p.merger.begin(i)
	}
}

// searchItem searches an item, whose file is open.
func (p *pool) searchItem(i *item) error {
	defer i.close()
	end, err := p.scanner.search(i)
	return p.endItem(i, end, err)
}

// endItem ends the results of an item, after the rest of its file, and closes the file.
func (p *pool) endItem(i *item, e ending, err error) error {
	defer i.close()
	if i.block { // an error ends the file
		if err != nil {
			return err
		}
		return p.merger.end(e, i.region.end == toEnd)
	}
	if err == nil && e.document == deferred {
		i.setFile(p.merger.start.Join(i.path).File())
		e, err = p.scanner.search(i)
	}
	if err == nil {
		err = p.merger.end(e, !e.hasRest())
	}
	if err == nil && e.hasRest() && !p.merger.done {
		err = p.searchBlocks(i, e.rest)
	}
	return p.merger.fail(err)
}

// searchBlocks searches the rest of the file of an item by blocks.
func (p *pool) searchBlocks(i *item, rest region) error {
	var tasks []*task
	quit := make(chan struct{})
	defer func() {
		close(quit)
		for _, t := range tasks {
			t.begun.Store(true)
		}
	}()
	for rest.start != toEnd || len(tasks) > 0 {
		p.help()
		for rest.start != toEnd && len(tasks) <= p.window() {
			end, err := blockEnd(p.ctx, i.file, rest.start, p.scanner.buf)
			if err != nil {
				return err
			}
			block := item{file: i.file, named: i.named, block: true, region: rest}
			block.region.end = end
			t := newTask(block)
			t.quit = quit
			p.offer(t)
			tasks = append(tasks, t)
			rest.start = end
		}
		if err := p.consume(tasks[0]); err != nil || p.merger.done {
			return err
		}
		tasks = tasks[1:]
	}
	return nil
}
