package native

import (
	"bytes"
	"cmp"
	"io"
	"iter"
	"math"

	"gander/internal/files/workspace"
	"gander/internal/plain"
	"gander/internal/search"
	"gander/internal/search/match"
	"gander/internal/tools/shared"
)

func (r searchRequest) print(p *printer, given string) error {
	s := &searchPrinter{printer: p, request: r, skip: r.offset - 1, left: cmp.Or(r.limit, math.MaxInt)}
	if p.out.JSON && r.options.Output != search.Lines {
		return shared.BadArguments("--json prints lines; omit -l and -c, or omit --json")
	}
	s.request.spans = r.spans && !p.out.JSON // its objects have the matches in a line
	if r.fewContext {
		s.request.options.Before, s.request.options.After = 0, 0
	}
	o := &s.request.options
	s.grouped = o.Before+o.After > 0
	o.Totals = &p.totals
	if p.isInput(given) {
		p.out.ShowPaths(p.paths > 1)
		s.base, s.shown, s.isFile = "<stdin>", "standard input", true
		return s.results(given, search.SearchReader(p.ctx, p.out.Input, r.matcher, *o))
	}
	found, err := p.findText(given)
	if err != nil {
		return err
	}
	s.isFile = found.info.Kind == workspace.Regular
	p.out.ShowPaths(!s.isFile || p.paths > 1)
	s.base, s.shown = p.name(found.location), p.show(found.location)
	return s.results(given, search.Search(p.ctx, p.workspace, found.location, r.matcher, *o))
}

// A searchPrinter prints the results of a search below one path.
type searchPrinter struct {
	*printer
	request searchRequest
	base    string // the name of the start
	shown   string // base in messages
	isFile  bool   // the start is a file
	path    string // the name of the current file
	grouped bool   // there is context

	skip, left int // the numbers of results to skip, and then to print
	last       int // the number of the last matching line
}

// results prints the results of a search.
func (s *searchPrinter) results(given string, results iter.Seq2[search.Result, error]) error {
	for r, err := range results {
		switch {
		case err != nil && r.Path == "":
			return s.pathError(given, err)
		case err != nil:
			s.omissions.skip(s.shownPath(r), err)
			continue
		case r.Line.Number == 0:
			s.path = nameBelow(s.base, r.Path)
		}
		if s.isFile && r.Binary && s.request.options.Output == search.Lines {
			s.out.Found = true
			s.notes = append(s.notes, s.shown+" is binary and matches")
		}
		more, err := s.result(r)
		if s.out.Err() != nil || s.ctx.Err() != nil || err == nil && !more {
			return nil
		}
		if err != nil { // the search continues with the next line
			s.omissions.skip(s.shownPath(r), err)
		}
	}
	return nil
}

func (s *searchPrinter) shownPath(r search.Result) string {
	if r.Path == "" {
		return s.shown
	}
	return below(s.shown, r.Path)
}

// take counts a result. It reports whether to print it.
func (s *searchPrinter) take() bool {
	if s.skip > 0 {
		s.skip--
		return false
	}
	s.left--
	return s.left >= 0
}

// result prints a result. It reports whether the search should continue.
func (s *searchPrinter) result(r search.Result) (more bool, err error) {
	output := s.request.options.Output
	switch {
	case r.Line.Context:
		return s.context(r)
	case r.Line.Number > 0:
		return s.line(r)
	case output == search.Lines || !s.take():
	case output == search.Names:
		err = s.out.File(s.path)
	default:
		err = s.out.Count(s.path, r.Count)
	}
	return s.left >= 0, err
}

func (s *searchPrinter) context(r search.Result) (more bool, err error) {
	if s.left == 0 && r.Line.Number > s.last+s.request.options.After {
		return false, nil
	}
	if s.skip > 0 {
		return true, nil
	}
	return true, s.print(r)
}

func (s *searchPrinter) line(r search.Result) (more bool, err error) {
	if s.request.spans {
		return s.matches(r)
	}
	if s.take() {
		s.last = r.Line.Number
		err = s.print(r)
	}
	return s.left >= 0, err
}

// matches prints the matches in a line.
func (s *searchPrinter) matches(r search.Result) (more bool, err error) {
	for span, err := range r.Line.Spans(math.MaxInt) {
		if err != nil {
			return false, err
		}
		if !s.take() {
			if s.left < 0 {
				break
			}
			continue
		}
		if err := s.match(r, span); err != nil {
			return false, err
		}
	}
	return s.left >= 0, nil
}

func (s *searchPrinter) match(r search.Result, span match.Span) error {
	l := plain.Line{Path: s.path, Number: r.Line.Number}
	if r.Line.Whole() {
		l.Text = bytes.TrimSuffix(r.Line.Text[span.Start:span.End], []byte("\r"))
		l.Spans = func(yield func(match.Span, error) bool) {
			yield(match.Span{End: int64(len(l.Text))}, nil)
		}
		return s.out.Line(l, false)
	}
	part, err := openPart(r.Line, span.Start, span.End-span.Start)
	if err != nil {
		return err
	}
	l.Rest = part
	return s.out.Line(l, false)
}

// openPart returns a part of a line. It fails if the part cannot be read, before any of it is
// printed.
func openPart(l search.Line, offset, size int64) (io.Reader, error) {
	text, err := l.Open()
	if err != nil {
		return nil, err
	}
	part := io.NewSectionReader(text, offset, size)
	if _, err := part.ReadAt(make([]byte, 1), 0); err != nil && err != io.EOF {
		return nil, err
	}
	return part, nil
}

// maxJSONLine is the maximum size of a line in an object.
const maxJSONLine = 4 << 20

// print prints a line.
func (s *searchPrinter) print(r search.Result) error {
	l := plain.Line{
		Path: s.path, Number: r.Line.Number, Context: r.Line.Context, Offset: r.Line.Offset,
	}
	l.Text = r.Line.Text
	if !r.Line.Whole() {
		text, err := openPart(r.Line, 0, r.Line.Length)
		if err != nil {
			return err
		}
		if !s.out.JSON || r.Line.Length > maxJSONLine {
			l.Text, l.Rest = nil, text
			return s.out.Line(l, s.grouped)
		}
		if l.Text, err = io.ReadAll(text); err != nil {
			return err
		}
	}
	if s.out.JSON || s.out.Color {
		l.Spans = r.Line.Spans(math.MaxInt)
	}
	return s.out.Line(l, s.grouped)
}
