package native

import (
	"bytes"
	"fmt"
	"strconv"

	"gander/internal/files/text"
	"gander/internal/search"
	"gander/internal/search/match"
)

// writeSpans writes the section with only the matched text, one match per line.
func (s *textSearch) writeSpans() (section, error) {
	a := &items{budget: s.call.budget}
	var item []byte
	var spans []match.Span
	path, shown := "", ""
	err := s.results(0, 0, func(found search.Result) bool {
		if found.Line.Number == 0 {
			path = notMarker(s.shown(found.Path))
			return true
		}
		spans = found.Line.Spans(spans[:0])
		for _, span := range spans {
			onPage, more := s.found()
			if onPage {
				item = item[:0]
				if path != shown && shown != "" {
					item = append(item, '\n')
				}
				if path != shown {
					item, shown = append(append(item, path...), '\n'), path
				}
				item = append(strconv.AppendInt(item, int64(found.Line.Number), 10), '\t')
				more = a.add(s.appendSpan(item, found, span)) || s.fill()
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
	counted := s.request.output == "counts"
	lines := 0
	var item []byte
	err := s.results(0, 0, func(found search.Result) bool {
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
