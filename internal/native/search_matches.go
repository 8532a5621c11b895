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
	tooMany bool           // a file has more than maxDifferent different matches
	found   search.Result  // the current line
	line    lineWindow     // its text
}

const notListed = -1

// spansSection returns the section with the different matches in each file.
func (s *textSearch) spansSection() (section, error) {
	d := &differentMatches{textSearch: s, list: contextLines{page: s.resultPage}}
	for found := range s.results() {
		switch {
		case found.Line.Number > 0:
			d.addLine(found)
		case found.Binary && !s.full:
			d.list.addNote(s.path, binaryNote)
			d.begin()
		default:
			d.begin()
		}
	}
	for i := range d.list.lines[d.first:] {
		l := &d.list.lines[d.first+i]
		l.orMore = s.partial && l.count > 0
	}
	return s.fillSection(&d.list, func(n int) (more string) {
		if !s.isPart(n) && s.matches > n {
			more = " of " + count(s.matches, "match")
		}
		if !s.isPart(n) {
			more += " in " + count(s.files, "file")
		}
		if d.tooMany {
			more += fmt.Sprintf("; after the first %s different texts of a file, others can be repeated",
				number(maxDifferent))
		}
		return more
	})
}

// begin begins a file.
func (d *differentMatches) begin() {
	const few = 100 // a map remains as large as it has been
	d.first = len(d.list.lines)
	if len(d.lineOf) > few || d.lineOf == nil {
		d.lineOf = make(map[string]int)
	}
	clear(d.lineOf)
}

// addLine adds the matches in a line.
func (d *differentMatches) addLine(found search.Result) {
	d.found = found
	err := d.line.begin(found.Line)
	if err != nil {
		d.skip(d.shown(found.Path), err)
		return
	}
	for span, err := range d.found.Line.Spans(math.MaxInt) {
		if !d.addSpan(span, err) {
			break
		}
	}
}

// addSpan adds a match in the current line, or the error of reading it. It reports whether to go on.
func (d *differentMatches) addSpan(span match.Span, err error) bool {
	if err == nil {
		d.matches++
		err = d.add(span)
	}
	if err != nil {
		d.skip(d.shown(d.found.Path), err)
	}
	return err == nil && d.goOn()
}

// add counts a match, and lists it if its text is new.
func (d *differentMatches) add(span match.Span) error {
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
	line := contextLine{path: d.path, number: d.found.Line.Number}
	if len(d.lineOf) < maxDifferent {
		line.count = 1
		d.lineOf[known] = notListed
	}
	d.tooMany = d.tooMany || line.count == 0
	if !d.next() {
		return nil
	}
	line.excerpt, err = d.excerpt(span)
	if d.found.Line.Length > int64(d.maxLine) {
		if before, ok := d.columns.before(d.found, span.Start); ok {
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
		number(len(part)), number(size), d.columnHint(d.found, span.Start))
	return e, nil
}
