package native

import (
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"gander/internal/files/lines"
)

// nextLongLine returns the next line if a page would cut it. For a shorter line it reports false and
// does not move: the column is usually from the message of a compiler, and a page shows such a line
// whole.
func (x *requestedFile) nextLongLine() (l lines.Line, isLong bool, err error) {
	before := x.cursor.Position()
	l, err = x.cursor.Next(x.ctx)
	if err != nil {
		return l, false, err
	}
	isLong = x.render(nil, l.Text, maxLineChars, x.lineBytes()).used < len(l.Text)
	if !isLong {
		x.cursor.Move(before)
	}
	return l, isLong, nil
}

// columnSection returns the section with the part of a line that begins at the requested column.
func (x *requestedFile) columnSection(l lines.Line) (section, error) {
	offset, before, err := x.skipChars(l, x.selected.column-1)
	if err != nil {
		return section{}, err
	}
	rest, err := x.rest(l, offset)
	if err != nil {
		return section{}, err
	}
	left, exact, err := x.charsFrom(l, offset)
	if err != nil {
		return section{}, err
	}
	heading := fmt.Sprintf("%s: line %s", x.title, grouped(l.Number))
	if left == 0 {
		heading += fmt.Sprintf(" has %s characters, none at %s", grouped(before), grouped(x.selected.column))
		return section{heading: heading}, nil
	}
	total := before + left
	return x.budget.largest(utf8.RuneCount(rest), func(n int) section {
		last := before + n
		s := section{items: 1, truncated: last < total || !exact}
		s.heading = fmt.Sprintf("%s, characters %s-%s of %s", heading,
			grouped(x.selected.column), grouped(last), atLeast(total, exact))
		if x.selected.numbers {
			s.body = strconv.Itoa(l.Number) + "\t"
		}
		rendered := x.render(nil, rest, n, math.MaxInt)
		s.body += string(rendered.text)
		if last < total {
			next := columnArgument(x.shown, l.Number, last+1)
			s = s.withHint(grouped(total-last)+" more characters", "continue with "+next)
		}
		s.markers = joinLines(s.markers, rendered.altered.note())
		return s
	}), nil
}

// rest returns the text of a line from an offset on. It stops when that exceeds the budget.
func (x *requestedFile) rest(l lines.Line, offset int64) (text []byte, err error) {
	for x.budget.fits(size{len(text), len(text) / utf8.UTFMax}) {
		part, err := x.part(l, offset+int64(len(text)))
		if err != nil || len(part) == 0 {
			return text, err
		}
		text = append(text, part...)
	}
	return text, nil
}
