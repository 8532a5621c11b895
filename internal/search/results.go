package search

import (
	"context"

	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/search/match"
)

// A merger turns the lines and endings of scans into the results of a search, file by file.
type merger struct {
	ctx      context.Context
	o        *Options
	out      func(Result, error) bool
	searcher *match.Searcher    // for the spans of the results
	start    workspace.Location // of the search
	stream   *stream            // to search, or nil
	named    bool               // the file is the start
	ended    bool               // by Progress while a line was read again

	fileResults
}

// fileResults is reset for each file.
type fileResults struct {
	entry walk.Entry // determines path if that is ""
	path  string

	source source // of the file, for lines that are read again

	opened  bool  // the file is counted
	yielded bool  // the file has been yielded
	done    bool  // nothing more is yielded of the file
	nul     bool  // the file has a NUL before the current piece
	count   int   // number of matching lines
	lines   int   // number of lines before the current piece
	mark    int64 // size of the byte order mark
}

func (m *merger) begin(path string) {
	m.source.close()
	m.fileResults = fileResults{path: path}
}

func (m *merger) open() {
	if !m.opened {
		m.opened = true
		m.o.Totals.Searched++
	}
}

func (m *merger) yield(r Result, err error) error {
	if m.path == "" && m.entry.Dir != nil {
		m.path = m.entry.Path()
	}
	r.Path = m.path
	if !m.out(r, err) || m.ended {
		return errStopped
	}
	return nil
}

func (m *merger) line(l Line) error {
	m.open()
	switch {
	case m.done, m.nul && l.Context:
		return nil
	case m.nul:
		m.done = true
		return m.yield(Result{Binary: true}, nil)
	}
	if !m.yielded {
		m.yielded = true
		if err := m.yield(Result{}, nil); err != nil {
			return err
		}
	}
	l.Number = max(l.Number+m.lines, 1) // less if the file changes
	l.Offset -= m.mark
	l.merger = m
	return m.yield(Result{Line: l}, nil)
}

// end ends the current piece, which can be the last of the file.
func (m *merger) end(e ending, last bool) error {
	if err := m.endResults(e, last); err != nil {
		return err
	}
	if m.o.Progress != nil && !m.o.Progress(e.size, last || m.done) {
		return errStopped
	}
	return nil
}

func (m *merger) endResults(e ending, last bool) error {
	m.open()
	if m.done {
		return nil
	}
	m.count += e.count
	switch {
	case e.binary:
		m.done = true
		m.o.Totals.Binary++
		if m.yielded {
			return m.yield(Result{Binary: true}, nil)
		}
		return nil
	case e.matched:
		m.done = true
		return m.yield(Result{Binary: m.nul || e.nul}, nil)
	}
	m.nul = m.nul || e.nul
	m.lines += e.lines
	m.mark = max(m.mark, e.mark)
	if last && m.count > 0 && m.o.Output == Counts {
		return m.yield(Result{Count: m.count, Binary: m.nul}, nil)
	}
	return nil
}

// fail yields an error about the file, or returns it if it ends the search.
func (p *pool) fail(err error) error {
	if err == nil || err == errStopped {
		return err
	}
	if done := p.ctx.Err(); done != nil {
		return done
	}
	if p.named {
		return err
	}
	if p.o.Totals.countError(err) {
		return p.yield(Result{}, err)
	}
	return nil
}

func (p *pool) beginItem(i *item) {
	p.o.Totals.add(&i.walked)
	if !i.isBlock() {
		p.begin(i.path)
	}
}

// searchItem searches an item, whose file is open, on the goroutine of the consumer.
func (p *pool) searchItem(i *item) error {
	defer i.close()
	end, err := p.scanner.search(i)
	return p.endItem(i, end, err)
}

// endItem ends the results of an item, and searches the rest of its file.
func (p *pool) endItem(i *item, e ending, err error) error {
	if i.isBlock() { // an error ends the file
		if err == nil {
			err = p.end(e, i.region.end == 0)
		}
		return err
	}
	defer i.close()
	if err == nil {
		err = p.end(e, e.next == 0)
	}
	if err == nil && e.next > 0 && !p.done {
		err = p.searchBlocks(i.file, e.next)
	}
	return p.fail(err)
}

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
				if err := p.line(e.line); err != nil {
					return err
				}
				continue
			}
			if err := p.endItem(&t.items[next], *e.end, e.err); err != nil {
				return err
			}
			if next++; next < len(t.items) {
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
			offer(p.blocks, t)
			tasks = append(tasks, t)
			at = end
		}
		if err := p.consume(tasks[0]); err != nil || p.done {
			return err
		}
		tasks = tasks[1:]
	}
	return nil
}
