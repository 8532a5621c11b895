package pdf

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/bidi"
)

// isLeftward reports whether a character is a letter that is read from right to left.
func isLeftward(c rune) bool {
	const firstHebrew = 0x590
	return c >= firstHebrew && isClass(c, bidi.R, bidi.AL)
}

// isRightward reports whether a character is a letter that is read from left to right.
func isRightward(c rune) bool { return isClass(c, bidi.L) }

func isClass(c rune, classes ...bidi.Class) bool {
	p, _ := bidi.LookupRune(c)
	return slices.Contains(classes, p.Class())
}

// readingOrder returns a line, whose characters are in the order of the page from left to right, in
// the order in which it is read. It applies Unicode's bidirectional algorithm to the order of the
// page, which reverses what the algorithm has reversed for the page.
func readingOrder(line string) string {
	if !strings.ContainsFunc(line, isLeftward) {
		return line
	}
	const leftToRight, rightToLeft = "\u200e", "\u200f" // they have no width
	direction := rightToLeft
	if isMainlyRightward(line) {
		direction = leftToRight
	}
	p := new(bidi.Paragraph)
	p.SetString(direction + line)
	order, err := p.Order()
	if err != nil {
		return line
	}
	runs := make([]string, order.NumRuns())
	for i := range runs {
		run := order.Run(i)
		runs[i] = run.String()
		if run.Direction() == bidi.RightToLeft {
			runs[i] = bidi.ReverseString(runs[i])
		}
	}
	if direction == rightToLeft {
		slices.Reverse(runs)
	} else {
		reverseNested(runs)
	}
	return strings.Replace(strings.Join(runs, ""), direction, "", 1)
}

// reverseNested reverses the runs from one that is read from right to left to another with only
// numbers between. The first run is read from left to right, and each second one.
func reverseNested(runs []string) {
	for begin := 1; begin < len(runs); begin += 2 {
		end := begin + 1
		for end+1 < len(runs) && !strings.ContainsFunc(runs[end], isRightward) {
			end += 2
		}
		slices.Reverse(runs[begin:end])
		begin = end - 1
	}
}

// isMainlyRightward reports whether the letters at both ends of a line are read from left to right,
// or most of its letters.
func isMainlyRightward(line string) bool {
	var rightward []bool // for each letter
	count := 0
	for _, c := range line {
		if isRightward(c) {
			count++
			rightward = append(rightward, true)
		} else if isLeftward(c) {
			rightward = append(rightward, false)
		}
	}
	first, last := rightward[0], rightward[len(rightward)-1]
	if first == last {
		return first
	}
	return 2*count > len(rightward)
}
