package native

import (
	"math"
	"strconv"
	"strings"
)

// contextLines collects the matching lines of a page and the lines around them. Matches are more
// important than context: if the lines do not fit, those far from a match are left out.
type contextLines struct {
	page    *resultPage
	reach   int           // lines farther from a match are left out
	matches int           // the number of matching lines
	last    contextLine   // the last of them
	lines   []contextLine // within reach
	size    size          // of lines
	pending []contextLine // after the last match; the next one may make them its context
}

// A contextLine is a matching line, a line near one, or a note.
type contextLine struct {
	path         string
	number       int
	text         string // with the number
	above, below int    // the distances from the matches above and below; 0 for a match
}

const far = math.MaxInt

func (l contextLine) isMatch() bool { return l.above == 0 && l.below == 0 }

// addContext adds a line that does not match.
func (c *contextLines) addContext(path string, number int, text string) {
	l := contextLine{path, number, strconv.Itoa(number) + "-\t" + text, far, far}
	if c.last.path == path {
		l.above = number - c.last.number
	}
	c.pending = append(c.pending, l)
}

// addNote adds a line after the last match, if that is in the same file.
func (c *contextLines) addNote(path, text string) {
	if c.last.path == path {
		c.pending = append(c.pending, contextLine{path: path, text: text, below: far})
		c.settle()
	}
}

// addMatch adds a matching line. The adjacent lines above it become its context.
func (c *contextLines) addMatch(path string, number int, text string) {
	for distance := 1; distance <= len(c.pending); distance++ {
		l := &c.pending[len(c.pending)-distance]
		if l.path != path || l.number != number-distance {
			break
		}
		l.below = distance
	}
	c.last = contextLine{path: path, number: number, text: strconv.Itoa(number) + "\t" + text}
	c.matches++
	c.pending = append(c.pending, c.last)
	c.settle()
}

// settle keeps the pending lines within reach. Until all lines fit, it halves the reach, and at last
// it drops the last match, which ends the page.
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

// keep keeps those of the lines that are within reach.
func (c *contextLines) keep(lines []contextLine) {
	for _, l := range lines {
		if min(l.above, l.below) <= c.reach {
			c.lines = append(c.lines, l)
			c.size = c.size.plus(sizeOf(l.text)).plus(size{1, 1})
		}
	}
}

// narrow reduces the reach.
func (c *contextLines) narrow(reach int) {
	lines := c.lines
	c.reach, c.lines, c.size = reach, nil, size{}
	c.keep(lines)
}

// dropLast drops the last match and the notes below it, which ends the page.
func (c *contextLines) dropLast() {
	end := len(c.lines) - 1
	for !c.lines[end].isMatch() {
		end--
	}
	c.lines = c.lines[:end]
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
		for _, l := range c.lines[start:end] {
			texts = append(texts, l.text)
		}
		if !c.page.addBelow(c.lines[start].path, []byte(strings.Join(texts, "\n"))) {
			return false
		}
		start = end
	}
	return true
}

// itemEnd returns the end of the item that begins with a line: its match, and the lines around it
// that do not belong to the match above.
func (c *contextLines) itemEnd(start int) int {
	end := start
	for !c.lines[end].isMatch() {
		end++
	}
	end++
	for end < len(c.lines) && !c.lines[end].isMatch() && c.lines[end].above <= c.reach {
		end++
	}
	return end
}
