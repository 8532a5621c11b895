package native

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strconv"
	"unicode"
	"unicode/utf8"

	"gander/internal/files/lines"
	"gander/internal/files/text"
	"gander/internal/layout"
)

// writeLines writes the section with the lines after the cursor. The first of them has the number
// first.
func (x *textFile) writeLines(first int) (section, error) {
	a := &items{budget: x.call.budget}
	limit := cmp.Or(x.request.limit, math.MaxInt)
	var seen []altered // up to each line
	var now altered
	more := false
	for !more {
		line, err := x.cursor.Next(x.call.ctx)
		if err == io.EOF {
			if x.total == 0 && first > 0 {
				x.total = first + len(seen) - 1
			}
			break
		}
		if err != nil {
			return section{}, err
		}
		if first < 0 && line.Number >= 0 { // the file has grown
			break
		}
		if more = len(seen) == limit; more {
			break
		}
		item, s, err := x.line(line)
		if err != nil {
			return section{}, err
		}
		if more = !a.add(item); !more {
			now = now.plus(s)
			seen = append(seen, now)
		}
	}
	return a.finish(func(n int) section {
		s := x.page(first, n, more || n < len(seen))
		s.truncated = more
		if n > 0 {
			s.Markers = joinLines(s.Markers, seen[n-1].note())
		}
		return s
	})
}

// page returns the section with n lines, beginning with line first, without its body.
func (x *textFile) page(first, n int, more bool) (s section) {
	last := first + n - 1
	s.Heading = x.name + ": " + x.linesText(first, last, more) + x.note
	if !more {
		return s
	}
	left := "more lines follow"
	arguments := []layout.Argument{intArgument("offset", last+1)}
	switch inBlock := x.request.offset + x.request.limit - 1 - last; {
	case x.request.block > 0 && inBlock <= 0:
		return s
	case x.request.block > 0:
		left = count(inBlock, "more line") + " of the block"
		arguments = append(arguments, intArgument("limit", inBlock))
	case first < 0:
		left = number(-1-last) + " more"
	case x.total > 0:
		left = number(x.total-last) + " more"
	}
	next := x.call.next(x.location, arguments...)
	if x.request.block == 0 {
		s.Heading += "; continue with " + next
	}
	s.Markers = fmt.Sprintf("[%s; continue with %s]", left, next)
	return s
}

// linesText returns the clause about the lines shown.
func (x *textFile) linesText(first, last int, more bool) string {
	total := number(x.total)
	switch {
	case first < 0:
		return fmt.Sprintf("lines %d to %d, counted from the end", first, last)
	case x.total > 0 && last-first+1 == x.total:
		return count(x.total, "line")
	case x.total == 0 && more:
		total = atLeast(last+1, false)
	case x.total == 0:
		total = atLeast(last, false)
	}
	return fmt.Sprintf("lines %s-%s of %s", number(first), number(last), total)
}

// line returns a line in the result.
func (x *textFile) line(l lines.Line) (item []byte, a altered, err error) {
	if x.request.numbers {
		item = append(strconv.AppendInt(item, int64(l.Number), 10), '\t')
	}
	line, maxChars, maxBytes := l.Text, maxLineChars, x.lineBytes()
	if x.call.layout.Whole {
		maxChars, maxBytes = math.MaxInt, math.MaxInt
		if len(line) == keptBytes {
			if line, err = x.rest(l, 0, math.MaxInt); err != nil {
				return nil, a, err
			}
		}
	}
	item, a, used, chars := x.appendText(item, line, maxChars, maxBytes)
	if used == len(line) {
		return item, a, nil
	}
	_, more, exact, err := x.pass(l, int64(used), math.MaxInt, measuredBytes)
	return fmt.Appendf(item, " [line cut at %s of %s characters; the rest: %s]", number(chars),
		atLeast(chars+more, exact),
		x.call.hint("", columnArgument(x.shown, l.Number, chars+1))), a, err
}

// lineBytes returns the maximum number of bytes shown of a line. It depends only on the budget.
func (x *textFile) lineBytes() int { return max(x.call.budget.minimum()/4, 1) }

// altered counts the characters of the file that the result shows in another form.
type altered struct{ escaped, invalid int }

func (a altered) plus(other altered) altered {
	return altered{a.escaped + other.escaped, a.invalid + other.invalid}
}

// note returns the markers that count the altered characters.
func (a altered) note() (note string) {
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
) (out []byte, a altered, used, chars int) {
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

// isPlain reports whether text is printable ASCII and tabs.
func isPlain(text []byte) bool {
	for _, c := range text {
		if (c < ' ' || c > '~') && c != '\t' {
			return false
		}
	}
	return true
}
