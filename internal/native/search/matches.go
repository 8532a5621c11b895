package search

import (
	"bytes"
	"fmt"
	"math"
	"unicode/utf8"

	"gander/internal/files/text"
	"gander/internal/native/wording"
	"gander/internal/search/match"
)

// maxDifferent is the number of different texts in a file that are listed once. Later ones are
// listed each time, so that the memory is bounded.
const maxDifferent = 5000

// A textList lists each text that matches once for a file.
type textList struct {
	*textSearch
	tallies map[string]*tally // the tallies of the texts in the current file, by key
	tooMany bool              // a file has more than maxDifferent texts
}

// addTexts adds the different texts that match in each file to the page.
func (s *textSearch) addTexts() error {
	s.collected = &lineCollector{page: s.Page}
	l := &textList{textSearch: s}
	for found, err := range s.results() {
		if err != nil {
			return err
		}
		if found.Line.Number == 0 {
			s.noteBinary(found.Binary)
			l.tallies = make(map[string]*tally)
			continue
		}
		if err := l.addLine(); err != nil {
			s.AddUnreadable(s.current.shown, err)
		}
	}
	if s.Uncounted && !s.fileEnded {
		for _, t := range l.tallies {
			t.orMore = true
		}
	}
	if s.matches > s.Page.Found {
		s.headingEnd.Total = " of " + wording.Counted(s.matches, "match")
	}
	if l.tooMany {
		s.headingEnd.Remark = fmt.Sprintf("; after the first %s different texts of a file, others can "+
			"be repeated",
			wording.Grouped(maxDifferent))
	}
	return nil
}

// addLine adds the matches in the current line, until the search should end.
func (l *textList) addLine() error {
	for span, err := range l.current.Line.Spans(math.MaxInt) {
		if err != nil {
			return err
		}
		if err := l.addMatch(span); err != nil {
			return err
		}
		l.limitCounting()
		if l.Uncounted {
			break
		}
	}
	return nil
}

// addMatch counts a match in the current line, and lists its text if that is new.
func (l *textList) addMatch(span match.Span) error {
	l.matches++
	key, err := l.current.key(span)
	if err != nil {
		return err
	}
	same := l.tallies[string(key)]
	if same != nil {
		same.matches++
		return nil
	}
	if len(l.tallies) < maxDifferent {
		same = &tally{matches: 1}
		l.tallies[string(key)] = same
	} else {
		l.tooMany = true
	}
	if !l.Page.Next() {
		return nil
	}
	result := pageLine{path: l.current.shown, number: l.current.Line.Number, tally: same}
	result.excerpt, err = l.matchExcerpt(span)
	if l.current.Line.Length > int64(l.maxLine) {
		result.column, _ = l.current.column(span.Start)
	}
	l.collected.addResult(result)
	return err
}

// matchExcerpt returns a match in the current line as the result shows it.
func (s *textSearch) matchExcerpt(span match.Span) (e excerpt, err error) {
	size := span.End - span.Start
	part, err := s.current.bytes(span.Start, min(size, wholeLine+utf8.UTFMax))
	if err != nil {
		return e, err
	}
	full := toValidUTF8(bytes.TrimSuffix(part, []byte("\r")))
	if size <= int64(s.maxLine) {
		return excerpt{text: full}, nil
	}
	if size <= wholeLine {
		e.full = full
	}
	part = part[:min(s.maxLine, len(part))] // fewer if the line has become shorter
	part = part[:text.WholeCharacters(part)]
	e.text = fmt.Sprintf("%s [match cut at %s of %s bytes; %s]", toValidUTF8(part),
		wording.Grouped(len(part)), wording.Grouped(size), s.current.columnHint(s.Call.Ctx, span.Start))
	return e, nil
}
