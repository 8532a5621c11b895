package search

import (
	"time"

	"gander/internal/files/workspace"
)

// consume yields the results of a task. If no worker has begun it, consume searches it.
func (p *pool) consume(t *task) error {
	if p.take(t) {
		defer t.close()
		return p.search(t)
	}
	complete := false
	defer func() {
		if complete {
			t.close()
		} else {
			p.left = append(p.left, t)
		}
	}()
	err := p.receive(t)
	complete = err == nil
	return err
}

// receive yields the results that a worker sends.
func (p *pool) receive(t *task) error {
	next := 0
	p.beginItem(&t.items[0])
	for last := false; !last; {
		var b *batch
		select {
		case b = <-t.batches:
		case <-p.ctx.Done():
			return p.ctx.Err()
		}
		if b.panic != nil {
			panic(b.panic)
		}
		for i := range b.events {
			e := &b.events[i]
			if e.end == nil && e.err == nil {
				if err := p.line(e.line); err != nil {
					return err
				}
				continue
			}
			if err := p.endItem(t, e); err != nil {
				return err
			}
			if next++; next < len(t.items) {
				p.beginItem(&t.items[next])
			}
		}
		last = b.last
		clear(b.events)
		*b = batch{events: b.events[:0], text: b.text[:0]}
		p.free.Put(b)
	}
	return nil
}

// beginItem begins the results of an item.
func (p *pool) beginItem(i *item) {
	p.o.Totals.add(&i.walked)
	if i.file == nil {
		p.begin(i.path)
	}
}

// endItem ends the results of an item of a task.
func (p *pool) endItem(t *task, e *event) error {
	switch {
	case e.err != nil && t.items[0].file != nil:
		return e.err // ends the file
	case e.err != nil:
		return p.fail(e.err)
	case t.items[0].file != nil:
		return p.end(*e.end, t.last)
	case e.file != nil:
		defer e.file.Close()
	}
	return p.fail(p.finish(e.file, *e.end))
}

// search searches a task on the goroutine of the consumer.
func (p *pool) search(t *task) error {
	defer t.close()
	for n := range t.items {
		i := &t.items[n]
		p.beginItem(i)
		if i.file != nil {
			e, err := p.scanner.scan(i.file, i.region)
			if err == nil {
				err = p.end(e, t.last)
			}
			return err
		}
		f, err := i.open(&p.clock)
		if err == nil {
			err = p.searchFile(f)
		}
		if err = p.fail(err); err != nil {
			return err
		}
	}
	return nil
}

// open opens the file and releases the directory.
func (i *item) open(c *clock) (*workspace.File, error) {
	if i.err != nil {
		return nil, i.err
	}
	start := time.Now()
	f, err := i.dir.File(i.name, i.kind)
	c.opened(start)
	i.dir.Close()
	return f, err
}
