package native

import (
	"iter"
	"math"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/plain"
	"gander/internal/search"
	"gander/internal/tools/toolerror"
)

func (r searchRequest) print(p *printer, given string) error {
	if p.out.JSON && r.options.Output != search.Lines {
		return toolerror.BadArguments("--json prints lines; omit -l and -c, or omit --json")
	}
	r.texts = r.texts && !p.out.JSON // its objects have the matches in a line
	if r.fewContext {
		r.options.Before, r.options.After = 0, 0
	}
	r.options.Totals, r.options.Documents = &p.totals, p.recognizer(0)
	s := &searchPrinter{printer: p, request: r, window: newWindow(r.offset, r.limit)}
	var start workspace.Location
	var results iter.Seq2[search.Result, error]
	if p.isInput(given) {
		s.base, s.shown, s.isFile = "<stdin>", "standard input", true
		results = search.SearchReader(p.ctx, p.out.Input, r.matcher, r.options)
	} else {
		found, err := p.findText(given)
		if err != nil {
			return err
		}
		start = found.location
		s.base, s.shown = p.name(start), p.show(start)
		s.isFile = found.info.Kind == workspace.Regular
		results = search.Search(p.ctx, p.workspace, start, r.matcher, r.options)
	}
	p.out.BeginSearch(!s.isFile || p.paths > 1, r.options.Before+r.options.After > 0)
	if err := s.print(results); err != nil {
		return p.searchError(given, start, err)
	}
	return nil
}

// A searchPrinter prints the results of a search below one path.
type searchPrinter struct {
	*printer
	request searchRequest
	window
	base   string // the name of the start
	shown  string // base in messages
	isFile bool   // the start is a file
	path   string // the name of the current file
	last   int    // the number of the last matching line
}

// print prints the results. It returns an error about the start, which ends the search.
func (s *searchPrinter) print(results iter.Seq2[search.Result, error]) error {
	for r, err := range results {
		isAfter := r.Line.Context && r.Line.Number <= s.last+s.request.options.After
		switch {
		case err != nil && r.Path == "":
			return err
		case s.left == 0 && !isAfter:
			return nil
		case err == nil:
			err = s.printResult(r)
		}
		if err != nil { // the search continues with the next line or file
			s.omissions.skip(nameBelow(s.shown, text.EscapePath(r.Path)), err)
		}
		if s.out.Err() != nil || s.left == 0 && s.request.options.After == 0 {
			return nil
		}
	}
	return nil
}

func (s *searchPrinter) printResult(r search.Result) error {
	if r.Line.Number > 0 {
		return s.printLine(r.Line)
	}
	s.path = nameBelow(s.base, r.Path)
	switch s.request.options.Output {
	case search.Lines:
		if r.Binary && s.isFile {
			s.out.Found = true
			s.notes = append(s.notes, s.shown+" is binary and matches")
		}
	case search.Names:
		if s.take() {
			s.out.Entry(plain.Entry{Path: s.path, Kind: workspace.Regular}, false)
		}
	case search.Counts:
		if s.take() {
			s.out.Count(s.path, r.Count)
		}
	}
	return nil
}

func (s *searchPrinter) printLine(l search.Line) error {
	if s.request.texts {
		return s.printMatches(l)
	}
	isWanted := s.skip == 0 // for a line of context
	if !l.Context {
		isWanted, s.last = s.take(), l.Number
	}
	if !isWanted {
		return nil
	}
	return s.out.Line(s.path, l)
}

// printMatches prints the matches in a line.
func (s *searchPrinter) printMatches(l search.Line) error {
	for span, err := range l.Spans(math.MaxInt) {
		if err == nil && s.take() {
			err = s.out.Match(s.path, l, span)
		}
		if err != nil || s.left == 0 || s.out.Err() != nil {
			return err
		}
	}
	return nil
}
