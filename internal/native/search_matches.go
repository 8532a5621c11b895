package native

import (
	"bytes"
	"fmt"
	"math"
	"unicode/utf8"

	"gander/internal/files/text"
	"gander/internal/search"
	"gander/internal/search/match"
)

// maxDifferent is the number of different matches in a file that are listed once. Later ones are
// listed each time, so that the memory is bounded.
const maxDifferent = 5000

// differentMatches lists each text that matches once for a file.
type differentMatches struct {
	*textSearch
	list    contextLines
	first   int            // of the lines of the current file in the list
	lineOf  map[string]int // of a text of the current file in the list, or notListed
	current search.Result  // the line
	line    lineWindow     // its text
}

const notListed = -1

// spansSection returns the section with the different matches in each file.
func (s *textSearch) spansSection() (section, error) {
	d := &differentMatches{textSearch: s, list: contextLines{page: s.page}}
	for found := range s.results() {
		if found.Line.Number > 0 {
			err := d.addLine(found)
			if err != nil {
				s.skip(s.shown(found.Path), err)
			}
			continue
		}
		if found.Binary && !s.page.full {
			d.list.addNote(s.path, binaryNote)
		}
		d.first, d.lineOf = len(d.list.lines), make(map[string]int)
	}
	for i := range d.list.lines[d.first:] {
		l := &d.list.lines[d.first+i]
		l.orMore = s.uncounted && l.count > 0
	}
	return s.fillSection(&d.list)
}

// addLine adds the matches in a line, until the search should not continue.
func (d *differentMatches) addLine(found search.Result) error {
	d.current = found
	err := d.line.begin(found.Line)
	if err != nil {
		return err
	}
	for span, err := range found.Line.Spans(math.MaxInt) {
		if err != nil {
			return err
		}
		err = d.addMatch(span)
		if err != nil {
			return err
		}
		if !d.goOn() {
			break
		}
	}
	return nil
}

// addMatch counts a match in the current line, and lists it if its text is new.
func (d *differentMatches) addMatch(span match.Span) error {
	d.matches++
	key, err := d.line.key(span)
	if err != nil {
		return err
	}
	at, ok := d.lineOf[string(key)]
	if ok && at != notListed {
		d.list.lines[at].count++
	}
	if ok {
		return nil
	}
	known := string(key)
	line := contextLine{path: d.path, number: d.current.Line.Number}
	if len(d.lineOf) < maxDifferent {
		line.count = 1
		d.lineOf[known] = notListed
	} else {
		d.tooMany = true
	}
	if !d.page.next() {
		return nil
	}
	line.excerpt, err = d.excerpt(span)
	if d.current.Line.Length > int64(d.maxLine) {
		if before, ok := d.columns.before(d.current, span.Start); ok {
			line.column = before + 1
		}
	}
	at = len(d.list.lines)
	d.list.addMatch(line)
	if line.count > 0 && len(d.list.lines) > at {
		d.lineOf[known] = at
	}
	return err
}

// excerpt returns a match as the result shows it.
func (d *differentMatches) excerpt(span match.Span) (e excerpt, err error) {
	size := span.End - span.Start
	part, err := d.line.bytes(span.Start, min(size, wholeLine+utf8.UTFMax))
	if err != nil {
		return e, err
	}
	whole := wellFormed(bytes.TrimSuffix(part, []byte("\r")))
	if size <= int64(d.maxLine) {
		return excerpt{text: whole}, nil
	}
	if size <= wholeLine {
		e.whole = whole
	}
	part = text.Cut(part, d.maxLine)
	e.text = fmt.Sprintf("%s [match cut at %s of %s bytes; %s]", wellFormed(part),
		number(len(part)), number(size), d.columnHint(d.current, span.Start))
	return e, nil
}
