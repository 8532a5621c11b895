package native

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"unicode"
	"unicode/utf8"

	"gander/internal/files/lines"
	"gander/internal/files/text"
)

const (
	partBytes     = 128 << 10 // read of a long line at a time
	measuredBytes = 16 << 20  // the maximum number of bytes read to find the end of a long line
)

// linesSection returns the section with the lines after the cursor. The first of them has the
// number first.
func (x *textFile) linesSection(first int) (section, error) {
	limit := cmp.Or(x.request.limit, math.MaxInt)
	p := &resultPage{budget: x.call.budget, offset: 1, limit: limit}
	var upTo []alterations // each line
	var all alterations
	for !p.full {
		line, err := x.cursor.Next(x.call.ctx)
		hasGrown := err == nil && first < 0 && line.Number >= 0
		if err == io.EOF && x.total == 0 && first > 0 {
			x.total = first + p.found - 1
		}
		if err == io.EOF || hasGrown {
			break
		}
		if err != nil {
			return section{}, err
		}
		if !p.next() {
			break
		}
		item, altered, err := x.line(line)
		if err != nil {
			return section{}, err
		}
		if p.add(item) {
			all = all.plus(altered)
			upTo = append(upTo, all)
		}
	}
	return p.section(func(n int) section {
		isAll := x.isRange && n == x.request.limit
		s := x.frame(first, n, p.continues(n), isAll)
		s.truncated = p.continues(n) && !isAll
		if n > 0 {
			s.markers = joinLines(s.markers, upTo[n-1].note())
		}
		return s
	})
}

// frame returns the section with n lines, beginning with line first, without its body. more says
// that other lines follow, and isAll that they are not requested.
func (x *textFile) frame(first, n int, more, isAll bool) (s section) {
	last := first + n - 1
	total := number(x.total)
	if x.total == 0 { // more lines follow
		total = atLeast(last+1, false)
	}
	switch {
	case first < 0:
		s.heading = fmt.Sprintf("lines %d to %d, counted from the end", first, last)
	case n == x.total:
		s.heading = count(n, "line")
	default:
		s.heading = fmt.Sprintf("lines %s-%s of %s", number(first), number(last), total)
	}
	s.heading = x.name + ": " + s.heading + x.note + x.textNote(first, last)
	if !more || isAll {
		return s
	}
	left := "more lines follow"
	switch {
	case first < 0:
		left = number(-1-last) + " more"
	case x.total > 0:
		left = number(x.total-last) + " more"
	}
	s.endWith(left, x.call.continueAt(x.location, last+1))
	return s
}

func (x *textFile) line(l lines.Line) (item []byte, a alterations, err error) {
	if x.request.numbers {
		item = append(strconv.AppendInt(item, int64(l.Number), 10), '\t')
	}
	item, a, used, chars := x.appendText(item, l.Text, maxLineChars, x.lineBytes())
	if used == len(l.Text) {
		return item, a, nil
	}
	_, more, exact, err := x.pass(l, int64(used), math.MaxInt, measuredBytes)
	return fmt.Appendf(item, " [line cut at %s of %s characters; the rest: %s]", number(chars),
		atLeast(chars+more, exact),
		columnArgument(x.shown, l.Number, chars+1)), a, err
}

// lineBytes returns the maximum number of bytes shown of a line.
func (x *textFile) lineBytes() int { return max(x.call.budget.minimum()/4, 1) }

func columnArgument(shown string, line, column int) string {
	return stringArgument("path", fmt.Sprintf("%s:%d:%d", shown, line, column))
}

// alterations counts the characters of the file that the result shows in another form.
type alterations struct{ escaped, invalid int }

func (a alterations) plus(b alterations) alterations {
	return alterations{a.escaped + b.escaped, a.invalid + b.invalid}
}

