package grep

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"unicode/utf8"

	"gander/internal/shell/command"
)

// block is the size of GNU grep's buffer. It decides which lines before a NUL are printed.
const block = 96 << 10

// A scan searches one input. Its buffer holds whole lines up to end, which are searched from at on,
// and before them the lines that can be context. Positions are in the buffer.
type scan struct {
	*search
	in   *command.Input
	name string

	filled, end int
	at          int
	hit, hitEnd int // with -v: the next line that matches, or end
	shown       int // the end of the last line that was printed, or -1 if it is not in the buffer
	runEnd      int // with -v: the end of the last line that was selected
	line        int // the number of the line at lineAt
	lineAt      int

	selected  int
	rest      int64 // the offset in the input after the last line of -m, or -1
	due       int   // lines of context to print after the last line
	nul       bool
	beforeNUL int  // the number of selected lines before the block with a NUL
	bad       bool // a line was left out, because it is not UTF-8
}

// search searches an input.
func (s *search) search(in *command.Input, name string) {
	if s.buf == nil {
		s.c.Account.Grab(block)
		s.buf = make([]byte, block)
	}
	scan := &scan{search: s, in: in, name: name, hit: -1, shown: -1, line: 1, rest: -1}
	for more := true; more; {
		atEnd, err := scan.fill()
		if err != nil {
			s.c.Account.Check()
			s.c.Files.Omitted.Count(err)
			s.fail(name, err)
			return
		}
		if scan.nul && s.skipBinary {
			scan.selected = 0
			break
		}
		more = scan.lines() && !atEnd
	}
	scan.finish()
	if scan.rest >= 0 && in.File != nil {
		in.Continue(scan.rest)
	}
}

// fill moves the lines that are still needed to the beginning of the buffer, and reads until it has
// another line or all of the input.
func (s *scan) fill() (atEnd bool, err error) {
	keep := s.back(s.at, s.before)
	s.number(keep)
	s.filled = copy(s.buf, s.buf[keep:s.filled])
	s.at -= keep
	s.shown = max(s.shown-keep, -1)
	s.runEnd -= keep
	s.lineAt, s.hit = 0, -1
	for s.end = -1; s.end < 0; {
		if len(s.buf)-s.filled < block/2 {
			s.grow()
		}
		n, err := s.in.Read(s.buf[s.filled:min(len(s.buf), s.filled+block)])
		fresh := s.buf[s.filled : s.filled+n]
		s.take(fresh)
		if i := bytes.LastIndexByte(fresh, '\n'); i >= 0 {
			s.end = s.filled + i + 1
		}
		s.filled += n
		if err != nil {
			s.end = s.filled
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return true, err
		}
	}
	return false, nil
}

func (s *scan) grow() {
	s.c.Account.Grab(2 * len(s.buf))
	grown := make([]byte, 2*len(s.buf))
	copy(grown, s.buf[:s.filled])
	s.c.Account.Drop(len(s.buf))
	s.buf = grown
}

// take looks for NUL in what was read. In a binary file it ends a line.
func (s *scan) take(fresh []byte) {
	if s.text || bytes.IndexByte(fresh, 0) < 0 {
		return
	}
	if !s.nul {
		s.nul, s.beforeNUL = true, s.selected
	}
	for i, b := range fresh {
		if b == 0 {
			fresh[i] = '\n'
		}
	}
}

// back returns the start of the n-th line before a position, or of the first that was not printed.
func (s *scan) back(at, n int) int {
	first := max(s.shown, 0)
	for ; n > 0 && at > first; n-- {
		at = first + bytes.LastIndexByte(s.buf[first:at-1], '\n') + 1
	}
	return at
}

// number returns the number of the line at a position, which does not decrease.
func (s *scan) number(at int) int {
	if s.grep.number {
		s.line += bytes.Count(s.buf[s.lineAt:at], []byte{'\n'})
		s.lineAt = at
	}
	return s.line
}

// lines searches the whole lines in the buffer. It reports whether to go on.
func (s *scan) lines() bool {
	for {
		if s.selected == s.most {
			s.printAfter(s.end)
			s.at = s.end
			return s.due > 0
		}
		start, end, ok := s.next()
		if !ok {
			s.printAfter(s.end)
			s.at = s.end
			return true
		}
		s.printAfter(start)
		s.at = min(end+1, s.end)
		more := s.selectLine(start, end)
		if s.selected == s.most && !s.list && !s.quiet {
			s.rest = s.in.At() - int64(s.filled-s.at)
		}
		if !more {
			return false
		}
	}
}

