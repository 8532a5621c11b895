package search

import "gander/internal/files/walk"

// consume yields the results of a task. If no worker has begun it, consume searches it.
func (p *pool) consume(t *task) error {
	if !t.begin() {
		return p.receive(t)
	}
	defer t.closeDirs()
	for n := range t.items {
		i := &t.items[n]
		p.beginItem(i, walk.Entry{})
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
	p.beginItem(&t.items[next], walk.Entry{})
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
				p.beginItem(&t.items[next], walk.Entry{})
			}
		}
		last := b.last
		p.batches.Put(b)
		if last {
			return nil
		}
	}
}

// beginItem begins an item. It needs the entry only if the item has no path.
func (p *pool) beginItem(i *item, e walk.Entry) {
	p.o.Totals.add(&i.walked)
	if !i.isBlock() {
		p.merger.begin(i.path, e)
	}
}

// searchItem searches an item, whose file is open.
func (p *pool) searchItem(i *item) error {
	defer i.close()
	end, err := p.scanner.search(i)
	return p.endItem(i, end, err)
}

// endItem ends the results of an item, and searches the rest of its file.
func (p *pool) endItem(i *item, e ending, err error) error {
	if i.isBlock() { // an error ends the file
		if err != nil {
			return err
		}
		return p.merger.end(e, i.region.end == 0)
	}
	defer i.close()
	if err == nil && e.document == deferred {
		i.setFile(p.merger.start.Join(i.path).File())
		e, err = p.scanner.search(i)
	}
	if err == nil {
		err = p.merger.end(e, e.next == 0)
	}
	if err == nil && e.next > 0 && !p.merger.done {
		err = p.searchBlocks(i.file, e.next)
	}
	return p.merger.fail(err)
}

// searchBlocks searches a file from an offset, which is the start of a line, to its end.
func (p *pool) searchBlocks(f file, at int64) error {
	var tasks []*task
	quit := make(chan struct{})
	defer func() {
		close(quit)
		for _, t := range tasks {
			t.begun.Store(true)
		}
	}()
	for at > 0 || len(tasks) > 0 {
		p.help()
		for at > 0 && len(tasks) <= p.window() {
			end, err := blockEnd(p.ctx, f, at, p.scanner.buf)
			if err != nil {
				return err
			}
			t := newTask(item{file: f, region: region{at, end}})
			t.quit = quit
			p.offer(t)
			tasks = append(tasks, t)
			at = end
		}
		if err := p.consume(tasks[0]); err != nil || p.merger.done {
			return err
		}
		tasks = tasks[1:]
	}
	return nil
}
