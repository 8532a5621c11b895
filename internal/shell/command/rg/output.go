package rg

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"gander/internal/search"
)

// An output is how far the results of a file are printed.
type output struct {
	name      string // of the file, if open
	open      bool   // its lines follow
	began     bool   // something of it was printed
	printed   bool   // a line of any file was printed
	last      int    // the number of the last line that was printed
	selected  int    // lines of the file
	lastMatch int    // the number of the last selected line
}

// file begins a file, or prints what there is to say about it.
func (s *run) file(r search.Result, name string) {
	isCount := s.options.Output == search.Counts
	s.found = s.found || !isCount || r.Count > 0
	switch {
	case s.quiet:
	case isCount:
		s.count(name, r.Count)
	case s.mode == names:
		s.listed(name)
	case r.Binary && s.mode == lines:
		s.binary(r, name)
	default:
		s.output = output{name: name, open: true, printed: s.printed}
	}
}

// binary says that lines are left out.
func (s *run) binary(r search.Result, name string) {
	if s.named {
		s.c.Out.WriteString(name + ": ")
	}
	if s.began && s.name == name {
		s.c.Out.WriteString("WARNING: stopped searching binary file after match")
	} else {
		s.c.Out.WriteString("binary file matches")
	}
	fmt.Fprintf(s.c.Out, " (found \"\\0\" byte around offset %d)\n", r.NUL)
}

func (s *run) count(name string, n int) {
	if n == 0 {
		return
	}
	if s.named {
		s.c.Out.WriteString(name + ":")
	}
	s.c.Out.WriteString(strconv.Itoa(n) + "\n")
}

// endFile ends the results of a file.
func (s *run) endFile() {
	if s.open && s.mode == counts {
		s.count(s.name, s.selected)
	}
	s.open = false
}

// line prints a line. After the last one that is asked for, only those follow that can be its
// context.
func (s *run) line(l search.Line) {
	isMatch := !l.Context
	if s.selected >= s.most && l.Number > s.lastMatch+s.after {
		return
	}
	if isMatch {
		s.selected++
	}
	if isMatch && s.selected <= s.most {
		s.lastMatch = l.Number
	}
	if s.mode == lines {
		s.begin(l.Number)
		s.print(l, isMatch)
	}
}

// begin prints what separates a line from the one before it.
func (s *run) begin(number int) {
	hasContext := s.options.Before > 0 || s.options.After > 0
	isAfter := s.began && number == s.last+1
	if hasContext && s.printed && !isAfter {
		s.c.Out.WriteString("--\n")
	}
	s.began, s.printed, s.last = true, true, number
}

// print prints a line, or what is asked for of it.
func (s *run) print(l search.Line, isMatch bool) {
	mark := byte(':')
	if !isMatch {
		mark = '-'
	}
	show := func(start, end int64) {
		s.prefix(l, mark)
		s.part(l, start, end)
		s.c.Out.WriteByte('\n')
	}
	if isMatch && s.only && !s.options.Invert {
		s.eachSpan(l, show)
		return
	}
	show(0, l.Length)
}

// prefix prints the name and the number of a line.
func (s *run) prefix(l search.Line, mark byte) {
	out := s.c.Out
	if s.named {
		out.WriteString(s.name)
		out.WriteByte(mark)
	}
	if s.numbered {
		out.WriteString(strconv.Itoa(l.Number))
		out.WriteByte(mark)
	}
}

func (s *run) eachSpan(l search.Line, yield func(start, end int64)) {
	for span, err := range l.Spans(math.MaxInt) {
		if err != nil {
			s.fail(s.name, err)
			return
		}
		yield(span.Start, span.End)
	}
}

// part prints a part of a line.
func (s *run) part(l search.Line, start, end int64) {
	if l.Whole() {
		s.c.Out.Write(l.Text[start:end])
		return
	}
	text, err := l.Open()
	if err == nil {
		_, err = io.Copy(s.c.Out, io.NewSectionReader(text, start, end-start))
	}
	if err != nil {
		s.fail(s.name, err)
	}
}