// next returns the next selected line.
func (s *scan) next() (start, end int, ok bool) {
	if !s.invert {
		return s.searcher.NextLine(s.buf[:s.end], s.at)
	}
	for s.at < s.end {
		s.c.Account.Tick()
		if s.hit < s.at {
			s.hit, s.hitEnd, ok = s.searcher.NextLine(s.buf[:s.end], s.at)
			if !ok {
				s.hit = s.end
			}
		}
		if s.at < s.hit {
			return s.at, s.lineEnd(s.at), true
		}
		s.at = min(s.hitEnd+1, s.end)
	}
	return 0, 0, false
}

// lineEnd returns the end of the line at a position.
func (s *scan) lineEnd(at int) int {
	if n := bytes.IndexByte(s.buf[at:s.end], '\n'); n >= 0 {
		return at + n
	}
	return s.end
}

// selectLine counts a selected line and prints it with the context before it. It reports whether to
// go on.
func (s *scan) selectLine(start, end int) bool {
	s.found = true
	s.selected++
	switch {
	case s.list, s.quiet:
		return false
	case s.count:
		return true
	case s.nul:
		s.printed = true // that the file matches
		return false
	}
	from := s.back(start, s.before)
	isInRun := s.invert && start > 0 && s.runEnd == start // of lines, which nothing separates
	s.runEnd = min(end+1, s.filled)
	isGap := s.printed && from != s.shown && !isInRun
	if s.hasContext && isGap {
		s.c.Out.WriteString("--\n")
	}
	for from < start {
		lineEnd := s.lineEnd(from)
		s.print(from, lineEnd, '-')
		from = lineEnd + 1
	}
	s.printed = true
	s.due = s.after
	s.print(start, end, ':')
	return true
}

// printAfter prints the context that is due, up to a position. If nothing was printed before, as
// the selected line is not UTF-8, it begins where the buffer does, as in GNU grep.
func (s *scan) printAfter(limit int) {
	if s.due > 0 {
		s.shown = max(s.shown, 0)
	}
	for ; s.due > 0 && s.shown < limit; s.due-- {
		if !s.print(s.shown, s.lineEnd(s.shown), '-') {
			s.due = 0
			return
		}
	}
}

// print prints a line, unless it is not UTF-8. What follows its name and number is ":" for a
// selected line.
func (s *scan) print(start, end int, mark byte) bool {
	s.c.Account.Tick()
	switch {
	case !s.only:
		if !s.printPart(start, start, end, mark) {
			return false
		}
	case (mark == ':') != s.invert:
		s.searcher.All(s.buf[start:end], func(m []int) bool {
			if m[0] < m[1] {
				s.printPart(start, start+m[0], start+m[1], mark)
			}
			return true
		})
	}
	s.shown = min(end+1, s.filled)
	return true
}

// printPart prints a part of the line at start, with its name and number, unless it is not UTF-8.
func (s *scan) printPart(line, start, end int, mark byte) bool {
	text := s.buf[start:end]
	if !s.text && !utf8.Valid(text) {
		s.bad = true
		return false
	}
	out := s.c.Out
	if s.named {
		s.printName(mark)
	}
	if s.grep.number {
		out.WriteString(strconv.Itoa(s.number(line)))
		out.WriteByte(mark)
	}
	out.Line(text)
	return true
}

// printName prints the name of the input, and what follows it.
func (s *scan) printName(mark byte) {
	s.c.Out.WriteString(s.name)
	s.c.Out.WriteByte(mark)
}

// finish prints what is printed once for an input.
func (s *scan) finish() {
	switch {
	case s.quiet:
	case s.list:
		if (s.selected > 0) != s.without {
			s.printName('\n')
		}
	case s.count:
		if s.named {
			s.printName(':')
		}
		s.c.Out.WriteString(strconv.Itoa(s.selected))
		s.c.Out.WriteByte('\n')
	case s.bad, s.nul && s.selected > s.beforeNUL:
		s.c.Errorf("%s: binary file matches", s.name)
	}
}
