package native

import (
	"fmt"
	"strconv"

	"gander/internal/search"
)

// linesSection returns the section with the matching lines and their context.
func (s *textSearch) linesSection() (section, error) {
	r := &s.request
	collected := s.newLineCollector(max(r.options.Before, r.options.After))
	for found, err := range s.results() {
		if err != nil {
			return section{}, err
		}
		line := &found.Line
		switch {
		case line.Number == 0:
			s.noteBinary(collected, found)
		case line.Context && s.page.isNear():
			collected.addContext(found.shown, line.Number, s.lineExcerpt())
		case line.Context:
		case s.page.next():
			result := pageLine{
				path: found.shown, rel: found.Path, number: line.Number, excerpt: s.lineExcerpt(),
			}
			if !collected.addResult(result) {
				s.page.close()
			}
			if r.fewContext && collected.results > fewResults {
				collected.narrow(0)
			}
		}
	}
	isPart := s.page.closed || r.offset > 1
	switch {
	case r.fewContext && isPart:
		collected.narrow(0)
	case r.fewContext:
		s.addEnclosing(collected)
	}
	return s.contextSection(collected, "", "")
}

func (s *textSearch) newLineCollector(reach int) *lineCollector {
	return &lineCollector{budget: s.page.budget, reach: reach}
}

// noteBinary notes that a file is binary, if a result says so, and from where on.
func (s *textSearch) noteBinary(collected *lineCollector, found fileResult) {
	s.isBinary = found.Binary && s.isFile()
	if !found.Binary || !s.page.isNear() {
		return
	}
	if !collected.addNote(found.shown, "[binary from here; not searched further]") {
		s.page.close()
	}
}

// contextSection returns the section with results and the lines near them. If they do not fit, it
// first cuts the results, and then leaves out lines. The clauses are as for [scan.finish].
func (s *textSearch) contextSection(
	collected *lineCollector, total, remark string,
) (section, error) {
	collected.flush()
	for {
		s.page.items = collected.items()
		files := " in " + counted(s.page.items.paths, "file")
		result, err := s.pageSection(total+files, s.reachClause(collected)+remark)
		fits := err == nil && result.items == collected.results
		if fits || !collected.shrink() {
			return result, err
		}
	}
}

// reachClause returns how many lines of context are shown, if more are requested.
func (s *textSearch) reachClause(collected *lineCollector) string {
	reach, wanted := intArgument("context", collected.reach), s.request.context
	switch {
	case collected.reach == maxContext && wanted > maxContext:
		return "; " + reach + ", the maximum"
	case collected.reach < wanted:
		return fmt.Sprintf("; %s, because %d does not fit", reach, wanted)
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
		total = " with " + counted(lines, "matching line")
	}
	return s.pageSection(total, "")
}
