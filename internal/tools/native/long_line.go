package native

import (
	"fmt"
	"strconv"
	"unicode/utf8"

	"gander/internal/files/lines"
	"gander/internal/layout"
	"gander/internal/tools/shared"
)

// writeLongLine writes the section with the line after the cursor from the column on, if a page
// would cut that line. It reports false for a shorter line, which is shown whole, as the column of
// a compiler's message means it.
func (x *textFile) writeLongLine() (s section, ok bool, err error) {
	before := x.cursor.Position()
	l, err := x.cursor.Next(x.call.ctx)
	if err != nil {
		return s, false, x.error(err)
	}
	if _, _, used, _ := x.appendText(nil, l.Text, maxLineChars, x.lineBytes()); used == len(l.Text) {
		x.cursor.Move(before)
		return s, false, nil
	}
	offset, passed, err := x.seekColumn(l)
	if err != nil {
		return s, false, x.error(err)
	}
	if passed < x.column-1 {
		s, err = x.noColumn(l.Number, passed)
		return s, true, err
	}
	s, err = x.writeRest(l, offset)
	return s, true, err
}

// seekColumn returns the offset in a line of the character at the column, and the number of
// characters before it, which is smaller than the column requires if the line ends first.
func (x *textFile) seekColumn(l lines.Line) (offset int64, passed int, err error) {
	for passed < x.column-1 {
		part, err := x.part(l, offset)
		if err != nil || len(part) == 0 {
			return offset, passed, err
		}
		if n := utf8.RuneCount(part); passed+n < x.column {
			passed, offset = passed+n, offset+int64(len(part))
			continue
		}
		for passed < x.column-1 {
			_, width := utf8.DecodeRune(part)
			part, passed, offset = part[width:], passed+1, offset+int64(width)
		}
	}
	return offset, passed, nil
}

// writeRest writes the section with as much of a line from an offset on as fits the budget.
func (x *textFile) writeRest(l lines.Line, offset int64) (section, error) {
	var text []byte
	for len(text) < measuredBytes && x.call.budget.fits(size{len(text) / 2, len(text) / utf8.UTFMax}) {
		part, err := x.part(l, offset+int64(len(text)))
		if err != nil {
			return section{}, x.error(err)
		}
		if len(part) == 0 {
			break
		}
		text = append(text, part...)
	}
	total, exact, err := x.measure(l, offset, x.column-1)
	if err != nil {
		return section{}, x.error(err)
	}
	most := utf8.RuneCount(text)
	if most == 0 {
		return x.noColumn(l.Number, total)
	}
	var best section
	shown := shared.Largest(1, most, func(n int) bool {
		s := x.restOf(l.Number, text, n, total, exact)
		fits := x.call.budget.fits(sizeOf(s.text()))
		if fits {
			best = s
		}
		return fits
	})
	if shown < 1 {
		return section{}, x.call.budget.tooSmall()
	}
	best.truncated = x.column-1+shown < total || !exact
	return best, nil
}

// noColumn returns the section about a line that has fewer characters than the column requires.
func (x *textFile) noColumn(line, characters int) (section, error) {
	return x.call.budget.heading(fmt.Sprintf("%s: line %s has %s characters, none at %s",
		x.name, number(line), number(characters), number(x.column)))
}

// restOf returns the section with n characters of text.
func (x *textFile) restOf(line int, text []byte, n, total int, exact bool) section {
	last := x.column - 1 + n
	of := number(total)
	if !exact {
		of = "at least " + of
	}
	s := section{hasBody: true}
	s.Heading = fmt.Sprintf("%s: line %s, characters %s-%s of %s",
		x.name, number(line), number(x.column), number(last), of)
	if x.request.numbers {
		s.Body = strconv.Itoa(line) + "\t"
	}
	shown, a, _, _ := x.appendText(nil, text, n, len(text)*6)
	s.Body += string(shown)
	if last < total {
		next := x.call.hint("", placeArgument(x.shown, line, last+1))
		s.Heading += "; continue with " + next
		s.Markers = fmt.Sprintf("[%s more characters; continue with %s]\n", number(total-last), next)
	}
	s.Markers = withoutLineFeed(s.Markers + a.note())
	return s
}

// placeArgument returns the path argument for a column of a line.
func placeArgument(shown string, line, column int) layout.Argument {
	return stringArgument(pathArgument, fmt.Sprintf("%s:%d:%d", shown, line, column))
}

// withoutLineFeed returns s without the line feed at its end, if any.
func withoutLineFeed(s string) string {
	if s == "" {
		return ""
	}
	return s[:len(s)-1]
}
