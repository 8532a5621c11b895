package rg

import (
	"bytes"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

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
	matches   int
	lastMatch int // the number of the last selected line
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// file begins a file, or prints what there is to say about it.
func (s *run) file(r search.Result, name string) {
	isCount := s.options.Output == search.Counts
	switch {
	case s.mode == namesWithout:
		if r.Count == 0 {
			s.listed(name)
		}
		return
	case isCount:
		s.found = s.found || r.Count > 0
		s.count(name, r.Count)
		return
	}
	s.found = true
	switch {
	case s.quiet:
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
	s.c.Out.WriteString(` (found "\0" byte around offset ` + itoa(r.NUL) + ")\n")
}

func (s *run) count(name string, n int) {
	if n == 0 && !s.zero {
		return
	}
	if s.named {
		s.c.Out.WriteString(name)
		s.c.Out.WriteByte(s.nameEnd(':'))
	}
	s.c.Out.WriteString(strconv.Itoa(n) + "\n")
}

// endFile ends the results of a file.
func (s *run) endFile() {
	switch {
	case !s.open:
	case s.mode == counts:
		s.count(s.name, s.selected)
	case s.mode == matchCounts:
		s.count(s.name, s.matches)
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
	switch {
	case s.mode == matchCounts && isMatch:
		s.eachSpan(l, math.MaxInt, func(int64, int64) { s.matches++ })
	case s.mode == lines:
		s.begin(l.Number)
		s.print(l, isMatch)
	}
}

// begin prints what comes before a line.
func (s *run) begin(number int) {
	hasContext := s.options.Before > 0 || s.options.After > 0
	isGap := hasContext && s.hasSeparator && s.printed && (s.heading || !s.began || number != s.last+1)
	switch {
	case !s.began && s.heading && s.named:
		if s.printed {
			s.c.Out.WriteByte('\n')
		}
		s.c.Out.WriteString(s.name)
		s.c.Out.WriteByte(s.nameEnd('\n'))
	case s.heading && (!s.began || number == s.last+1):
	case isGap:
		s.c.Out.WriteString(s.separator + "\n")
	}
	s.began, s.printed, s.last = true, true, number
}

// print prints a line, or what is asked for of it.
func (s *run) print(l search.Line, isMatch bool) {
	switch {
	case !isMatch:
		s.prefix(l, '-', -1)
		s.text(l, false)
	case s.replace != nil:
		s.printReplaced(l)
	case s.only && !s.options.Invert:
		s.eachSpan(l, math.MaxInt, func(start, end int64) {
			s.prefix(l, ':', start)
			s.part(l, start, end)
			s.c.Out.WriteByte('\n')
		})
	case s.vimgrep && !s.options.Invert:
		s.eachSpan(l, math.MaxInt, func(start, _ int64) {
			s.prefix(l, ':', start)
			s.text(l, true)
		})
	default:
		column := int64(-1)
		if s.column {
			s.eachSpan(l, 1, func(start, _ int64) { column = start })
		}
		s.prefix(l, ':', column)
		s.text(l, true)
	}
}

// prefix prints the name, the number and the column of a line. A negative column is not printed.
func (s *run) prefix(l search.Line, mark byte, column int64) {
	out := s.c.Out
	if s.named && !s.heading {
		out.WriteString(s.name)
		out.WriteByte(s.nameEnd(mark))
	}
	if s.numbered {
		out.WriteString(strconv.Itoa(l.Number))
		out.WriteByte(mark)
	}
	if s.column && column >= 0 {
		out.WriteString(itoa(column + 1))
		out.WriteByte(mark)
	}
}

func (s *run) eachSpan(l search.Line, limit int, yield func(start, end int64)) {
	for span, err := range l.Spans(limit) {
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

// text prints a whole line.
func (s *run) text(l search.Line, isMatch bool) {
	isLong := s.maxColumns > 0 && l.Length > int64(s.maxColumns)
	switch {
	case isLong && isMatch:
		s.c.Out.WriteString("[Omitted long matching line]")
	case isLong:
		s.c.Out.WriteString("[Omitted long context line]")
	case s.trim:
		blank := len(l.Text) - len(bytes.TrimLeft(l.Text, " \t\v\f\r"))
		s.part(l, int64(blank), l.Length)
	default:
		s.part(l, 0, l.Length)
	}
	s.c.Out.WriteByte('\n')
}

// printReplaced prints a line with its matches replaced, or with -o what replaces them.
func (s *run) printReplaced(l search.Line) {
	text := l.Text
	if !l.Whole() {
		s.c.Account.Grab(int(l.Length))
		defer s.c.Account.Drop(int(l.Length))
		text = make([]byte, l.Length)
		r, err := l.Open()
		if err == nil {
			_, err = io.ReadFull(r, text)
		}
		if err != nil {
			s.fail(s.name, err)
			return
		}
	}
	if !s.only {
		s.prefix(l, ':', -1)
	}
	at := 0
	s.replacer.All(text, func(m []int) bool {
		if s.only {
			s.prefix(l, ':', int64(m[0]))
		} else {
			s.c.Out.Write(text[at:m[0]])
		}
		s.expand(text, m)
		if s.only {
			s.c.Out.WriteByte('\n')
		}
		at = m[1]
		return true
	})
	if !s.only {
		s.c.Out.Line(text[at:])
	}
}

// reference is a group in a replacement.
var reference = regexp.MustCompile(`\$\$|\$\{[^}]*\}|\$[0-9A-Za-z_]+`)

// expand prints the replacement of a match.
func (s *run) expand(text []byte, m []int) {
	rest := *s.replace
	for {
		at := reference.FindStringIndex(rest)
		if at == nil {
			s.c.Out.WriteString(rest)
			return
		}
		s.c.Out.WriteString(rest[:at[0]])
		name := strings.Trim(rest[at[0]+1:at[1]], "{}")
		rest = rest[at[1]:]
		if name == "$" {
			s.c.Out.WriteByte('$')
			continue
		}
		n, err := strconv.Atoi(name)
		if err != nil {
			n = s.groups.GroupNumber(name)
		}
		isGroup := err == nil || n > 0
		if isGroup && 2*n+1 < len(m) && m[2*n] >= 0 {
			s.c.Out.Write(text[m[2*n]:m[2*n+1]])
		}
	}
}
