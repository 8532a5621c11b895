package native

import (
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"gander/internal/files/lines"
)

const (
	partBytes     = 128 << 10 // read of a long line at a time
	measuredBytes = 16 << 20  // the maximum number of bytes read to find the end of a long line
)

// nextLongLine returns the next line if a page would cut it. For a shorter line it reports false and
// does not move: the column is usually from the message of a compiler, and a page shows such a line
// whole.
func (x *textFile) nextLongLine() (l lines.Line, isLong bool, err error) {
	before := x.cursor.Position()
	l, err = x.cursor.Next(x.call.ctx)
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
func (x *textFile) columnSection(l lines.Line) (section, error) {
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
	heading := fmt.Sprintf("%s: line %s", x.name, grouped(l.Number))
	if left == 0 {
		return x.budget.oneLine(fmt.Sprintf("%s has %s characters, none at %s", heading,
			grouped(before), grouped(x.selected.column)))
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
	})
}

// skipChars returns the offset in a line after its first n characters, or its end if it has fewer,
// and the number of characters before it.
func (x *textFile) skipChars(l lines.Line, n int) (offset int64, skipped int, err error) {
	for skipped < n {
		part, err := x.part(l, offset)
		if err != nil || len(part) == 0 {
			return offset, skipped, err
		}
		chars := utf8.RuneCount(part)
		for ; chars > n-skipped; chars-- {
			_, width := utf8.DecodeLastRune(part)
			part = part[:len(part)-width]
		}
		skipped += chars
		offset += int64(len(part))
	}
	return offset, skipped, nil
}

// charsFrom returns the number of characters of a line from an offset on. It stops after
// measuredBytes, and reports then that the number is not exact.
func (x *textFile) charsFrom(l lines.Line, offset int64) (n int, exact bool, err error) {
	end := offset + measuredBytes
	for offset < end {
		part, err := x.part(l, offset)
		if err != nil || len(part) == 0 {
			return n, true, err
		}
		n += utf8.RuneCount(part)
		offset += int64(len(part))
	}
	return n, false, nil
}

// rest returns the text of a line from an offset on. It stops when that exceeds the budget.
func (x *textFile) rest(l lines.Line, offset int64) (text []byte, err error) {
	for x.budget.fits(size{len(text), len(text) / utf8.UTFMax}) {
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
	last := len(b) - 1
	for last > max(0, len(b)-utf8.UTFMax) && !utf8.RuneStart(b[last]) {
		last--
	}
	if last > 0 && !utf8.FullRune(b[last:]) {
		b = b[:last] // unless the line ends in it, it is the next part
	}
	return b, err
}
