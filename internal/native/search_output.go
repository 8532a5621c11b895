package native

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"
	"unicode/utf8"

	"gander/internal/files/text"
	"gander/internal/search"
	"gander/internal/search/match"
)

// A matchPage collects the matching lines of a page. Matches are more important than context, so it
// collects several pages, each with half the context of the previous one. The first that has room
// for all matches is the result.
type matchPage struct {
	pages   []linePage
	plain   *items   // of the last page, which has no context
	context [][]byte // the adjacent lines before line next
	next    int
	last    int // the number of the last match
}

// A linePage is a page of matching lines and the lines at most reach lines away.
type linePage struct {
	*items
	reach int
}

func newMatchPage(b budget, reach int) *matchPage {
	p := &matchPage{plain: &items{budget: b}}
	for ; reach > 0; reach /= 2 {
		p.pages = append(p.pages, linePage{&items{budget: b}, reach})
	}
	p.pages = append(p.pages, linePage{p.plain, 0})
	return p
}

func (p *matchPage) withoutContext() { p.pages = p.pages[len(p.pages)-1:] }

// add adds a line, which is a match or near one. It reports false if the page is full.
func (p *matchPage) add(path string, number int, line []byte, match bool) bool {
	if number != p.next {
		p.context = nil
	}
	p.next = number + 1
	for _, page := range p.pages {
		below := page.path == path
		switch {
		case match:
			n := min(len(p.context), page.reach)
			if below {
				n = min(n, max(number-1-page.reach-p.last, 0)) // the others are already there
			}
			before := p.context[len(p.context)-n:]
			page.addBelow(path, bytes.Join(append(before[:n:n], line), []byte("\n")))
		case below && number-p.last <= page.reach:
			page.extend(line)
		}
	}
	if p.context = append(p.context, line); match {
		p.context, p.last = nil, number
	}
	return !p.plain.full
}

func (s *textSearch) writeLines() (section, error) {
	r := &s.request
	p := newMatchPage(s.call.budget, max(r.options.Before, r.options.After))
	s.search(func(found search.Result) bool {
		number, match := found.Line.Number, !found.Line.Context
		if number == 0 {
			for _, page := range p.pages {
				if found.Binary && !s.full && page.path == s.path {
					page.extend([]byte("[binary from here; not searched further]"))
				}
			}
			return true
		}
		if !match && (s.seen < r.offset-1 || s.full) {
			return true
		}
		line := strconv.AppendInt(nil, int64(number), 10)
		if match {
			if onPage, more := s.found(); !onPage {
				return more
			}
			if r.fewContext && len(p.plain.sizes) == fewMatches {
				p.withoutContext()
			}
		} else {
			line = append(line, '-')
		}
		line = append(append(line, '\t'), s.shownLine(found)...)
		return p.add(s.path, number, line, match) || s.fill()
	})
	if r.fewContext && (s.full || r.offset > 1) {
		p.withoutContext()
	}
	for {
		page, all := p.pages[0], true
		result, err := s.writePage(page.items, func(n int) (more string) {
			all = n == len(p.plain.sizes)
			if !s.partial(n) {
				more = " in " + count(page.files, "file")
			}
			if !r.fewContext && page.reach < r.context {
				less := intArgument("context", page.reach)
				more += fmt.Sprintf("; %s, because %d does not fit", less, r.context)
			}
			return more
		})
		if page.reach == 0 || err == nil && all {
			return result, err
		}
		p.pages = p.pages[1:]
	}
}

// writeSpans writes the section with only the matched text, one match per line.
func (s *textSearch) writeSpans() (section, error) {
	a := &items{budget: s.call.budget}
	s.search(func(found search.Result) bool {
		return found.Line.Number == 0 || s.addSpans(a, found)
	})
	return s.writePage(a, func(int) string { return "" })
}

// addSpans adds the matches in a line. It reports whether the search should continue.
func (s *textSearch) addSpans(a *items, found search.Result) (more bool) {
	for span, err := range found.Line.Spans(math.MaxInt) {
		if err != nil {
			s.skip(s.shown(found.Path), err)
			return true
		}
		onPage, more := s.found()
		if onPage {
			item := append(strconv.AppendInt(nil, int64(found.Line.Number), 10), '\t')
			more = a.addBelow(s.path, s.appendSpan(item, found, span)) || s.fill()
		}
		if !more {
			return false
		}
	}
	return true
}

