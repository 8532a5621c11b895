package native

import (
	"fmt"
	"strconv"

	"gander/internal/search"
)

// linesSection returns the section with the matching lines and their context.
func (s *textSearch) linesSection() (section, error) {
	r := &s.request
	near := s.newContextLines(max(r.options.Before, r.options.After))
	for found := range s.results() {
		line := &found.Line
		switch {
		case line.Number == 0:
			s.addBinaryNote(near, found)
		case line.Context && s.page.isNear():
			near.addContext(s.path, line.Number, s.lineExcerpt(found))
		case line.Context:
		case s.page.next():
			result := contextLine{path: s.path, number: line.Number, excerpt: s.lineExcerpt(found)}
			s.page.full = !near.addResult(result)
			if r.fewContext && near.results > fewResults {
				near.narrow(0)
			}
		}
	}
	isPart := s.page.full || r.offset > 1
	switch {
	case r.fewContext && isPart:
		near.narrow(0)
	case r.fewContext:
		s.addDefinitions(near)
	}
	return s.contextSection(near)
}

func (s *textSearch) newContextLines(reach int) *contextLines {
	return &contextLines{budget: s.page.budget, reach: reach}
}

// addBinaryNote adds a note if a result says that its file is binary from there on.
func (s *textSearch) addBinaryNote(near *contextLines, found search.Result) {
	if found.Binary && s.page.isNear() {
		s.page.full = !near.addNote(s.path, "[binary from here; not searched further]")
	}
}

// contextSection returns the section with results and the lines near them. If they do not fit, it
// first cuts the results, and then leaves out lines.
func (s *textSearch) contextSection(near *contextLines) (section, error) {
	near.flush()
	for {
		s.page.items = near.items()
		result, err := s.pageSection(func(n int) string { return s.contextClauses(near, n) })
		fits := err == nil && result.items == near.results
		if fits || !near.shrink() {
			return result, err
		}
	}
}

// contextClauses returns the end of the heading for n results with the lines near them.
func (s *textSearch) contextClauses(near *contextLines, n int) (clauses string) {
	if !s.page.isPart(n) {
		if s.matches > n {
			clauses = " of " + count(s.matches, "match")
		}
		clauses += " in " + count(s.page.items.paths, "file")
	}
	reach := intArgument("context", near.reach)
	switch {
	case near.reach == maxContext && s.request.context > maxContext:
		clauses += "; " + reach + ", the maximum"
	case near.reach < s.request.context:
		clauses += fmt.Sprintf("; %s, because %d does not fit", reach, s.request.context)
	}
	if s.tooMany {
		clauses += fmt.Sprintf("; after the first %s different texts of a file, others can be repeated",
			number(maxDifferent))
	}
	return clauses
}

// pathsSection returns the section with the paths of files, with their counts if requested.
func (s *textSearch) pathsSection() (section, error) {
	isCounted := s.request.options.Output == search.Counts
	lines := 0
	for found := range s.results() {
		if !s.page.next() {
			continue
		}
		var item []byte
		if isCounted {
			item = strconv.AppendInt(item, int64(found.Count), 10)
			item = append(item, '\t')
			lines += found.Count
		}
		s.page.add(append(item, s.path...))
	}
	return s.pageSection(func(n int) string {
		if !isCounted || s.page.isPart(n) {
			return ""
		}
		return " with " + count(lines, "matching line")
	})
}
