package native

import (
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"gander/internal/files/lines"
	"gander/internal/layout"
)

const (
	// partBytes is the number of bytes of a long line to read at a time.
	partBytes = 128 << 10
	// measuredBytes is the maximum number of bytes read to find the end of a long line.
	measuredBytes = 16 << 20
)

// writeColumn writes the section that begins at the column of the line after the cursor, if a page
// would cut that line. For a shorter line it reports false: the column is usually from the message
// of a compiler, and a page shows such a line whole.
func (x *textFile) writeColumn() (s section, ok bool, err error) {
	before := x.cursor.Position()
	l, err := x.cursor.Next(x.call.ctx)
	if err != nil {
		return s, false, err
	}
	_, _, used, _ := x.appendText(nil, l.Text, maxLineChars, x.lineBytes())
	if used == len(l.Text) {
		x.cursor.Move(before)
		return s, false, nil
	}
	offset, passed, _, err := x.pass(l, 0, x.column-1, math.MaxInt64)
	switch {
	case err != nil:
		return s, false, err
	case passed < x.column-1:
		s, err = x.writeNoColumn(l.Number, passed)
	default:
		s, err = x.writeRest(l, offset)
	}
	return s, true, err
}

// writeRest writes the section with the text of a line from an offset, up to the budget.
func (x *textFile) writeRest(l lines.Line, offset int64) (section, error) {
	text, err := x.rest(l, offset, measuredBytes)
	if err != nil {
		return section{}, err
	}
	_, left, exact, err := x.pass(l, offset, math.MaxInt, measuredBytes)
	if err != nil {
		return section{}, err
	}
	if left == 0 {
		return x.writeNoColumn(l.Number, x.column-1)
	}
	return x.call.budget.largest(1, utf8.RuneCount(text), func(n int) section {
		return x.restOf(l.Number, text, n, x.column-1+left, exact)
	})
}

// writeNoColumn writes the section about a line that has fewer characters than the column requires.
func (x *textFile) writeNoColumn(line, characters int) (section, error) {
	return x.call.budget.heading(fmt.Sprintf("%s: line %s has %s characters, none at %s",
		x.name, number(line), number(characters), number(x.column)))
}

// restOf returns the section with n characters of text.
func (x *textFile) restOf(line int, text []byte, n, total int, exact bool) section {
	last := x.column - 1 + n
	s := section{hasBody: true, truncated: last < total || !exact}
	s.Heading = fmt.Sprintf("%s: line %s, characters %s-%s of %s",
		x.name, number(line), number(x.column), number(last), atLeast(total, exact))
	if x.request.numbers {
		s.Body = strconv.Itoa(line) + "\t"
	}
	shown, a, _, _ := x.appendText(nil, text, n, math.MaxInt)
	s.Body += string(shown)
	if last < total {
		next := x.call.hint("", columnArgument(x.shown, line, last+1))
		s.Heading += "; continue with " + next
		s.Markers = fmt.Sprintf("[%s more characters; continue with %s]", number(total-last), next)
	}
	s.Markers = joinLines(s.Markers, a.note())
	return s
}

// columnArgument returns the path argument for a column of a line.
func columnArgument(shown string, line, column int) layout.Argument {
	return stringArgument("path", fmt.Sprintf("%s:%d:%d", shown, line, column))
}

// pass passes at most n characters of a line from an offset on, and stops after limit bytes. It
// returns the offset reached, the number of characters passed, and whether the line has ended.
func (x *textFile) pass(
	l lines.Line, offset int64, n int, limit int64,
) (end int64, passed int, ended bool, err error) {
	for end = offset; passed < n && end-offset < limit; {
		part, err := x.part(l, end)
		if err != nil || len(part) == 0 {
			return end, passed, true, err
		}
		chars := utf8.RuneCount(part)
		for ; chars > n-passed; chars-- {
			_, width := utf8.DecodeLastRune(part)
			part = part[:len(part)-width]
		}
		passed, end = passed+chars, end+int64(len(part))
	}
	return end, passed, false, nil
}

// rest returns the text of a line from an offset on. It stops when that exceeds limit bytes or the
// budget.
func (x *textFile) rest(l lines.Line, offset int64, limit int) (text []byte, err error) {
	for len(text) < limit && x.call.budget.fits(size{len(text), len(text) / utf8.UTFMax}) {
		part, err := x.part(l, offset+int64(len(text)))
		if err != nil || len(part) == 0 {
			return text, err
		}
		text = append(text, part...)
	}
	return text, nil
}

// part returns the part of a line that begins at an offset. It ends at a character boundary, and is
// empty only at the end of the line. It becomes invalid when a cursor method is called.
func (x *textFile) part(l lines.Line, offset int64) ([]byte, error) {
	b, err := x.cursor.Part(x.call.ctx, l, offset, partBytes)
	for cut := 1; cut < utf8.UTFMax && cut < len(b); cut++ {
		if last := b[len(b)-cut:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				b = b[:len(b)-cut] // unless the line ends in it, it is the next part
			}
			break
		}
	}
	return b, err
}