func (s *textSearch) appendSpan(dst []byte, found search.Result, span match.Span) []byte {
	size := span.End - span.Start
	shown := s.part(found, span.Start, min(size, int64(s.maxLine)+utf8.UTFMax))
	if size <= int64(s.maxLine) {
		return append(dst, wellFormed(bytes.TrimSuffix(shown, []byte("\r")))...)
	}
	shown = text.Cut(shown, s.maxLine)
	return fmt.Appendf(dst, "%s [match cut at %s of %s bytes; %s]", wellFormed(shown),
		number(len(shown)), number(size), s.columnHint(found, span.Start))
}

// writePaths writes the section with the paths of files, with their counts if requested.
func (s *textSearch) writePaths() (section, error) {
	a := &items{budget: s.call.budget}
	counted := s.request.options.Output == search.Counts
	lines := 0
	var item []byte
	s.search(func(found search.Result) bool {
		if onPage, more := s.found(); !onPage {
			return more
		}
		item = item[:0]
		if counted {
			item = append(strconv.AppendInt(item, int64(found.Count), 10), '\t')
			lines += found.Count
		}
		return a.add(append(item, s.path...)) || s.fill()
	})
	return s.writePage(a, func(n int) string {
		if !counted || s.partial(n) {
			return ""
		}
		return " with " + count(lines, "matching line")
	})
}

const (
	longLine = 400 // the maximum number of bytes shown of a line, unless the budget is small
	maxLead  = 60  // the maximum number of bytes before the match in an excerpt of a line
)

// shownLine returns a line as the result shows it. A long line is an excerpt that begins shortly
// before the first match, with a marker.
func (s *textSearch) shownLine(found search.Result) string {
	l := found.Line
	length := l.Length
	if l.Whole() {
		whole := bytes.TrimSuffix(l.Text, []byte("\r"))
		if len(whole) <= s.maxLine {
			return wellFormed(whole)
		}
		length = int64(len(whole))
	}
	size := int64(s.maxLine)
	first := min(s.excerptStart(found, size), max(length-size, 0)) // the end of the line fits
	// The part begins and ends with whole characters.
	low := max(first-utf8.UTFMax, 0)
	part := s.part(found, low, first-low+size+utf8.UTFMax)
	part = part[:min(int64(len(part)), length-low)]
	lead := min(int(first-low), len(part))
	for range utf8.UTFMax - 1 { // to the next character, so that the end of the line still fits
		if lead < len(part) && !utf8.RuneStart(part[lead]) {
			lead++
		}
	}
	end := max(len(text.Cut(part, lead+int(size))), min(lead+1, len(part)))
	first = low + int64(lead)
	return fmt.Sprintf("%s [bytes %s-%s of %s; %s]",
		wellFormed(bytes.TrimSuffix(part[lead:end], []byte("\r"))),
		number(first+1), number(low+int64(end)), number(l.Length), s.columnHint(found, first))
}

// excerptStart returns the offset in a line where an excerpt of a size begins.
func (s *textSearch) excerptStart(found search.Result, size int64) int64 {
	if found.Line.Context {
		return 0
	}
	for span, err := range found.Line.Spans(1) {
		if err == nil && span.End > size {
			return max(span.Start-min(maxLead, size/4), 0)
		}
	}
	return 0
}

// part returns a part of a line, or less of it if the file has changed or cannot be read again.
func (s *textSearch) part(found search.Result, offset, size int64) []byte {
	l := found.Line
	if l.Whole() {
		return l.Text[offset:min(offset+size, l.Length)]
	}
	r, err := l.Open()
	if err != nil {
		s.skip(s.shown(found.Path), err)
		return nil
	}
	part := make([]byte, size)
	n, err := r.ReadAt(part, offset)
	if err != nil && err != io.EOF {
		s.skip(s.shown(found.Path), err)
	}
	return part[:n]
}

// wellFormed returns text with U+FFFD for each byte that is not UTF-8, as read_file shows it.
func wellFormed(text []byte) string {
	if utf8.Valid(text) {
		return string(text)
	}
	return string(bytes.Runes(text))
}
