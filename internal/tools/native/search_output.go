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

// writeSpans writes the section with only the matched text, one match per line.
func (s *textSearch) writeSpans() (section, error) {
	a := &items{budget: s.call.budget}
	var item []byte
	var spans []match.Span
	path := ""
	err := s.results(func(found search.Result) bool {
		if found.Line.Number == 0 {
			path = notMarker(s.shown(found.Path))
			return true
		}
		spans = found.Line.Spans(spans[:0])
		for _, span := range spans {
			onPage, more := s.found()
			if onPage {
				item = append(strconv.AppendInt(item[:0], int64(found.Line.Number), 10), '\t')
				more = a.addBelow(path, s.appendSpan(item, found, span)) || s.fill()
			}
			if !more {
				return false
			}
		}
		return true
	})
	if err != nil {
		return section{}, err
	}
	return s.writePage(a, func(int) string { return "" })
}

// appendSpan appends the matched text, cut if it is long.
func (s *textSearch) appendSpan(dst []byte, found search.Result, span match.Span) []byte {
	matched := bytes.TrimSuffix(found.Line.Text[span.Start:span.End], []byte("\r"))
	if len(matched) <= s.maxLine {
		return append(dst, text.Lossy(matched)...)
	}
	last := runeStart(matched, s.maxLine)
	return fmt.Appendf(dst, "%s [match cut at %s of %s bytes; %s]", text.Lossy(matched[:last]),
		number(last), number(len(matched)), s.columnHint(found, span.Start))
}

// writePaths writes the section with the paths of files, with their counts if requested.
func (s *textSearch) writePaths() (section, error) {
	a := &items{budget: s.call.budget}
	counted := s.request.options.Output == search.Counts
	lines := 0
	var item []byte
	err := s.results(func(found search.Result) bool {
		if onPage, more := s.found(); !onPage {
			return more
		}
		item = item[:0]
		if counted {
			item = append(strconv.AppendInt(item, int64(found.Count), 10), '\t')
			lines += found.Count
		}
		return a.add(append(item, notMarker(s.shown(found.Path))...)) || s.fill()
	})
	if err != nil {
		return section{}, err
	}
	return s.writePage(a, func(n int) string {
		if !counted || s.partial(n) {
			return ""
		}
		return " with " + count(lines, "matching line")
	})
}

const (
	// longLine is the maximum number of bytes shown of a line, unless the budget is small.
	longLine = 400
	// maxLead is the maximum number of bytes before the match in an excerpt of a line.
	maxLead = 60
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
	first = runeStart(whole, first)
	last := len(whole)
	if last-first > s.maxLine {
		last = max(runeStart(whole, first+s.maxLine), first+1)
	}
	return fmt.Sprintf("%s [bytes %s-%s of %s; %s]", text.Lossy(whole[first:last]),
		number(l.Start+int64(first)+1), number(l.Start+int64(last)), number(l.Length),
		s.columnHint(found, first))
}

// runeStart returns the offset of the character in b that the byte at offset i belongs to.
func runeStart(b []byte, i int) int {
	for cut := 0; cut < utf8.UTFMax && i > cut && i-cut < len(b); cut++ {
		if utf8.RuneStart(b[i-cut]) {
			return i - cut
		}
	}
	return i
}

// columnHint returns the hint to read a line from an offset in its text on. If the column there is
// too costly to determine, the hint names only the line.
func (s *textSearch) columnHint(found search.Result, offset int) string {
	c, l, shown := s.call, found.Line, s.shown(found.Path)
	before, ok := s.charactersBefore(found)
	if !ok {
		line := fmt.Sprintf("%s:%d", shown, l.Number)
		return c.hint("read_file", stringArgument("path", line))
	}
	column := before + utf8.RuneCount(l.Text[:offset]) + 1
	return c.hint("read_file", columnArgument(shown, l.Number, column))
}

// maxColumns is the maximum number of bytes that one search reads to determine columns.
const maxColumns = 64 << 20

// charactersBefore returns the number of characters of a line before its text. It reports false if
// that is too costly to count, or the file is not UTF-8 on disk.
func (s *textSearch) charactersBefore(found search.Result) (n int, ok bool) {
	l := found.Line
	if l.Start == 0 {
		return 0, true
	}
	location := s.start.location
	if found.Path != "" {
		location = location.Join(found.Path)
	}
	if s.columns += l.Start; s.columns > maxColumns {
		return 0, false
	}
	file, is, err := open(location)
	if err != nil {
		return 0, false
	}
	defer file.Close()
	if is.encoding == utf16Text {
		return 0, false
	}
	offset := l.Offset
	if is.encoding == utf8BOM {
		offset += 3
	}
	before := bufio.NewReader(io.NewSectionReader(file, offset, l.Start))
	for {
		_, _, err := before.ReadRune()
		if err != nil {
			return n, err == io.EOF && s.call.ctx.Err() == nil
		}
		n++
	}
}