func (a alterations) note() (note string) {
	if a.escaped > 0 {
		n := count(a.escaped, "control character")
		note = fmt.Sprintf("[%s shown as an escape such as \\r]", n)
	}
	if a.invalid > 0 {
		n := count(a.invalid, "byte")
		note = joinLines(note, fmt.Sprintf("[%s not UTF-8, shown as \ufffd]", n))
	}
	return note
}

// appendText appends at most maxChars characters and maxBytes bytes of a line, but at least one
// character. It returns the number of bytes and characters of the line that it appended.
//
// If lines are numbered, control characters and the separators U+2028 and U+2029 are escaped as in
// Go's strings, because readers that treat them as the end of a line could treat the rest as a line
// with a number. Otherwise the text is unchanged. Each byte that is not UTF-8 becomes U+FFFD.
func (x *textFile) appendText(
	dst, line []byte, maxChars, maxBytes int,
) (out []byte, a alterations, used, chars int) {
	if len(line) <= min(maxChars, maxBytes) && isPlain(line) {
		return append(dst, line...), a, len(line), len(line)
	}
	start := len(dst)
	for used < len(line) && chars < maxChars {
		r, width := utf8.DecodeRune(line[used:])
		before, was := len(dst), a
		switch {
		case r == utf8.RuneError && width == 1:
			dst = append(dst, "\ufffd"...)
			a.invalid++
		case x.request.numbers && r != '\t' && unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp):
			dst = text.AppendEscape(dst, r)
			a.escaped++
		default:
			dst = append(dst, line[used:used+width]...)
		}
		if len(dst)-start > maxBytes && chars > 0 {
			return dst[:before], was, used, chars
		}
		used += width
		chars++
	}
	return dst, a, used, chars
}

func isPlain(text []byte) bool {
	for _, c := range text {
		if (c < ' ' || c > '~') && c != '\t' {
			return false
		}
	}
	return true
}

// columnSection returns the section that begins at the column of the line after the cursor, if a
// page would cut that line. For a shorter line it reports false: the column is usually from the
// message of a compiler, and a page shows such a line whole.
func (x *textFile) columnSection() (s section, ok bool, err error) {
	start := x.cursor.Position()
	l, err := x.cursor.Next(x.call.ctx)
	if err != nil {
		return s, false, err
	}
	_, _, used, _ := x.appendText(nil, l.Text, maxLineChars, x.lineBytes())
	if used == len(l.Text) {
		x.cursor.Move(start)
		return s, false, nil
	}
	offset, before, _, err := x.pass(l, 0, x.request.column-1, math.MaxInt64)
	rest, err2 := x.rest(l, offset)
	_, left, exact, err3 := x.pass(l, offset, math.MaxInt, measuredBytes)
	if err := errors.Join(err, err2, err3); err != nil {
		return s, false, err
	}
	heading := fmt.Sprintf("%s: line %s", x.name, number(l.Number))
	if left == 0 {
		s, err = x.call.budget.heading(fmt.Sprintf("%s has %s characters, none at %s", heading,
			number(before), number(x.request.column)))
		return s, true, err
	}
	total := before + left
	s, err = x.call.budget.largest(utf8.RuneCount(rest), func(n int) section {
		last := before + n
		s := section{items: 1, truncated: last < total || !exact}
		s.heading = fmt.Sprintf("%s, characters %s-%s of %s", heading,
			number(x.request.column), number(last), atLeast(total, exact))
		if x.request.numbers {
			s.body = strconv.Itoa(l.Number) + "\t"
		}
		shown, a, _, _ := x.appendText(nil, rest, n, math.MaxInt)
		s.body += string(shown)
		if last < total {
			next := columnArgument(x.shown, l.Number, last+1)
			s.endWith(number(total-last)+" more characters", "continue with "+next)
		}
		s.markers = joinLines(s.markers, a.note())
		return s
	})
	return s, true, err
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

// rest returns the text of a line from an offset on. It stops when that exceeds the budget.
func (x *textFile) rest(l lines.Line, offset int64) (text []byte, err error) {
	for x.call.budget.fits(size{len(text), len(text) / utf8.UTFMax}) {
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
