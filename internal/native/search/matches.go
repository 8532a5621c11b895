package search

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"unicode/utf8"

	"gander/internal/files/text"
	"gander/internal/native/wording"
	"gander/internal/search/match"
)

// addTexts adds the texts that match to the page.
func (s *textSearch) addTexts(ctx context.Context) error {
	s.collected = &lineCollector{page: s.report.Page}
	for found, err := range s.results(ctx) {
		if err != nil {
			return err
		}
		if found.Line.Number == 0 {
			s.noteBinary(found.Binary)
			continue
		}
		if err := s.addMatches(ctx); err != nil {
			s.report.AddUnreadable(s.current.shown, err)
		}
	}
	return nil
}

// addMatches adds the matches in the current line, until the search should end.
func (s *textSearch) addMatches(ctx context.Context) error {
	for span, err := range s.current.Line.Spans(math.MaxInt) {
		if err != nil {
			return err
		}
		if s.report.Page.Next() {
			if err := s.addMatch(ctx, span); err != nil {
				return err
			}
		}
		s.limitCounting()
		if s.report.Uncounted {
			break
		}
	}
	return nil
}

// addMatch adds a match in the current line.
func (s *textSearch) addMatch(ctx context.Context, span match.Span) (err error) {
	result := pageLine{path: s.current.shown, number: s.current.Line.Number}
	result.excerpt, err = s.matchExcerpt(ctx, span)
	if s.current.Line.Length > int64(s.maxLine) {
		result.column, _ = s.current.column(span.Start)
	}
	s.collected.addResult(result)
	return err
}

// matchExcerpt returns a match in the current line as the result shows it.
func (s *textSearch) matchExcerpt(ctx context.Context, span match.Span) (e excerpt, err error) {
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
		wording.Grouped(len(part)), wording.Grouped(size), s.current.columnHint(ctx, span.Start))
	return e, nil
}
