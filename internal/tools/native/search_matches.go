package native

import (
	"bytes"
	"strconv"

	"gander/internal/files/text"
	"gander/internal/search"
	"gander/internal/search/match"
)

// writeOnlyMatches writes the section with the matched text alone, each match on a line of its own.
func (s *textSearch) writeOnlyMatches() (section, error) {
	a := &answer{budget: s.scan.call.budget}
	r := &s.request
	seen := 0
	var item []byte
	var spans []match.Span
	path, shown := "", ""
	err := s.results(0, 0, func(found search.Result) bool {
		if found.Line.Number == 0 {
			path = notNote(s.scan.shown(found.Path))
			return true
		}
		spans = found.Line.Spans(spans[:0])
		for _, span := range spans {
			if seen++; seen < r.offset {
				continue
			}
			if s.count.full {
				if !s.count.match() {
					return false
				}
				continue
			}
			if seen-r.offset == r.limit {
				if !s.count.start(r.scope.Globs) {
					return false
				}
				continue
			}
			item = item[:0]
			if path != shown {
				if shown != "" {
					item = append(item, '\n')
				}
				item, shown = append(append(item, path...), '\n'), path
			}
			item = append(strconv.AppendInt(item, int64(found.Line.Number), 10), '\t')
			item = s.appendMatch(item, found, span)
			if !a.add(item) && !s.count.start(r.scope.Globs) {
				return false
			}
		}
		return true
	})
	if err != nil {
		return section{}, err
	}
	if seen < r.offset {
		return s.none("match", seen)
	}
	return s.page("match", seen).finish(a, func(e extent) (heading, marker string) {
		return s.heading() + e.heading() + s.scan.notes(e.more), e.marker()
	})
}

// appendMatch appends the matched text, cut if it is long.
func (s *textSearch) appendMatch(dst []byte, found search.Result, span match.Span) []byte {
	matched := bytes.TrimSuffix(found.Line.Text[span.Start:span.End], []byte("\r"))
	if len(matched) <= s.maxLine {
		return append(dst, text.Lossy(matched)...)
	}
	last := runeStart(matched, s.maxLine)
	dst = append(dst, text.Lossy(matched[:last])...)
	dst = append(dst, " [match cut at "+number(last)+" of "+number(len(matched))+" bytes; "...)
	return append(append(dst, s.placeHint(found, span.Start)...), ']')
}
