package pdf

import (
	"slices"

	"golang.org/x/text/unicode/bidi"
)

// A direction is how a character takes part in the order of a line.
type direction uint8

const (
	neutral direction = iota // spaces, punctuation
	toLeft                   // Hebrew and Arabic letters
	toRight                  // other letters
	digit
	sign      // belongs to a digit beside it
	separator // belongs to the digits on both sides
)

func directionOf(c rune) direction {
	p, _ := bidi.LookupRune(c)
	switch p.Class() {
	case bidi.R, bidi.AL:
		return toLeft
	case bidi.L:
		return toRight
	case bidi.EN, bidi.AN:
		return digit
	case bidi.ET:
		return sign
	case bidi.ES, bidi.CS, bidi.NSM, bidi.BN:
		return separator
	}
	return neutral
}

// readingOrder puts the characters of a line in the order in which they are read. In a line with
// Hebrew or Arabic letters, PDFium has the words in the order of the page, from left to right, but
// the letters of these words in the order in which they are read.
func readingOrder(line []rune) {
	const firstHebrew = 0x590
	isLeftward := func(c rune) bool { return c >= firstHebrew && directionOf(c) == toLeft }
	if !slices.ContainsFunc(line, isLeftward) {
		return
	}
	orderOfPage(line)
	levels := levelsOf(line)
	// A part with a higher level is reversed once for each level.
	for level := range uint8(2) {
		for begin := 0; begin < len(line); {
			end := begin
			for end < len(line) && levels[end] > level {
				end++
			}
			slices.Reverse(line[begin:end])
			slices.Reverse(levels[begin:end])
			begin = end + 1
		}
	}
}

// orderOfPage puts all characters of a line in the order from left to right. PDFium has reversed
// each run of letters that are read from right to left, and spaces and punctuation after them.
func orderOfPage(line []rune) {
	current := toRight
	for begin := 0; begin < len(line); {
		d := runDirection(line[begin])
		end := begin + 1
		for end < len(line) && runDirection(line[end]) == d {
			end++
		}
		run := line[begin:end]
		begin = end
		if d == toLeft || d == toRight {
			current = d
		}
		if current == toLeft && d != digit {
			slices.Reverse(run)
			for i, c := range run {
				run[i] = mirrored(c)
			}
		}
	}
}

// runDirection is directionOf for the runs of PDFium, in which signs and separators are as digits.
func runDirection(c rune) direction {
	d := directionOf(c)
	if d == sign || d == separator {
		return digit
	}
	return d
}

// brackets are pairs of counterparts.
var brackets = []rune("()[]{}<>«»‹›")

// mirrored returns the counterpart of a bracket, and other characters as they are.
func mirrored(c rune) rune {
	if i := slices.Index(brackets, c); i >= 0 {
		return brackets[i^1]
	}
	return c
}

// levelsOf returns for each character of a line in the order of the page how often the direction
// changes for it. Even levels are read from left to right. It follows Unicode's bidirectional
// algorithm, except for characters that embed text.
func levelsOf(line []rune) []uint8 {
	directions := make([]direction, len(line))
	for i, c := range line {
		directions[i] = directionOf(c)
	}
	mainly := mainDirection(directions)
	resolveWeak(directions)
	resolveDigits(directions, mainly)
	return resolved(directions, mainly)
}

// mainDirection returns the direction of the letters at both ends, or that of most letters.
func mainDirection(directions []direction) direction {
	letters := slices.DeleteFunc(slices.Clone(directions), func(d direction) bool {
		return d != toLeft && d != toRight
	})
	first, last := letters[0], letters[len(letters)-1]
	if first == last {
		return first
	}
	rightward := 0
	for _, d := range letters {
		if d == toRight {
			rightward++
		}
	}
	if 2*rightward > len(letters) {
		return toRight
	}
	return toLeft
}

// resolveWeak makes weak characters digits or neutral: a separator between digits, and a sign
// beside one.
func resolveWeak(directions []direction) {
	isDigit := func(i int) bool {
		return i >= 0 && i < len(directions) && directions[i] == digit
	}
	for i, d := range directions {
		before, after := isDigit(i-1), isDigit(i+1)
		switch {
		case d == sign && (before || after), d == separator && before && after:
			directions[i] = digit
		case d == sign, d == separator:
			directions[i] = neutral
		}
	}
}

// resolveDigits makes digits letters that are read to the right if they belong to such letters.
func resolveDigits(directions []direction, mainly direction) {
	after := neighbors(directions, toLeft, toRight)
	before := neutral
	for i, d := range directions {
		isEnclosed := before == toLeft && after[i] == toLeft
		switch {
		case d == toLeft || d == toRight:
			before = d
		case d == digit && mainly == toLeft && before == toRight,
			d == digit && mainly == toRight && !isEnclosed:
			directions[i] = toRight
		}
	}
}

// resolved returns the levels. Neutral characters get that of their neighbors if these agree.
func resolved(directions []direction, mainly direction) []uint8 {
	levels := make([]uint8, len(directions))
	after := neighbors(directions, toLeft, toRight, digit)
	before := neutral
	for i, d := range directions {
		if d != neutral {
			before = d
		}
		switch {
		case d == toLeft:
			levels[i] = 1
		case d == digit, d == toRight && mainly == toLeft:
			levels[i] = 2
		case d == neutral && mainly == toLeft:
			levels[i] = 1
			if before == toRight && after[i] == toRight {
				levels[i] = 2
			}
		case d == neutral && isLeftwardOrDigit(before) && isLeftwardOrDigit(after[i]):
			levels[i] = 1
		}
	}
	return levels
}

// isLeftwardOrDigit reports whether d occurs within text that is read to the left, when digits that belong
// to other letters are resolved.
func isLeftwardOrDigit(d direction) bool { return d == toLeft || d == digit }

// neighbors returns for each character the first one from it on with one of the wanted directions.
func neighbors(directions []direction, wanted ...direction) []direction {
	after := make([]direction, len(directions))
	next := neutral
	for i, d := range slices.Backward(directions) {
		if slices.Contains(wanted, d) {
			next = d
		}
		after[i] = next
	}
	return after
}
