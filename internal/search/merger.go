package search

import "gander/internal/search/match"

// A merger turns the lines and endings of scans into the results of a search, file by file. It runs
// on the goroutine of the consumer.
type merger struct {
	*job
	yield    func(Result, error) bool // takes the results of the search
	searcher *match.Searcher          // finds the spans in results
	stream   *stream                  // that is searched, or nil
	ended    bool                     // Progress has ended the search while a line was read again
	searched Line                     // the line whose matches are found

	fileResults
}

// fileResults is what a merger knows about the current file.
type fileResults struct {
	path  string
	named bool // the file is the start

	reopened reopenedText // the file, for long lines

	stage stage
	nul   bool  // the file has a NUL before the current piece
	count int   // the number of matching lines so far
	lines int   // the number of lines before the current piece
	next  int64 // the offset after the last line that was yielded
}

// A stage is how far the results of a file have come.
type stage byte

const (
	begun   stage = iota
	counted       // in Totals
	yielded       // as a result
	done          // no more of its results are yielded
)

// begin begins the file of an item.
func (m *merger) begin(i *item) {
	m.reopened.close()
	m.fileResults = fileResults{path: i.path, named: i.named}
}

// countFile counts the file once.
func (m *merger) countFile() {
	if m.stage < counted {
		m.stage = counted
		m.o.Totals.Searched++
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

// line implements [receiver]. It drops lines that it has yielded: a block sends lines before it again.
func (m *merger) line(l Line) error {
	m.countFile()
	switch {
	case m.stage == done, l.Offset < m.next, m.nul && l.Context:
		return nil
	case m.nul:
		m.stage = done
		return m.result(Result{Binary: true}, nil)
	}
	if m.stage < yielded {
		m.stage = yielded
		if err := m.result(Result{}, nil); err != nil {
			return err
		}
	}
	l.Number = max(l.Number+m.lines, 1) // it would be less if the file has changed
	l.merger = m
	m.next = l.Offset + l.Length + 1
	return m.result(Result{Line: l}, nil)
}

// end ends the current piece, which can be the last of the file.
func (m *merger) end(e ending, last bool) error {
	switch e.outcome {
	case notWanted:
		m.o.Totals.Documents++
	case late:
		m.o.Totals.Late++
	case extracted, cut:
		m.o.Totals.Extracted++
		m.countFile()
	default:
		m.countFile()
	}
	if m.stage < done {
		if err := m.endPiece(e, last); err != nil {
			return err
		}
	}
	if e.outcome == cut {
		if err := m.result(Result{}, ErrCut); err != nil {
			return err
		}
	}
	if !m.o.Progress(e.size, last || m.stage == done) {
		return errStopped
	}
	return nil
}

// endPiece adds up what is known of the file, and yields a result if that ends it.
func (m *merger) endPiece(e ending, last bool) error {
	m.count += e.count
	switch {
	case e.binary:
		wasYielded := m.stage == yielded
		m.stage = done
		m.o.Totals.Binary++
		if wasYielded {
			return m.result(Result{Binary: true}, nil)
		}
		return nil
	case e.matched:
		m.stage = done
		return m.result(Result{Binary: m.nul || e.nul}, nil)
	}
	m.nul = m.nul || e.nul
	m.lines += e.lines
	if last && m.count > 0 && m.o.Output == Counts {
		return m.result(Result{Count: m.count, Binary: m.nul}, nil)
	}
	return nil
}

// fail yields an error about the current file, or returns it if it ends the search.
func (m *merger) fail(err error) error {
	if err == nil || err == errStopped {
		return err
	}
	if done := m.ctx.Err(); done != nil {
		return done
	}
	if m.named {
		return err
	}
	if rule, ok := deniedBy(err); ok {
		m.o.Totals.addDenied(rule, 1)
		return nil
	}
	if hasChanged(err) {
		return nil
	}
	return m.result(Result{}, err)
}
