package search

import "gander/internal/search/match"

// A merger turns the lines and endings of items into the results of a search, file by file. It runs
// on the goroutine of the consumer.
type merger struct {
	run      *run
	yield    func(Result, error) bool // takes the results of the search
	searcher *match.Searcher          // finds the spans in results
	stream   *stream                  // that is searched, or nil
	ended    bool                     // Progress has ended the search while a line was read again
	searched Line                     // the line whose matches are found

	// The others are about the current file.

	path     string
	named    bool         // it is the start
	reopened reopenedText // the file, for long lines

	counted bool // in Totals
	yielded bool // as a result
	done    bool // no more of its results are yielded

	nul   bool  // the file has a NUL before the current item
	nulAt int64 // its offset
	count int   // the number of matching lines so far
	lines int   // the number of lines before the current item
	next  int64 // the offset after the last line that was yielded
}

// begin begins the file of an item.
func (m *merger) begin(i *item) {
	m.reopened.close()
	*m = merger{
		run: m.run, yield: m.yield, searcher: m.searcher, stream: m.stream, ended: m.ended,
		path: i.path, named: i.named,
	}
}

// countFile counts the file once.
func (m *merger) countFile() {
	if !m.counted {
		m.counted = true
		m.run.o.Totals.Searched++
	}
}

// result yields a result of the current file, or an error about it.
func (m *merger) result(r Result, err error) error {
	r.Path = m.path
	if !m.yield(r, err) || m.ended {
		return errStopped
	}
	return nil
}

// line yields a line. It drops lines that it has yielded: a block sends lines before it again.
func (m *merger) line(l Line) error {
	m.countFile()
	switch {
	case m.done, l.Offset < m.next, m.nul && l.Context:
		return nil
	case m.nul:
		m.done = true
		return m.result(Result{Binary: true, NUL: m.nulAt}, nil)
	}
	if !m.yielded {
		m.yielded = true
		if err := m.result(Result{}, nil); err != nil {
			return err
		}
	}
	l.Number = max(l.Number+m.lines, 1) // it would be less if the file has changed
	l.merger = m
	m.next = l.Offset + l.Length + 1
	return m.result(Result{Line: l}, nil)
}

// end ends the current item, which can be the last of the file.
func (m *merger) end(e ending, last bool) error {
	switch e.outcome {
	case notWanted:
		m.run.o.Totals.Documents++
	case late:
		m.run.o.Totals.Late++
	case extracted, cut:
		m.run.o.Totals.Extracted++
		m.countFile()
	default:
		m.countFile()
	}
	if !m.done {
		if err := m.endItem(e, last); err != nil {
			return err
		}
	}
	if e.outcome == cut {
		if err := m.result(Result{}, ErrCut); err != nil {
			return err
		}
	}
	if !m.run.o.Progress(e.size, last || m.done) {
		return errStopped
	}
	return nil
}

// endItem adds up what is known of the file, and yields a result if that ends it.
func (m *merger) endItem(e ending, last bool) error {
	m.count += e.count
	if e.decoded != "" && e.count > 0 {
		m.run.o.Totals.addDecoded(e.decoded, 1)
	}
	if e.nul && !m.nul {
		m.nulAt = e.nulAt
	}
	switch {
	case e.binary:
		wasYielded := m.yielded
		m.done = true
		m.run.o.Totals.Binary++
		if wasYielded {
			return m.result(Result{Binary: true, NUL: m.nulAt}, nil)
		}
		return nil
	case e.matched:
		m.done = true
		return m.result(Result{Binary: m.nul || e.nul, NUL: m.nulAt}, nil)
	}
	m.nul = m.nul || e.nul
	m.lines += e.lines
	isWanted := m.count > 0 || m.run.o.Zero
	if last && isWanted && m.run.o.Output == Counts {
		return m.result(Result{Count: m.count, Binary: m.nul}, nil)
	}
	return nil
}

// fail yields an error about the current file, or returns it if it ends the search.
func (m *merger) fail(err error) error {
	if err == nil || err == errStopped {
		return err
	}
	if done := m.run.ctx.Err(); done != nil {
		return done
	}
	if m.named {
		return err
	}
	if rule, ok := deniedBy(err); ok {
		m.run.o.Totals.addDenied(rule, 1)
		return nil
	}
	if hasChanged(err) {
		return nil
	}
	return m.result(Result{}, err)
}
