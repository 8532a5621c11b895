package native

import (
	"iter"
	"math"

	"gander/internal/files/workspace"
	"gander/internal/plain"
	"gander/internal/search"
	"gander/internal/tools/toolerror"
)

func (r searchRequest) print(p *printer, given string) error {
	s := &searchPrinter{printer: p, request: r, window: newWindow(r.offset, r.limit)}
	if p.out.JSON && r.options.Output != search.Lines {
		return toolerror.BadArguments("--json prints lines; omit -l and -c, or omit --json")
	}
	s.request.spans = r.spans && !p.out.JSON // its objects have the matches in a line
	o := &s.request.options
	if r.fewContext {
		o.Before, o.After = 0, 0
	}
	o.Totals, o.Documents = &p.totals, p.recognizer(0)
	hasContext := o.Before+o.After > 0
	if p.isInput(given) {
		p.out.BeginSearch(p.paths > 1, hasContext)
		s.base, s.shown, s.isFile = "<stdin>", "standard input", true
		return s.print(given, workspace.Location{}, search.SearchReader(p.ctx, p.out.Input, r.matcher, *o))
	}
	found, err := p.findText(given)
	if err != nil {
		return err
	}
	s.isFile = found.info.Kind == workspace.Regular
	p.out.BeginSearch(!s.isFile || p.paths > 1, hasContext)
	s.base, s.shown = p.name(found.location), p.show(found.location)
	return s.print(given, found.location, search.Search(p.ctx, p.workspace, found.location, r.matcher, *o))
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

// print prints the results of a search.
func (s *searchPrinter) print(
	given string, start workspace.Location, results iter.Seq2[search.Result, error],
) error {
	for r, err := range results {
		isAfter := r.Line.Context && r.Line.Number <= s.last+s.request.options.After
		switch {
		case err != nil && r.Path == "":
			return s.searchError(given, start, err)
		case s.left == 0 && !isAfter:
			return nil
		case err == nil:
			err = s.printResult(r)
		}
		if err != nil { // the search continues with the next line or file
			shown := s.shown
			if r.Path != "" {
				shown = below(s.shown, r.Path)
			}
			s.omissions.skip(shown, err)
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
	switch {
	case s.request.spans:
		return s.printMatches(l)
	case l.Context && s.skip > 0, !l.Context && !s.take():
		return nil
	case !l.Context:
		s.last = l.Number
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
