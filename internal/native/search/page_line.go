package search

import (
	"math"
	"strconv"
)

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

// isWithin reports whether the line is within reach of a result.
func (l pageLine) isWithin(r reach) bool {
	return l.fromAbove <= r.after || l.fromBelow <= r.before
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
