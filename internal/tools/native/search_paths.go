package native

import (
	"strconv"

	"gander/internal/search"
)

// writePaths writes the section with the paths of files, with their counts if requested.
func (s *textSearch) writePaths() (section, error) {
	a := &answer{budget: s.scan.call.budget}
	r := &s.request
	seen, lines := 0, 0
	err := s.results(0, 0, func(found search.Result) bool {
		if seen++; seen < r.offset {
			return true
		}
		if s.count.full {
			return s.count.match()
		}
		if seen-r.offset == r.limit {
			return s.count.start(r.scope.Globs)
		}
		var count []byte
		if r.output == countsOutput {
			count = append(strconv.AppendInt(nil, int64(found.Count), 10), '\t')
			lines += found.Count
		}
		return a.add(count, []byte(notNote(s.scan.shown(found.Path)))) ||
			s.count.start(r.scope.Globs)
	})
	if err != nil {
		return section{}, err
	}
	if seen < r.offset {
		return s.none("matching file", seen)
	}
	return s.page("matching file", seen).finish(a, func(e extent) (heading, marker string) {
		heading = s.heading() + e.heading()
		if r.output == countsOutput && !e.partial() {
			heading += " with " + count(lines, "matching line")
		}
		return heading + s.scan.notes(e.more), e.marker()
	})
}
