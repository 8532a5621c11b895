package native

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf8"

	"gander/internal/files/text"
	"gander/internal/search"
)

const binaryNote = "[binary from here; not searched further]"

// linesSection returns the section with the matching lines and their context.
func (s *textSearch) linesSection() (section, error) {
	r := &s.request
	near := &contextLines{page: s.page, reach: max(r.options.Before, r.options.After)}
	for found := range s.results() {
		switch number := found.Line.Number; {
		case number == 0 && found.Binary && !s.page.full:
			near.addNote(s.path, binaryNote)
		case number == 0:
		case !found.Line.Context && s.page.next():
			near.addMatch(contextLine{path: s.path, number: number, excerpt: s.shownLine(found)})
			if r.fewContext && near.matches > fewMatches {
				near.narrow(0)
			}
		case found.Line.Context && s.page.found >= r.offset-1 && !s.page.full:
			near.addContext(s.path, number, s.shownLine(found))
		}
	}
	isPart := s.page.full || r.offset > 1
	switch {
	case r.fewContext && isPart:
		near.narrow(0)
	case r.fewContext:
		s.addDefinitions(near)
	}
	return s.fillSection(near)
}

// fillSection returns the section with the lines near the results. If they do not fit, it first
// cuts the results, and then leaves out lines.
func (s *textSearch) fillSection(near *contextLines) (section, error) {
	clauses := func(n int) string { return s.nearClauses(near, n) }
	for {
		fits := near.fillPage()
		result, err := s.pageSection(clauses)
		fits = fits && err == nil && result.items == near.matches
		switch {
		case fits, near.cut && near.reach == 0:
			return result, err
		case !near.cut:
			near.cut = true
		default:
			near.narrow(near.reach / 2)
		}
	}
}

// nearClauses returns the end of the heading for n results with the lines near them.
func (s *textSearch) nearClauses(near *contextLines, n int) (clauses string) {
	if !s.page.isPart(n) {
		if s.matches > n {
			clauses = " of " + count(s.matches, "match")
		}
		clauses += " in " + count(s.page.files, "file")
	}
	reach := intArgument("context", near.reach)
	switch {
	case near.reach == maxContext && s.request.context > maxContext:
		clauses += "; " + reach + ", the maximum"
	case near.reach < s.request.context:
		clauses += fmt.Sprintf("; %s, because %d does not fit", reach, s.request.context)
	}
	if s.tooMany {
		clauses += fmt.Sprintf("; after the first %s different texts of a file, others can be repeated",
			number(maxDifferent))
	}
	return clauses
}

// pathsSection returns the section with the paths of files, with their counts if requested.
func (s *textSearch) pathsSection() (section, error) {
	counted := s.request.options.Output == search.Counts
	lines := 0
	for found := range s.results() {
		if !s.page.next() {
			continue
		}
		var item []byte
		if counted {
			item = append(strconv.AppendInt(item, int64(found.Count), 10), '\t')
			lines += found.Count
		}
		s.page.add(append(item, s.path...))
	}
	return s.pageSection(func(n int) string {
		if !counted || s.page.isPart(n) {
			return ""
		}
		return " with " + count(lines, "matching line")
	})
}

const (
	longLine = 400 // the maximum number of bytes shown of a line, unless the budget is small
	maxLead  = 60  // the maximum number of bytes before the match in an excerpt of a line
	// A line or a match of up to wholeLine bytes is shown whole if those of the page have at most
	// longPage bytes together, as three always have.
	wholeLine, longPage = 2000, 3 * wholeLine
)

// shownLine returns a line as the result shows it. A long line is an excerpt that begins shortly
// before the first match, with a marker.
func (s *textSearch) shownLine(found search.Result) (e excerpt) {
	l := found.Line
	length := l.Length
	if l.Whole() {
		whole := bytes.TrimSuffix(l.Text, []byte("\r"))
		if len(whole) <= s.maxLine {
			return excerpt{text: wellFormed(whole)}
		}
		length = int64(len(whole))
		if length <= wholeLine && !l.Context {
			e.whole = wellFormed(whole)
		}
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
	e.text = fmt.Sprintf("%s [bytes %s-%s of %s; %s]",
		wellFormed(bytes.TrimSuffix(part[lead:end], []byte("\r"))),
		number(first+1), number(low+int64(end)), number(l.Length), s.columnHint(found, first))
	return e
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

// wellFormed returns text with U+FFFD for each byte that is not UTF-8, as read_file shows it.
func wellFormed(text []byte) string {
	if utf8.Valid(text) {
		return string(text)
	}
	return string(bytes.Runes(text))
}
