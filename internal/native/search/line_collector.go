package search

import (
	"math"
	"strconv"
	"strings"

	"gander/internal/native/section"
)

// A lineCollector collects the results of a page and the lines around them, in their order, and
// then makes items of them.
//
// Results are more important than context. When the added lines exceed the budget, those far from a
// result are left out, and at last the result that was added, which closes the page. Since a
// section has more than lines, the items may still not fit; then the lines can be made to shrink.
type lineCollector struct {
	page        *section.Page
	reach       reach        // lines farther from a result are left out
	cutsResults bool         // long results are shown as excerpts, never whole
	lines       []pageLine   // within reach
	size        section.Size // the size of the lines with long results cut
	results     int          // the number of results among lines
	last        pageLine     // the last result
	pending     []pageLine   // after the last result; the next one may make them its context
	resultBytes int          // the size of the results, with those whole that can be
}

// addContext adds a line that is no result.
func (c *lineCollector) addContext(path string, number int, e excerpt) {
	l := pageLine{
		kind: nearLine, path: path, number: number, fromAbove: far, fromBelow: far,
		excerpt: e,
	}
	if c.last.path == path {
		l.fromAbove = number - c.last.number
	}
	c.pending = append(c.pending, l)
}

// addNote adds a line after the last result, if that is in the same file.
func (c *lineCollector) addNote(path, text string) {
	if c.last.path == path {
		c.add(pageLine{kind: noteLine, path: path, fromBelow: far, excerpt: excerpt{text: text}})
	}
}

// addResult adds a result. The adjacent lines above it become its context.
func (c *lineCollector) addResult(l pageLine) {
	for distance := 1; distance <= len(c.pending); distance++ {
		near := &c.pending[len(c.pending)-distance]
		if near.path != l.path || near.number != l.number-distance {
			break
		}
		near.fromBelow = distance
	}
	c.resultBytes += min(max(len(l.text), len(l.full)), wholeLine)
	c.cutsResults = c.cutsResults || c.resultBytes > longPage
	if c.cutsResults {
		l.full = ""
	}
	c.last = l
	c.results++
	c.add(l)
}

func (c *lineCollector) add(l pageLine) {
	c.pending = append(c.pending, l)
	c.flush()
	c.fit()
}

// flush moves the pending lines to the others, except those out of reach.
func (c *lineCollector) flush() {
	for _, l := range c.pending {
		c.addInReach(l)
	}
	c.pending = nil
}

// addInReach appends a line, unless it is out of reach.
func (c *lineCollector) addInReach(l pageLine) {
	if l.isAbove(c.reach) && l.fromBelow > c.reach.before {
		return
	}
	if c.isGap(len(c.lines), l) {
		c.size = c.size.Plus(section.LineSize(gapMark))
	}
	c.lines = append(c.lines, l)
	c.size = c.size.Plus(section.LineSize(l.render(true)))
}

// fit halves the reach until the lines fit. If the results alone do not, it drops the last one and
// closes the page.
func (c *lineCollector) fit() {
	for !c.page.Budget.Fits(c.size) {
		if c.reach == (reach{}) {
			c.dropResult()
			c.page.Close()
			return
		}
		c.narrow(c.reach.lines() / 2)
	}
}

// dropResult drops the last result and its note, unless it is the only one.
func (c *lineCollector) dropResult() {
	if c.results == 1 {
		return
	}
	end := len(c.lines) - 1
	for c.lines[end].kind != resultLine {
		end--
	}
	c.setLines(c.lines[:end])
	c.results--
}

// narrow reduces the reach to a maximum in both directions.
func (c *lineCollector) narrow(maximum int) {
	if maximum < c.reach.lines() {
		c.reach = reach{before: min(c.reach.before, maximum), after: min(c.reach.after, maximum)}
		c.setLines(c.lines)
	}
}

// setLines replaces the lines by others, except those out of reach.
func (c *lineCollector) setLines(lines []pageLine) {
	c.lines, c.size = nil, section.Size{}
	for _, l := range lines {
		c.addInReach(l)
	}
}

// shrink makes the lines shorter: it cuts the results, and then halves the reach. It reports false
// if nothing is left to do.
func (c *lineCollector) shrink() bool {
	switch {
	case !c.cutsResults:
		c.cutsResults = true
	case c.reach != (reach{}):
		c.narrow(c.reach.lines() / 2)
	default:
		return false
	}
	return true
}

// items returns an item for each result, with the lines around it that do not belong to the result
// above.
func (c *lineCollector) items() (items section.Items) {
	var item []string
	for i, l := range c.lines {
		if c.isGap(i, l) {
			item = append(item, gapMark)
		}
		item = append(item, l.render(c.cutsResults))
		if c.endsItem(i) {
			items.AddBelow(l.path, []byte(strings.Join(item, "\n")))
			item = nil
		}
	}
	return items
}

// endsItem reports whether an item ends with a line. The lines above a result, and those below it
// within reach, belong to it.
func (c *lineCollector) endsItem(i int) bool {
	switch {
	case c.lines[i].isAbove(c.reach):
		return false
	case i+1 == len(c.lines):
		return true
	default:
		next := c.lines[i+1]
		return next.kind == resultLine || next.isAbove(c.reach)
	}
}

// gapMark is the line between lines of a file that are not adjacent, if context is shown.
const gapMark = "--"

// isGap reports whether lines of the file are missing before line l, which has the index i.
func (c *lineCollector) isGap(i int, l pageLine) bool {
	if i == 0 || c.reach == (reach{}) {
		return false
	}
	above := c.lines[i-1]
	isOfFile := above.kind == resultLine || above.kind == nearLine
	isApart := above.path == l.path && l.number > above.number+1
	return isOfFile && isApart
}

// A pageLine is a line of a section: a result, or what is near one.
type pageLine struct {
	kind   lineKind
	path   string
	rel    string // the path of a result below the start of the search
	number int    // 0 for a note
	column int    // where the match is, or 0 if that is not shown
	// The distances in lines from the results above and below, or far. A result is 0 from itself. A
	// note is 0 from the result above, so that it stays with it, and an enclosing line 1 from the one
	// below, so that it is shown with any context.
	fromAbove, fromBelow int
	excerpt
}

// isAbove reports whether the line, if it is within reach of a result, is so only of the one below.
func (l pageLine) isAbove(r reach) bool { return l.fromAbove > r.after }

// A reach is the maximum number of lines that are shown before and after a result.
type reach struct{ before, after int }

// lines returns the larger number.
func (r reach) lines() int { return max(r.before, r.after) }

// far is the distance from a result that does not exist.
const far = math.MaxInt

type lineKind uint8

const (
	resultLine    lineKind = iota
	nearLine               // a line of the file that is no result
	noteLine               // about the end of the file
	enclosingLine          // begins the definition around the result below
)

// render returns the line as the section shows it. A long result is whole if it can be, unless cut
// is set.
func (l pageLine) render(cut bool) string {
	text := l.text
	if l.full != "" && !cut {
		text = l.full
	}
	label := strconv.Itoa(l.number)
	switch l.kind {
	case noteLine:
		return text
	case enclosingLine:
		label += "="
	case nearLine:
		label += "-"
	case resultLine:
		if l.column > 0 {
			label += ":" + strconv.Itoa(l.column)
		}
	}
	return label + "\t" + text
}
