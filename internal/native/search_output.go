package native

import (
	"fmt"
	"strconv"

	"gander/internal/search"
)

// linesSection returns the section with the matching lines and their context.
func (s *textSearch) linesSection() (section, error) {
	r := &s.request
	near := s.newLineCollector(max(r.options.Before, r.options.After))
	for found, err := range s.results() {
		if err != nil {
			return section{}, err
		}
		line := &found.Line
		switch {
		case line.Number == 0:
			s.noteBinary(near, found)
		case line.Context && s.page.isNear():
			near.addContext(found.shown, line.Number, s.lineExcerpt(found))
		case line.Context:
		case s.page.next():
			result := pageLine{
				path: found.shown, rel: found.Path, number: line.Number, excerpt: s.lineExcerpt(found),
			}
			if !near.addResult(result) {
				s.page.close()
			}
			if r.fewContext && near.results > fewResults {
				near.narrow(0)
			}
		}
	}
	isPart := s.page.closed || r.offset > 1
	switch {
	case r.fewContext && isPart:
		near.narrow(0)
	case r.fewContext:
		s.addDefinitions(near)
	}
	return s.contextSection(near, "", "")
}

func (s *textSearch) newLineCollector(reach int) *lineCollector {
	return &lineCollector{budget: s.page.budget, reach: reach}
}

// noteBinary notes that a file is binary, if a result says so, and from where on.
func (s *textSearch) noteBinary(near *lineCollector, found fileResult) {
	s.isBinary = found.Binary && s.isFile()
	if !found.Binary || !s.page.isNear() {
		return
	}
	if !near.addNote(found.shown, "[binary from here; not searched further]") {
		s.page.close()
	}
}

// contextSection returns the section with results and the lines near them. If they do not fit, it
// first cuts the results, and then leaves out lines. The clauses are as for [scan.finish].
func (s *textSearch) contextSection(
	near *lineCollector, total, remark string,
) (section, error) {
	near.flush()
	for {
		s.page.items = near.items()
		files := " in " + count(s.page.items.paths, "file")
		result, err := s.pageSection(total+files, s.reachClause(near)+remark)
		fits := err == nil && result.items == near.results
		if fits || !near.shrink() {
			return result, err
		}
	}
}

// reachClause returns how many lines of context are shown, if more are requested.
func (s *textSearch) reachClause(near *lineCollector) string {
	shown, wanted := intArgument("context", near.reach), s.request.context
	switch {
	case near.reach == maxContext && wanted > maxContext:
		return "; " + shown + ", the maximum"
	case near.reach < wanted:
		return fmt.Sprintf("; %s, because %d does not fit", shown, wanted)
	default:
		return ""
	}
}

// pathsSection returns the section with the paths of files, with their counts if requested.
func (s *textSearch) pathsSection() (section, error) {
	isCounted := s.request.options.Output == search.Counts
	lines := 0
	for found, err := range s.results() {
		if err != nil {
			return section{}, err
		}
		if !s.page.next() {
			continue
		}
		var item []byte
		if isCounted {
			item = strconv.AppendInt(item, int64(found.Count), 10)
			item = append(item, '\t')
			lines += found.Count
		}
		s.page.add(append(item, found.shown...))
	}
	total := ""
	if isCounted {
		total = " with " + count(lines, "matching line")
	}
	return s.pageSection(total, "")
}
