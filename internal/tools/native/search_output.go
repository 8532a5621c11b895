package native

import (
	"bytes"
	"fmt"
	"strconv"

	"gander/internal/files/text"
	"gander/internal/search"
	"gander/internal/search/match"
)

// writeSpans writes the section with the matched text alone, each match on a line of its own.
func (s *textSearch) writeSpans() (section, error) {
	a := &items{budget: s.scan.call.budget}
	var item []byte
	var spans []match.Span
	path, shown := "", ""
	err := s.results(0, 0, func(found search.Result) bool {
		if found.Line.Number == 0 {
			path = notMarker(s.scan.shown(found.Path))
			return true
		}
		spans = found.Line.Spans(spans[:0])
		for _, span := range spans {
			onPage, more := s.found()
			if onPage {
				item = item[:0]
				if path != shown {
					if shown != "" {
						item = append(item, '\n')
					}
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
	if s.seen < s.request.offset {
		return s.none()
	}
	return s.page().finish(a, func(p page) string {
		return s.heading() + p.heading() + s.scan.notes(p.more)
	})
}

// appendSpan appends the matched text, cut if it is long.
func (s *textSearch) appendSpan(dst []byte, found search.Result, span match.Span) []byte {
	matched := bytes.TrimSuffix(found.Line.Text[span.Start:span.End], []byte("\r"))
	if len(matched) <= s.maxLine {
		return append(dst, text.Lossy(matched)...)
	}
	last := runeStart(matched, s.maxLine)
	return fmt.Appendf(dst, "%s [match cut at %s of %s bytes; %s]", text.Lossy(matched[:last]),
		number(last), number(len(matched)), s.placeHint(found, span.Start))
}

// writePaths writes the section with the paths of files, with their counts if requested.
func (s *textSearch) writePaths() (section, error) {
	a := &items{budget: s.scan.call.budget}
	counted := s.request.output == countsOutput
	lines := 0
	err := s.results(0, 0, func(found search.Result) bool {
		if onPage, more := s.found(); !onPage {
			return more
		}
		var count []byte
		if counted {
			count = append(strconv.AppendInt(nil, int64(found.Count), 10), '\t')
			lines += found.Count
		}
		return a.add(count, []byte(notMarker(s.scan.shown(found.Path)))) || s.fill()
	})
	if err != nil {
		return section{}, err
	}
	if s.seen < s.request.offset {
		return s.none()
	}
	return s.page().finish(a, func(p page) string {
		heading := s.heading() + p.heading()
		if counted && !p.partial() {
			heading += " with " + count(lines, "matching line")
		}
		return heading + s.scan.notes(p.more)
	})
}
