package search

import (
	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/search/match"
)

// A merger turns the lines and endings of scans into the results of a search, file by file.
type merger struct {
	o        *Options
	out      func(Result, error) bool
	searcher *match.Searcher // for the spans of the results
	named    bool            // the file is the start of the search

	entry walk.Entry // the file, to determine its path if path is ""
	path  string

	opened  bool  // the file is counted
	yielded bool  // the file has been yielded
	done    bool  // nothing more is yielded of the file
	nul     bool  // the file has a NUL before the current piece
	count   int   // number of matching lines
	lines   int   // number of lines before the current piece
	mark    int64 // size of the byte order mark
}

// begin begins a file.
func (m *merger) begin(path string) {
	*m = merger{o: m.o, out: m.out, searcher: m.searcher, named: m.named, path: path}
}

// open counts the file.
func (m *merger) open() {
	if !m.opened {
		m.opened = true
		m.o.Totals.Searched++
	}
}

// yield yields a result about the file.
func (m *merger) yield(r Result) error {
	if m.path == "" && m.entry.Dir != nil {
		m.path = m.entry.Path()
	}
	r.Path = m.path
	if !m.out(r, nil) {
		return errStopped
	}
	return nil
}

// line yields a line of the current piece.
func (m *merger) line(l Line) error {
	m.open()
	switch {
	case m.done, m.nul && l.Context:
		return nil
	case m.nul:
		m.done = true
		return m.yield(Result{Binary: true})
	}
	if !m.yielded {
		m.yielded = true
		if err := m.yield(Result{}); err != nil {
			return err
		}
	}
	l.Number += m.lines
	l.Offset -= m.mark
	l.searcher = m.searcher
	return m.yield(Result{Line: l})
}

// end ends the current piece. last reports that no other follows.
func (m *merger) end(e ending, last bool) error {
	if err := m.endResults(e, last); err != nil {
		return err
	}
	if m.o.Progress != nil && !m.o.Progress(e.size, last || m.done) {
		return errStopped
	}
	return nil
}

// endResults yields the last results of the current piece.
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
			return m.yield(Result{Binary: true})
		}
		return nil
	case e.matched:
		m.done = true
		return m.yield(Result{Binary: m.nul || e.nul})
	}
	m.nul = m.nul || e.nul
	m.lines += e.lines
	m.mark = max(m.mark, e.mark)
	if last && m.count > 0 && m.o.Output == Counts {
		return m.yield(Result{Count: m.count, Binary: m.nul})
	}
	return nil
}

// fail yields an error about the file. It returns errors that end the search.
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
	if p.path == "" && p.entry.Dir != nil {
		p.path = p.entry.Path()
	}
	if p.o.Totals.countError(err) && !p.out(Result{Path: p.path}, err) {
		return errStopped
	}
	return nil
}

// searchFile searches an open file on this goroutine, with the help of the workers if it is large, and
// closes it.
func (p *pool) searchFile(f *workspace.File) error {
	defer f.Close()
	e, err := p.scanner.scanFirst(f)
	if err != nil {
		return err
	}
	return p.finish(f, e)
}

// finish ends the first piece of a file and searches the rest.
func (p *pool) finish(f *workspace.File, e ending) error {
	if err := p.end(e, e.next == 0); err != nil || p.done || e.next == 0 {
		return err
	}
	return p.searchBlocks(f, e.next)
}
