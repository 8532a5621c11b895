package native

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// contextLines collects the results of a page, and the lines around them. Results are more
// important than context: if the lines do not fit, those far from a result are left out.
type contextLines struct {
	page    *resultPage
	reach   int           // lines farther from a result are left out
	matches int           // the number of results
	last    contextLine   // the last of them
	lines   []contextLine // within reach
	size    size          // of lines
	pending []contextLine // after the last result; the next one may make them its context
	whole   int           // the bytes of the results, with those whole that can be
	cut     bool          // long results are shown as excerpts, never whole
}

// A contextLine is a result, a line near one, or a note.
type contextLine struct {
	path         string
	number       int // 0 for a note
	column       int // of a match, or 0 if it is not shown
	count        int // of equal matches, including this one; 0 if they are not counted
	orMore       bool
	defines      bool // it begins the definition around the result below
	above, below int  // the distances from the results above and below; 0 for a result
	excerpt
}

// An excerpt is a line or a match as the result shows it.
type excerpt struct {
	text  string
	whole string // all of it, if text is only a part and it has at most wholeLine bytes
}

const far = math.MaxInt

func (l contextLine) isMatch() bool { return l.above == 0 && l.below == 0 }

// shown returns the line as the page shows it.
func (l contextLine) shown(cut bool) string {
	text := l.text
	if l.whole != "" && !cut {
		text = l.whole
	}
	label := strconv.Itoa(l.number)
	switch {
	case l.number == 0:
		return text
	case l.defines:
		label += "="
	case !l.isMatch():
		label += "-"
	case l.column > 0:
		label = fmt.Sprintf("%d:%d", l.number, l.column)
	}
	if l.count > 1 || l.orMore {
		label += " x" + strconv.Itoa(l.count)
	}
	if l.orMore {
		label += " or more"
	}
	return label + "\t" + text
}

// addContext adds a line that does not match.
func (c *contextLines) addContext(path string, number int, e excerpt) {
	l := contextLine{path: path, number: number, above: far, below: far, excerpt: e}
	if c.last.path == path {
		l.above = number - c.last.number
	}
	c.pending = append(c.pending, l)
}

// addNote adds a line after the last result, if that is in the same file.
func (c *contextLines) addNote(path, text string) {
	if c.last.path == path {
		note := contextLine{path: path, below: far, excerpt: excerpt{text: text}}
		c.pending = append(c.pending, note)
		c.settle()
	}
}

// addMatch adds a result. The adjacent lines above it become its context.
func (c *contextLines) addMatch(l contextLine) {
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
	c.matches++
	c.pending = append(c.pending, l)
	c.settle()
}

// settle keeps the pending lines within reach. Until all lines fit, it halves the reach, and at
// last it drops the last result, which ends the page.
func (c *contextLines) settle() {
	c.keep(c.pending)
	c.pending = nil
	for !c.page.budget.fits(c.size) {
		if c.reach == 0 {
			c.dropLast()
			return
		}
		c.narrow(c.reach / 2)
	}
}

// set replaces the lines by those of others that are within reach.
func (c *contextLines) set(lines []contextLine) {
	c.lines, c.size = nil, size{}
	c.keep(lines)
}

// keep keeps those of the lines that are within reach.
func (c *contextLines) keep(lines []contextLine) {
	for _, l := range lines {
		if min(l.above, l.below) > c.reach {
			continue
		}
		if n := len(c.lines); n > 0 && c.gap(c.lines[n-1], l) {
			c.size = c.size.plus(lineSize(gapMark))
		}
		c.lines = append(c.lines, l)
		c.size = c.size.plus(lineSize(l.shown(true)))
	}
}

// gapMark is the line between lines of a file that are not adjacent, if context is shown.
const gapMark = "--"

// gap reports whether lines of the file are missing between two lines.
func (c *contextLines) gap(above, below contextLine) bool {
	isLine := above.number > 0 && !above.defines
	isBelow := above.path == below.path && below.number > above.number+1
	return c.reach > 0 && isLine && isBelow
}

// narrow reduces the reach.
func (c *contextLines) narrow(reach int) {
	if reach != c.reach {
		c.reach = reach
		c.set(c.lines)
	}
}

// dropLast drops the last result and the notes below it, which ends the page.
func (c *contextLines) dropLast() {
	end := len(c.lines) - 1
	for !c.lines[end].isMatch() {
		end--
	}
	c.set(c.lines[:end])
	c.matches--
	c.page.full = true
}

// fillPage puts the lines on the page. It reports whether all fit.
func (c *contextLines) fillPage() bool {
	c.keep(c.pending)
	c.pending = nil
	c.page.clear()
	for start := 0; start < len(c.lines); {
		end := c.itemEnd(start)
		var texts []string
		for i := start; i < end; i++ {
			if i > 0 && c.gap(c.lines[i-1], c.lines[i]) {
				texts = append(texts, gapMark)
			}
			texts = append(texts, c.lines[i].shown(c.cut))
		}
		if !c.page.addBelow(c.lines[start].path, []byte(strings.Join(texts, "\n"))) {
			return false
		}
		start = end
	}
	return true
}

// itemEnd returns the end of the item that begins with a line: its result, and the lines around it
// that do not belong to the result above.
func (c *contextLines) itemEnd(start int) int {
	end := start + slices.IndexFunc(c.lines[start:], contextLine.isMatch) + 1
	for end < len(c.lines) && !c.lines[end].isMatch() && c.lines[end].above <= c.reach {
		end++
	}
	return end
}
