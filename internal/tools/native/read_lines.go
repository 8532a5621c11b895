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
	"gander/internal/layout"
)

// writeLines writes the section with the lines from the cursor on. first is the number of the line
// there.
func (x *textFile) writeLines(first int) (section, error) {
	a := &items{budget: x.call.budget}
	limit := cmp.Or(x.request.limit, math.MaxInt)
	var seen []altered // up to each line
	var now altered
	more := false
	for !more {
		line, err := x.cursor.Next(x.call.ctx)
		if err == io.EOF {
			if !x.known && first > 0 {
				x.total, x.known = first+len(seen)-1, true
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
	s, err := a.finish(func(n int) (heading, markers string) {
		more := more || n < len(seen)
		marker := x.marker(first, n, more)
		if n > 0 {
			marker = joinMarkers(marker, seen[n-1].note())
		}
		return x.heading(first, n, more), marker
	})
	s.truncated = err == nil && (more || s.truncated)
	return s, err
}

// heading returns the first line: what is shown of how much.
func (x *textFile) heading(first, shown int, more bool) string {
	last := first + shown - 1
	h := x.name + ": "
	switch {
	case first < 0:
		h += fmt.Sprintf("lines %d to %d, counted from the end", first, last)
	case x.known && shown == x.total:
		h += count(x.total, "line")
	default:
		h += fmt.Sprintf("lines %s-%s of ", number(first), number(last))
		switch {
		case x.known:
			h += number(x.total)
		case more:
			h += "at least " + number(last+1)
		default:
			h += "at least " + number(last)
		}
	}
	h += x.note
	if more && x.request.block == 0 {
		h += "; continue with " + x.next(last+1)
	}
	return h
}

// marker returns the marker after the lines if more follow, or "".
func (x *textFile) marker(first, shown int, more bool) string {
	last := first + shown - 1
	left := x.request.offset + x.request.limit - 1 - last // in the block
	switch {
	case !more, x.request.block > 0 && left <= 0:
		return ""
	case x.request.block > 0:
		next := x.next(last+1, intArgument(limitArgument, left))
		return fmt.Sprintf("[%s of the block; continue with %s]", count(left, "more line"), next)
	case first < 0:
		return fmt.Sprintf("[%s more; continue with %s]", number(-1-last), x.next(last+1))
	case x.known:
		return fmt.Sprintf("[%s more; continue with %s]", number(x.total-last), x.next(last+1))
	default:
		return fmt.Sprintf("[more lines follow; continue with %s]", x.next(last+1))
	}
}

// next returns the hint to continue at a line.
func (x *textFile) next(line int, more ...layout.Argument) string {
	arguments := append([]layout.Argument{intArgument(offsetArgument, line)}, more...)
	return x.call.next(x.location, arguments...)
}

// line returns a line in the result.
func (x *textFile) line(l lines.Line) ([]byte, altered, error) {
	var item []byte
	if x.request.numbers {
		item = append(strconv.AppendInt(item, int64(l.Number), 10), '\t')
	}
	if x.call.layout.Whole {
		return x.wholeLine(item, l)
	}
	lineNumber := l.Number
	item, s, used, chars := x.appendText(item, l.Text, maxLineChars, x.lineBytes())
	if used == len(l.Text) {
		return item, s, nil
	}
	total, exact, err := x.measure(l, int64(used), chars)
	if err != nil {
		return nil, s, err
	}
	item = fmt.Appendf(item, " [line cut at %s of %s characters; the rest: %s]", number(chars),
		atLeast(total, exact), x.call.hint("", placeArgument(x.shown, lineNumber, chars+1)))
	return item, s, nil
}

// atLeast returns a number in results that is exact or a lower bound.
func atLeast(n int, exact bool) string {
	if !exact {
		return "at least " + number(n)
	}
	return number(n)
}

// wholeLine appends a line to item, or its beginning if the item exceeds the budget.
func (x *textFile) wholeLine(item []byte, l lines.Line) ([]byte, altered, error) {
	var all altered
	for offset := int64(0); ; {
		if !x.call.budget.fits(size{bytes: len(item)}) {
			return item, all, nil
		}
		part, err := x.part(l, offset)
		if err != nil || len(part) == 0 {
			return item, all, err
		}
		var s altered
		item, s, _, _ = x.appendText(item, part, math.MaxInt, math.MaxInt)
		all = all.plus(s)
		offset += int64(len(part))
	}
}

// lineBytes returns the maximum number of bytes shown of a line. It depends only on the budget.
func (x *textFile) lineBytes() int {
	if least := x.call.budget.least(); least > 0 {
		return max(least/4, 1)
	}
	return math.MaxInt
}

// altered counts the characters of a file that the result replaces.
type altered struct{ escaped, invalid int }

func (a altered) plus(other altered) altered {
	return altered{a.escaped + other.escaped, a.invalid + other.invalid}
}

// note returns the markers about them.
func (a altered) note() (note string) {
	if a.escaped > 0 {
		n := count(a.escaped, "control character")
		note = fmt.Sprintf("[%s shown as an escape such as \\r]", n)
	}
	if a.invalid > 0 {
		n := count(a.invalid, "byte")
		note = joinMarkers(note, fmt.Sprintf("[%s not UTF-8, shown as \ufffd]", n))
	}
	return note
}

// joinMarkers joins markers, which may be empty.
func joinMarkers(a, b string) string {
	if b == "" {
		return a
	}
	return joinLines(a, b)
}

// appendText appends at most maxChars characters and maxBytes bytes of text, but at least one
// character. It returns the number of bytes and characters of text that it appended.
//
// If lines are numbered, control characters and the separators U+2028 and U+2029 are escaped as in
// Go's strings, because readers that treat them as the end of a line could treat the rest as a line
// with a number. Otherwise the text is unchanged. Each byte that is not UTF-8 becomes U+FFFD.
func (x *textFile) appendText(
	dst, text []byte, maxChars, maxBytes int,
) (out []byte, a altered, used, chars int) {
	if len(text) <= min(maxChars, maxBytes) && isPlain(text) {
		return append(dst, text...), a, len(text), len(text)
	}
	start := len(dst)
	for used < len(text) && chars < maxChars {
		r, width := utf8.DecodeRune(text[used:])
		before, was := len(dst), a
		switch {
		case r == utf8.RuneError && width == 1:
			dst = append(dst, "\ufffd"...)
			a.invalid++
		case x.request.numbers && r != '\t' && unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp):
			dst = appendEscape(dst, r)
			a.escaped++
		default:
			dst = append(dst, text[used:used+width]...)
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

func appendEscape(dst []byte, r rune) []byte {
	switch r {
	case '\r':
		return append(dst, `\r`...)
	case '\v':
		return append(dst, `\v`...)
	case '\f':
		return append(dst, `\f`...)
	}
	if r < utf8.RuneSelf {
		return fmt.Appendf(dst, `\x%02x`, r)
	}
	return fmt.Appendf(dst, `\u%04x`, r)
}
