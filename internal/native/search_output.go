package native

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
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
				less := s.call.hint("", intArgument("context", page.reach))
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
	var item []byte
	var spans []match.Span
	s.search(func(found search.Result) bool {
		if found.Line.Number == 0 {
			return true
		}
		spans = found.Line.Spans(spans[:0])
		for _, span := range spans {
			onPage, more := s.found()
			if onPage {
				item = append(strconv.AppendInt(item[:0], int64(found.Line.Number), 10), '\t')
				more = a.addBelow(s.path, s.appendSpan(item, found, span)) || s.fill()
			}
			if !more {
				return false
			}
		}
		return true
	})
	return s.writePage(a, func(int) string { return "" })
}

func (s *textSearch) appendSpan(dst []byte, found search.Result, span match.Span) []byte {
	matched := bytes.TrimSuffix(found.Line.Text[span.Start:span.End], []byte("\r"))
	if len(matched) <= s.maxLine {
		return append(dst, text.Lossy(matched)...)
	}
	shown := text.Cut(matched, s.maxLine)
	return fmt.Appendf(dst, "%s [match cut at %s of %s bytes; %s]", text.Lossy(shown),
		number(len(shown)), number(len(matched)), s.columnHint(found, span.Start))
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
	whole := bytes.TrimSuffix(l.Text, []byte("\r"))
	if int(l.Length) == len(l.Text) && len(whole) <= s.maxLine {
		return text.Lossy(whole)
	}
	first := 0
	if !l.Context {
		if spans := l.Spans(nil); len(spans) > 0 && (spans[0].End > s.maxLine || l.Start > 0) {
			first = max(spans[0].Start-min(maxLead, s.maxLine/4), 0)
		}
	}
	if rest := len(whole) - s.maxLine; l.Start+int64(len(l.Text)) == l.Length {
		first = min(first, max(rest, 0)) // the end of the line fits
	}
	first = len(text.Cut(whole, first))
	last := max(len(text.Cut(whole, first+s.maxLine)), first+1)
	return fmt.Sprintf("%s [bytes %s-%s of %s; %s]", text.Lossy(whole[first:last]),
		number(l.Start+int64(first)+1), number(l.Start+int64(last)), number(l.Length),
		s.columnHint(found, first))
}

// maxColumns is the maximum number of bytes that one search reads to determine columns.
const maxColumns = 64 << 20

// columnHint returns the hint to read a line from an offset in its text on. The hint names only the
// line if the column there is too costly to determine.
func (s *textSearch) columnHint(found search.Result, offset int) string {
	l, path := found.Line, fmt.Sprintf("%s:%d", s.shown(found.Path), found.Line.Number)
	if before, ok := s.charactersBefore(found); ok {
		path += fmt.Sprintf(":%d", before+utf8.RuneCount(l.Text[:offset])+1)
	}
	return s.call.hint("read_file", stringArgument("path", path))
}

// charactersBefore returns the number of characters of a line before its text. It reports false if
// that is too costly to count, or the file is not UTF-8, or begins with a byte order mark.
func (s *textSearch) charactersBefore(found search.Result) (n int, ok bool) {
	l := found.Line
	if l.Start == 0 {
		return 0, true
	}
	if s.columns += l.Start; s.columns > maxColumns {
		return 0, false
	}
	location := s.start.location
	if found.Path != "" {
		location = location.Join(found.Path)
	}
	file, is, err := open(location)
	if err != nil {
		return 0, false
	}
	defer file.Close()
	before := bufio.NewReader(io.NewSectionReader(file, l.Offset, l.Start))
	for ; is.encoding == utf8Text; n++ {
		if _, _, err := before.ReadRune(); err != nil {
			return n, err == io.EOF && s.call.ctx.Err() == nil
		}
	}
	return 0, false
}
