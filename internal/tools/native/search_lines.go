package native

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gander/internal/search"
)

// A pageLine is a line of a file on a page of matches.
type pageLine struct {
	number   int
	text     string
	distance int // in lines, from the nearest match; 0 for a match
}

// A pageFile is a file on a page of matches.
type pageFile struct {
	path  string
	lines []pageLine // in order
	end   string     // a marker after the lines, or ""
}

// add adds a line. If it matches, it may be the nearest match to lines before it.
func (f *pageFile) add(number int, text string, match bool) {
	l := pageLine{number, text, math.MaxInt}
	if n := len(f.lines); match {
		l.distance = 0
		for ; n > 0 && f.lines[n-1].distance > number-f.lines[n-1].number; n-- {
			f.lines[n-1].distance = number - f.lines[n-1].number
		}
	} else if n > 0 && f.lines[n-1].distance < math.MaxInt {
		l.distance = f.lines[n-1].distance + number - f.lines[n-1].number
	}
	f.lines = append(f.lines, l)
}

// A matchPage collects the matches of a page and the lines near them, up to a few times the budget.
// If the context is too large, it drops the lines farthest from a match.
type matchPage struct {
	room    int // [budget.least] of the section
	level   int // the maximum distance of a line
	files   []pageFile
	matches int
	size    int // of the lines
}

// add adds a line of the last file. It reports false if the page is full.
func (p *matchPage) add(number int, text string, match bool) bool {
	switch {
	case match:
		p.matches++
	case p.level == 0:
		return true
	}
	p.files[len(p.files)-1].add(number, text, match)
	p.size += len(text)
	for p.room > 0 && p.size > 4*p.room {
		if p.level == 0 {
			return false
		}
		p.limit(p.level - 1)
	}
	return true
}

// limit drops the lines that are farther than level lines from every match, and files without a
// match.
func (p *matchPage) limit(level int) {
	p.level, p.size = level, 0
	for i := range p.files {
		f := &p.files[i]
		f.lines = slices.DeleteFunc(f.lines, func(l pageLine) bool { return l.distance > level })
		for _, l := range f.lines {
			p.size += len(l.text)
		}
	}
	p.files = slices.DeleteFunc(p.files, func(f pageFile) bool { return len(f.lines) == 0 })
}

// items returns the items of the page: one for each match, with the lines near it, and the path
// before the first of a file.
func (p *matchPage) items(b budget) *items {
	a := &items{budget: b}
	for i, f := range p.files {
		var item []byte
		if i > 0 {
			item = append(item, '\n')
		}
		item = append(item, f.path...)
		match := -1 // the last one of item
		for j, l := range f.lines {
			if match >= 0 && (l.distance == 0 || l.number-f.lines[match].number > p.level) {
				a.add(item)
				item, match = item[:0], -1
			}
			if l.distance == 0 {
				match = j
			}
			item = l.append(item)
		}
		if f.end != "" {
			item = append(append(item, '\n'), f.end...)
		}
		a.add(item)
	}
	return a
}

// append appends the line to an item, which may be empty.
func (l pageLine) append(item []byte) []byte {
	if len(item) > 0 {
		item = append(item, '\n')
	}
	item = strconv.AppendInt(item, int64(l.number), 10)
	if l.distance > 0 {
		item = append(item, '-')
	}
	return append(append(item, '\t'), l.text...)
}

// writeLines writes the section with the matching lines.
func (s *textSearch) writeLines() (section, error) {
	p, err := s.collect()
	if err != nil {
		return section{}, err
	}
	if s.seen < s.request.offset {
		return s.none()
	}
	c, requested := s.scan.call, max(s.request.before, s.request.after)
	for level := p.level; ; level-- {
		p.limit(level)
		all := true
		result, err := s.page().finish(p.items(c.budget), func(page page) string {
			all = page.shown == p.matches
			heading := s.heading() + page.heading()
			if !page.partial() {
				heading += " in " + count(len(p.files), "file")
			}
			if !s.request.fewContext && level < requested {
				less := c.hint("", intArgument(contextArgument, level))
				heading += fmt.Sprintf("; %s, because %d does not fit", less, requested)
			}
			return heading + s.scan.notes(page.more)
		})
		if level == 0 || err == nil && all {
			return result, err
		}
	}
}

// collect runs the search.
func (s *textSearch) collect() (*matchPage, error) {
	r := &s.request
	before, after := min(r.before, maxContext), min(r.after, maxContext)
	if r.fewContext {
		before, after = linesBefore, linesAfter
	}
	p := &matchPage{room: s.scan.call.budget.least(), level: max(before, after)}
	path := ""
	err := s.results(before, after, func(found search.Result) bool {
		if found.Line.Number == 0 {
			path = notMarker(s.scan.shown(found.Path))
			n := len(p.files)
			if found.Binary && !s.count.full && p.matches > 0 && p.files[n-1].path == path {
				p.files[n-1].end = "[binary from here; not searched further]"
			}
			return true
		}
		if found.Line.Context {
			if s.seen < r.offset-1 || s.count.full {
				return true
			}
		} else {
			if onPage, more := s.found(); !onPage {
				return more
			}
			if r.fewContext && p.matches == fewMatches {
				p.limit(0)
			}
		}
		if len(p.files) == 0 || p.files[len(p.files)-1].path != path {
			p.files = append(p.files, pageFile{path: path})
		}
		return p.add(found.Line.Number, s.shownLine(found), !found.Line.Context) || s.fill()
	})
	if r.fewContext && (s.count.full || r.offset > 1) {
		p.limit(0)
	}
	return p, err
}
