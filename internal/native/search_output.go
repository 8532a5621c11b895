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

// linesSection returns the section with the matching lines and their context.
func (s *textSearch) linesSection() (section, error) {
	r := &s.request
	near := &contextLines{page: s.resultPage, reach: max(r.options.Before, r.options.After)}
	for found := range s.results() {
		switch number := found.Line.Number; {
		case number == 0 && found.Binary && !s.full:
			near.addNote(s.path, "[binary from here; not searched further]")
		case number == 0:
		case !found.Line.Context && s.next():
			near.addMatch(s.path, number, s.shownLine(found))
			if r.fewContext && near.matches > fewMatches {
				near.narrow(0)
			}
		case found.Line.Context && s.found >= r.offset-1 && !s.full:
			near.addContext(s.path, number, s.shownLine(found))
		}
	}
	if r.fewContext && (s.full || r.offset > 1) {
		near.narrow(0)
	}
	for {
		full := s.full
		fits := near.fillPage()
		result, err := s.pageSection(func(n int) (more string) {
			if !s.isPart(n) {
				more = " in " + count(s.files, "file")
			}
			if !r.fewContext && near.reach < r.context {
				less := intArgument("context", near.reach)
				more += fmt.Sprintf("; %s, because %d does not fit", less, r.context)
			}
			return more
		})
		fits = fits && err == nil && s.inSection == near.matches
		if near.reach == 0 || fits {
			return result, err
		}
		s.full = full
		near.narrow(near.reach / 2)
	}
}

// spansSection returns the section with only the matched text, one match per line.
func (s *textSearch) spansSection() (section, error) {
	for found := range s.results() {
		if found.Line.Number > 0 {
			s.addSpans(found)
		}
	}
	return s.pageSection(func(int) string { return "" })
}

// addSpans adds the matches in a line.
func (s *textSearch) addSpans(found search.Result) {
	for span, err := range found.Line.Spans(math.MaxInt) {
		if err != nil {
			s.skip(s.shown(found.Path), err)
			return
		}
		if s.next() {
			item := append(strconv.AppendInt(nil, int64(found.Line.Number), 10), '\t')
			s.addBelow(s.path, s.appendSpan(item, found, span))
		}
		if !s.goOn() {
			return
		}
	}
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

// pathsSection returns the section with the paths of files, with their counts if requested.
func (s *textSearch) pathsSection() (section, error) {
	counted := s.request.options.Output == search.Counts
	lines := 0
	for found := range s.results() {
		if !s.next() {
			continue
		}
		var item []byte
		if counted {
			item = append(strconv.AppendInt(item, int64(found.Count), 10), '\t')
			lines += found.Count
		}
		s.add(append(item, s.path...))
	}
	return s.pageSection(func(n int) string {
		if !counted || s.isPart(n) {
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
