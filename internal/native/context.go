package native

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A contextLines collects the results of a page, and the lines around them. Results are more
// important than context: if the lines do not fit, those far from a result are left out. At the
// end, its items go on the page.
type contextLines struct {
	budget  budget
	reach   int           // lines farther from a result are left out
	cut     bool          // long results are shown as excerpts, never whole
	lines   []contextLine // within reach
	size    size          // of lines with long results cut
	results int           // the number of results among lines
	last    contextLine   // the last result
	pending []contextLine // after the last result; the next one may make them its context
	whole   int           // the bytes of the results, with those whole that can be
}

// A contextLine is a line of a section: a result, or what is near one.
type contextLine struct {
	kind         lineKind
	path         string
	number       int    // 0 for a note
	column       int    // of a match, or 0 if it is not shown
	tally        *tally // of the matches that a result stands for, or nil if they are not counted
	above, below int    // the distances from the results above and below; 0 for a result
	excerpt
}

type lineKind uint8

const (
	resultLine     lineKind = iota
	nearLine                // a line of the file that is no result
	noteLine                // about the end of the file
	definitionLine          // begins the definition around the result below
)

// A tally counts the matches with the same text in a file.
type tally struct {
	matches int
	orMore  bool // the rest of the file was not searched
}

const far = math.MaxInt

// render returns the line as the section shows it. A long result is whole if it can be, unless cut is
// set.
func (l contextLine) render(cut bool) string {
	text := l.text
	if l.whole != "" && !cut {
		text = l.whole
	}
	label := strconv.Itoa(l.number)
	switch l.kind {
	case noteLine:
		return text
	case definitionLine:
		label += "="
	case nearLine:
		label += "-"
	case resultLine:
		if l.column > 0 {
			label += ":" + strconv.Itoa(l.column)
		}
		label += l.tally.label()
	}
	return label + "\t" + text
}

// label returns what follows the number of a result. It is "" for a single match.
func (t *tally) label() string {
	switch {
	case t == nil:
		return ""
	case t.orMore:
		return fmt.Sprintf(" x%d or more", t.matches)
	case t.matches > 1:
		return fmt.Sprintf(" x%d", t.matches)
	default:
		return ""
	}
}

// addContext adds a line that is no result.
func (c *contextLines) addContext(path string, number int, e excerpt) {
	l := contextLine{
		kind: nearLine, path: path, number: number, above: far, below: far, excerpt: e,
	}
	if c.last.path == path {
		l.above = number - c.last.number
	}
	c.pending = append(c.pending, l)
}

// addNote adds a line after the last result, if that is in the same file. It reports false if the
// results alone do not fit any more; then the last one is left out, and none can be added.
func (c *contextLines) addNote(path, text string) (fits bool) {
	if c.last.path != path {
		return true
	}
	return c.add(contextLine{kind: noteLine, path: path, below: far, excerpt: excerpt{text: text}})
}

// addResult adds a result. The adjacent lines above it become its context. It reports false like
// [contextLines.addNote].
func (c *contextLines) addResult(l contextLine) (fits bool) {
	for distance := 1; distance <= len(c.pending); distance++ {
		near := &c.pending[len(c.pending)-distance]
		if near.path != l.path || near.number != l.number-distance {
			break
		}
		near.below = distance
	}
	c.whole += min(max(len(l.text), len(l.whole)), wholeLine)
	c.cut = c.cut || c.whole > longPage
	if c.cut {
		l.whole = ""
	}
	c.last = l
	c.results++
	return c.add(l)
}

func (c *contextLines) add(l contextLine) (fits bool) {
	c.pending = append(c.pending, l)
	c.flush()
	return c.fit()
}

// flush moves the pending lines to the others, except those out of reach.
func (c *contextLines) flush() {
	for _, l := range c.pending {
		c.addInReach(l)
	}
	c.pending = nil
}

// addInReach appends a line, unless it is out of reach.
func (c *contextLines) addInReach(l contextLine) {
	if min(l.above, l.below) > c.reach {
		return
	}
	if c.isGap(len(c.lines), l) {
		c.size = c.size.plus(lineSize(gapMark))
	}
	c.lines = append(c.lines, l)
	c.size = c.size.plus(lineSize(l.render(true)))
}

// fit halves the reach until the lines fit. If the results alone do not, it drops the last one with
// its notes, and reports false.
func (c *contextLines) fit() bool {
	for !c.budget.fits(c.size) {
		if c.reach == 0 {
			c.setLines(c.lines[:lastResult(c.lines)])
			c.results--
			return false
		}
		c.narrow(c.reach / 2)
	}
	return true
}

// narrow reduces the reach.
func (c *contextLines) narrow(reach int) {
	if reach < c.reach {
		c.reach = reach
		c.setLines(c.lines)
	}
}

// setLines replaces the lines by others, except those out of reach.
func (c *contextLines) setLines(lines []contextLine) {
	c.lines, c.size = nil, size{}
	for _, l := range lines {
		c.addInReach(l)
	}
}

// shrink makes the lines shorter: it cuts the results, and then halves the reach. It reports false
// if nothing is left to do.
func (c *contextLines) shrink() bool {
	switch {
	case !c.cut:
		c.cut = true
	case c.reach > 0:
		c.narrow(c.reach / 2)
	default:
		return false
	}
	return true
}

// items returns an item for each result, with the lines around it that do not belong to the result
// above.
func (c *contextLines) items() (items itemList) {
	var item []string
	for i, l := range c.lines {
		if c.isGap(i, l) {
			item = append(item, gapMark)
		}
		item = append(item, l.render(c.cut))
		if c.endsItem(i) {
			items.addBelow(l.path, []byte(strings.Join(item, "\n")))
			item = nil
		}
	}
	return items
}

// endsItem reports whether an item ends with a line. The lines above a result, and those below it
// within reach, belong to it.
func (c *contextLines) endsItem(i int) bool {
	switch {
	case c.lines[i].above > c.reach: // above its result
		return false
	case i+1 == len(c.lines):
		return true
	default:
		next := c.lines[i+1]
		return next.kind == resultLine || next.above > c.reach
	}
}

// gapMark is the line between lines of a file that are not adjacent, if context is shown.
const gapMark = "--"

// isGap reports whether lines of the file are missing before line l, which has the index i.
func (c *contextLines) isGap(i int, l contextLine) bool {
	if i == 0 || c.reach == 0 {
		return false
	}
	above := c.lines[i-1]
	isOfFile := above.kind == resultLine || above.kind == nearLine
	isApart := above.path == l.path && l.number > above.number+1
	return isOfFile && isApart
}

// firstResult returns the index of the first result among lines.
func firstResult(lines []contextLine) int {
	return slices.IndexFunc(lines, func(l contextLine) bool { return l.kind == resultLine })
}

// lastResult returns the index of the last result among lines, which have one.
func lastResult(lines []contextLine) int {
	at := len(lines) - 1
	for lines[at].kind != resultLine {
		at--
	}
	return at
}
