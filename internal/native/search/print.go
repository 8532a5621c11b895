package search

import (
	"bytes"
	"cmp"
	"iter"
	"math"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/native/lookup"
	"gander/internal/native/printing"
	"gander/internal/native/section"
	"gander/internal/plain"
	"gander/internal/search"
	"gander/internal/tools/toolerror"
)

func (r request) Print(p *printing.Printer, given string) error {
	if p.Out.JSON && r.options.Output != search.Lines {
		return toolerror.BadArguments("--json prints lines; omit -l and -c, or omit --json")
	}
	if r.context > maxContext {
		return toolerror.BadArguments("context of %d lines: at most %d are printed around a match; "+
			"read the file for more", r.context, maxContext)
	}
	r.texts = r.texts && !p.Out.JSON // its objects have the matches in a line
	if r.fewContext {
		r.options.Before, r.options.After = 0, 0
	}
	r.options.Totals, r.options.Documents = &p.Totals, recognizer(p.Settings.Documents, 0)
	s := &searchPrinter{Printer: p, request: r, page: r.Pager(math.MaxInt)}
	if p.IsInput(given) {
		s.name, s.shown, s.isFile = "<stdin>", "standard input", true
		err := s.print(search.SearchReader(p.Ctx, p.Out.Input, r.matcher, r.options))
		if err != nil {
			return p.Paths.PathError(given, err)
		}
		return nil
	}
	found, err := findText(p.Paths, given)
	if err != nil {
		return err
	}
	start := found.Location
	p.Notes = append(p.Notes, searchClauses(found)...)
	s.name, s.shown, s.isFile = p.Name(start), p.Paths.Show(start), found.IsFile()
	err = s.print(search.Search(p.Ctx, p.Workspace, start, r.matcher, r.options))
	if err != nil {
		return searchError(p.Paths, given, start, err)
	}
	return nil
}

// A searchPrinter prints the results of a search below one path.
type searchPrinter struct {
	*printing.Printer
	request request
	page    section.Pager
	name    string // of the start
	shown   string // its path in messages
	isFile  bool   // the start is a file

	// The current file:
	path      string        // its name
	lastAfter int           // the last line that is context after a printed line, or 0
	held      []search.Line // context of the next matching line, if that is printed
}

// print prints the results. It returns an error about the start, which ends the search.
func (s *searchPrinter) print(results iter.Seq2[search.Result, error]) error {
	o := s.request.options
	s.Out.BeginSearch(!s.isFile || s.PathCount > 1, o.Before+o.After > 0)
	for r, err := range results {
		if err != nil && r.Path == "" {
			return err
		}
		if s.page.IsFull() && !s.isAfter(r.Line) { // after the context of the last line
			return nil
		}
		if err == nil {
			err = s.printResult(r)
		}
		if err != nil { // the search continues with the next line or file
			s.AddUnreadable(lookup.NameBelow(s.shown, text.EscapePath(r.Path)), err)
		}
		isComplete := s.page.IsFull() && o.After == 0 // no context follows
		if isComplete || s.Out.Err() != nil {         // without looking for another result
			return nil
		}
	}
	return nil
}

func (s *searchPrinter) printResult(r search.Result) error {
	if r.Line.Number > 0 {
		return s.printLine(r.Line)
	}
	s.path = lookup.NameBelow(s.name, r.Path)
	s.lastAfter, s.held = 0, nil
	switch s.request.options.Output {
	case search.Lines:
		if r.Binary && s.isFile {
			s.Out.MarkFound()
			s.Notes = append(s.Notes, s.shown+" is binary and matches")
		}
	case search.Names:
		if s.page.Next() {
			s.Out.Entry(plain.Entry{Path: s.path, Kind: workspace.Regular}, false)
		}
	case search.Counts:
		if s.page.Next() {
			s.Out.Count(s.path, r.Count)
		}
	}
	return nil
}

// printLine prints a line. Context that does not follow a printed line waits for the next matching
// line.
func (s *searchPrinter) printLine(l search.Line) error {
	switch {
	case s.request.texts:
		return s.printMatches(l)
	case s.isAfter(l):
		return s.Out.Line(s.path, l)
	case l.Context:
		l.Text = bytes.Clone(l.Text) // the rest of a long line is still in the current file
		s.held = append(s.held, l)
		return nil
	}
	held := s.held
	s.lastAfter, s.held = 0, nil
	if !s.page.Next() {
		return nil
	}
	s.lastAfter = l.Number + s.request.options.After
	var first error // of lines that cannot be read again; the others are printed
	for _, h := range held {
		if h.Number >= l.Number-s.request.options.Before {
			err := s.Out.Line(s.path, h)
			first = cmp.Or(first, err)
		}
	}
	err := s.Out.Line(s.path, l)
	return cmp.Or(first, err)
}

// isAfter reports whether a line is context after a printed line.
func (s *searchPrinter) isAfter(l search.Line) bool { return l.Context && l.Number <= s.lastAfter }

// printMatches prints the matches in a line.
func (s *searchPrinter) printMatches(l search.Line) error {
	for span, err := range l.Spans(math.MaxInt) {
		if err == nil && s.page.Next() {
			err = s.Out.Match(s.path, l, span)
		}
		if err != nil || s.page.IsFull() || s.Out.Err() != nil {
			return err
		}
	}
	return nil
}
