package native

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"gander/internal/files/text"
	"gander/internal/search"
	"gander/tool"
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
	lines []pageLine // nothing lies between two of them that is on the page
	end   string     // what is said after the lines, if anything
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

// A matchPage collects the matches of a page and the lines near them. It holds a few times as much as an answer can have: if
// there is too much context, it drops the lines that are farthest from a match.
type matchPage struct {
	room    int // of the answer in bytes, if they are all ASCII; 0 for any number
	level   int // how far from a match a line may be
	files   []pageFile
	matches int
	size    int // of the lines
}

// add adds a line of the last file. It reports false if the page has no room for it.
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

// limit drops the lines that are farther than level lines from every match, and files without a match.
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

// answer writes the page: an item for each match, with the lines near it, and the path before the first of a file.
func (p *matchPage) answer(b budget) *answer {
	a := &answer{budget: b}
	for i, f := range p.files {
		var item []byte
		if i > 0 {
			item = append(item, '\n')
		}
		item = append(item, f.path...)
		match := -1 // the last that the item has
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

// lines makes an answer of matching lines.
func (s *searching) lines(ctx context.Context) (tool.Result, error) {
	p, seen, more, err := s.matches(ctx)
	if err != nil {
		return tool.Result{}, err
	}
	if seen < s.offset {
		return s.none("matching line", seen)
	}
	part := extent{what: "matching line", first: s.offset, seen: seen, more: more}
	for level := p.level; ; level-- {
		p.limit(level)
		a, all := p.answer(s.budget), true
		result, err := part.finish(a, func(e extent) (heading, end string) {
			all = e.shown == p.matches
			heading = e.heading()
			if !e.partial() {
				heading += " in " + count(len(p.files), "file")
			}
			if level < s.context {
				heading += fmt.Sprintf("; context=%d, because %d does not fit", level, s.context)
			}
			return heading + s.notes(e.continues()), e.end()
		})
		if level == 0 || err == nil && all {
			return result, err
		}
	}
}

// matches collects the matches of the page. It also returns how many it has seen, counted from the beginning, and whether there
// are more.
func (s *searching) matches(ctx context.Context) (p *matchPage, seen int, more bool, err error) {
	p = &matchPage{room: s.budget.least(), level: min(max(s.context, 0), maxContext)}
	s.Before, s.After = p.level, p.level
	few := s.context < 0
	if few {
		s.Before, s.After, p.level = linesBefore, linesAfter, max(linesBefore, linesAfter)
	}
	begun := ""
	err = s.results(ctx, func(r search.Result) bool {
		if r.Line.Number == 0 {
			if begun = notNote(s.shown(r.Path)); r.Binary && p.matches > 0 && p.files[len(p.files)-1].path == begun {
				p.files[len(p.files)-1].end = "[binary from here; not searched further]"
			}
			return true
		}
		if !r.Line.Context {
			if seen++; seen < s.offset {
				return true
			}
			if more = seen-s.offset == s.limit; more {
				return false
			}
			if few && p.matches == fewMatches {
				p.limit(0)
			}
		}
		if seen < s.offset-1 {
			return true
		}
		if len(p.files) == 0 || p.files[len(p.files)-1].path != begun {
			p.files = append(p.files, pageFile{path: begun})
		}
		more = !p.add(r.Line.Number, shownLine(r.Line, s.mostLine), !r.Line.Context)
		return !more
	})
	if few && (more || s.offset > 1) {
		p.limit(0)
	}
	return p, seen, more, err
}

// longLine is the size in bytes beyond which a line is cut, unless the answer has little room.
const longLine = 400

// shownLine returns a line as the answer shows it. If it has more than most bytes, that is the part around the first match, with
// a marker.
func shownLine(l search.Line, most int) string {
	whole := bytes.TrimSuffix(l.Text, []byte("\r"))
	cut := int(l.Length) - len(l.Text) // in bytes that are not in Text
	if cut == 0 && len(whole) <= most {
		return text.Lossy(whole)
	}
	first := 0
	if !l.Context {
		if spans := l.Spans(nil); len(spans) > 0 && spans[0].End > most {
			first = spans[0].Start - most/4
		}
	}
	first = max(min(first, len(whole)-most), 0)
	last := min(first+most, len(whole))
	for first > 0 && !utf8.RuneStart(whole[first]) {
		first--
	}
	for last > first+1 && last < len(whole) && !utf8.RuneStart(whole[last]) {
		last--
	}
	return fmt.Sprintf("%s [bytes %s-%s of %s; read_file offset=%d]", text.Lossy(whole[first:last]),
		number(l.Start+int64(first)+1), number(l.Start+int64(last)), number(l.Length), l.Number)
}
