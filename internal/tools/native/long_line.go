package native

import (
	"fmt"
	"strconv"
	"unicode/utf8"

	"gander/internal/files/lines"
	"gander/tool"
)

// longLine answers with the line after the cursor from the column on, if that line is so long that a page would cut it. It
// reports false for a shorter line, which is shown whole, as a column of a compiler's message means it.
func (x *textFile) longLine() (result tool.Result, ok bool, err error) {
	before := x.cursor.Position()
	l, err := x.cursor.Next(x.ctx)
	if err != nil {
		return result, false, x.error(err)
	}
	if _, _, used, _ := x.appendText(nil, l.Text, maxLineChars, x.lineBytes()); used == len(l.Text) {
		x.cursor.Move(before)
		return result, false, nil
	}
	offset, passed, err := x.seekColumn(l)
	if err != nil {
		return result, false, x.error(err)
	}
	if passed < x.column-1 {
		result, err = x.noColumn(l.Number, passed)
		return result, true, err
	}
	result, err = x.segment(l, offset)
	return result, true, err
}

// seekColumn returns the offset in a line of the character at the column, and how many characters are before it, which are fewer
// if the line ends first.
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

// segment answers with as much of a line from an offset on as the budget has room for.
func (x *textFile) segment(l lines.Line, offset int64) (tool.Result, error) {
	var text []byte
	for len(text) < measuredBytes && x.budget.fits(size{len(text) / 2, len(text) / utf8.UTFMax}) {
		part, err := x.part(l, offset+int64(len(text)))
		if err != nil {
			return tool.Result{}, x.error(err)
		}
		if len(part) == 0 {
			break
		}
		text = append(text, part...)
	}
	total, exact, err := x.measure(l, offset, x.column-1)
	if err != nil {
		return tool.Result{}, x.error(err)
	}
	most := utf8.RuneCount(text)
	if most == 0 {
		return x.noColumn(l.Number, total)
	}
	var best string
	shown := largest(1, most, func(n int) bool {
		answer := x.segmentText(l.Number, text, n, total, exact)
		fits := x.budget.fits(sizeOf(answer))
		if fits {
			best = answer
		}
		return fits
	})
	if best == "" {
		return tool.Result{}, x.budget.tooSmall()
	}
	return tool.Result{Parts: tool.Text(best), Exact: true, Truncated: x.column-1+shown < total || !exact}, nil
}

// noColumn answers that a line has so many characters, and none at the column.
func (x *textFile) noColumn(line, characters int) (tool.Result, error) {
	return x.budget.answer(fmt.Sprintf("%s: line %s has %s characters, none at %s", x.name, number(line), number(characters), number(x.column)))
}

// segmentText returns the answer with so many characters of text.
func (x *textFile) segmentText(line int, text []byte, chars, total int, exact bool) string {
	last := x.column - 1 + chars
	of := number(total)
	if !exact {
		of = "at least " + of
	}
	answer := fmt.Sprintf("%s: line %s, characters %s-%s of %s", x.name, number(line), number(x.column), number(last), of)
	next := fmt.Sprintf(`path="%s:%d:%d"`, x.shown, line, last+1)
	if last < total {
		answer += "; continue with " + next
	}
	answer += "\n"
	if x.numbers {
		answer += strconv.Itoa(line) + "\t"
	}
	shown, s, _, _ := x.appendText(nil, text, chars, len(text)*6)
	answer += string(shown)
	if last < total {
		answer += fmt.Sprintf("\n[%s more characters; continue with %s]", number(total-last), next)
	}
	if note := s.note(); note != "" {
		answer += "\n" + note[:len(note)-1]
	}
	return answer
}
