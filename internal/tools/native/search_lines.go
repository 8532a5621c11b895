package native

import (
	"fmt"
	"slices"
	"strconv"

	"gander/internal/search"
)

// A pageLine is a line of a file on a page of matches, or a marker after the lines of a file.
type pageLine struct {
	path     string // in results
	number   int    // 0 for a marker
	text     string
	distance int // in lines, from the nearest match; 0 for a match, at most farLine
}

const farLine = maxContext + 1

// A matchPage collects the matches of a page and the lines near them, up to a few times the budget.
// If the context is too large, it drops the lines farthest from a match.
type matchPage struct {
	capacity int // [budget.minimum] of the section
	level    int // the maximum distance of a line
	lines    []pageLine
	matches  int
	size     int // of the lines
}

// add adds a line, which may be the nearest match to lines before it. It reports false if the page
// is full.
func (p *matchPage) add(path string, number int, text string, match bool) bool {
	if !match && p.level == 0 {
		return true
	}
	l := pageLine{path, number, text, farLine}
	n := len(p.lines)
	if match {
		l.distance = 0
		p.matches++
		for i := n - 1; i >= 0 && p.lines[i].path == path; i-- {
			distance := number - p.lines[i].number
			if distance >= p.lines[i].distance {
				break
			}
			p.lines[i].distance = distance
		}
	} else if n > 0 && p.lines[n-1].path == path {
		l.distance = min(farLine, p.lines[n-1].distance+number-p.lines[n-1].number)
	}
	p.lines = append(p.lines, l)
	for p.size += len(text); p.size/4 > p.capacity; p.limit(p.level - 1) {
		if p.level == 0 {
			return false
		}
	}
	return true
}

// limit drops the lines that are farther than level lines from every match.
func (p *matchPage) limit(level int) {
	p.level, p.size = level, 0
	p.lines = slices.DeleteFunc(p.lines, func(l pageLine) bool { return l.distance > level })
	for _, l := range p.lines {
		p.size += len(l.text)
	}
}

// items returns the items of the page: one for each match, with the lines near it.
func (p *matchPage) items(b budget) *items {
	a := &items{budget: b}
	var item []byte
	path, match := "", 0 // of the match in item
	for _, l := range p.lines {
		isNext := l.number > 0 && (l.distance == 0 || l.number-match > p.level)
		if match > 0 && (isNext || l.path != path) {
			a.addBelow(path, item)
			item, match = item[:0], 0
		}
		if l.distance == 0 && l.number > 0 {
			path, match = l.path, l.number
		}
		item = l.append(item)
	}
	if match > 0 {
		a.addBelow(path, item)
	}
	return a
}

// append appends the line to an item, which may be empty.
func (l pageLine) append(item []byte) []byte {
	if len(item) > 0 {
		item = append(item, '\n')
	}
	if l.number > 0 {
		item = strconv.AppendInt(item, int64(l.number), 10)
		if l.distance > 0 {
			item = append(item, '-')
		}
		item = append(item, '\t')
	}
	return append(item, l.text...)
}

// writeLines writes the section with the matching lines.
func (s *textSearch) writeLines() (section, error) {
	p, err := s.collect()
	if err != nil {
		return section{}, err
	}
	for level := p.level; ; level-- {
		p.limit(level)
		a := p.items(s.call.budget)
		all := true
		result, err := s.writePage(a, func(n int) (more string) {
			all = n == p.matches
			if !s.partial(n) {
				more = " in " + count(a.files, "file")
			}
			if !s.request.fewContext && level < s.request.context {
				less := s.call.hint("", intArgument("context", level))
				more += fmt.Sprintf("; %s, because %d does not fit", less, s.request.context)
			}
			return more
		})
		if level == 0 || err == nil && all {
			return result, err
		}
	}
}

// collect runs the search.
func (s *textSearch) collect() (*matchPage, error) {
	r := &s.request
	p := &matchPage{
		capacity: s.call.budget.minimum(), level: max(r.options.Before, r.options.After),
	}
	path := ""
	err := s.results(func(found search.Result) bool {
		number, match := found.Line.Number, !found.Line.Context
		if number == 0 {
			path = notMarker(s.shown(found.Path))
			n := len(p.lines)
			if found.Binary && !s.full && p.matches > 0 && p.lines[n-1].path == path {
				end := pageLine{path: path, text: "[binary from here; not searched further]"}
				p.lines = append(p.lines, end)
			}
			return true
		}
		if !match && (s.seen < r.offset-1 || s.full) {
			return true
		}
		if match {
			if onPage, more := s.found(); !onPage {
				return more
			}
			if r.fewContext && p.matches == fewMatches {
				p.limit(0)
			}
		}
		return p.add(path, number, s.shownLine(found), match) || s.fill()
	})
	if r.fewContext && (s.full || r.offset > 1) {
		p.limit(0)
	}
	return p, err
}
