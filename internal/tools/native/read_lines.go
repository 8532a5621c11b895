package native

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strconv"

	"gander/internal/files/lines"
	"gander/internal/layout"
)

// writePage writes the section with the lines from the cursor on. first is the number of the line
// there.
func (x *textFile) writePage(first int) (section, error) {
	a := &answer{budget: x.call.budget}
	limit := cmp.Or(x.request.limit, math.MaxInt)
	var seen []altered // up to each line
	var now altered
	more := false
	for ended := false; !ended; {
		line, err := x.cursor.Next(x.call.ctx)
		switch {
		case err == io.EOF:
			if ended = true; !x.known && first > 0 {
				x.total, x.known = first+len(seen)-1, true
			}
		case err != nil:
			return section{}, x.error(err)
		case first < 0 && line.Number >= 0: // the file has grown
			ended = true
		case len(seen) == limit:
			more, ended = true, true
		default:
			item, s, err := x.line(line)
			if err != nil {
				return section{}, x.error(err)
			}
			if more = !a.add(item); more {
				ended = true
				break
			}
			now = now.plus(s)
			seen = append(seen, now)
		}
	}
	shown := 0
	s, err := a.finish(func(n int) (heading, markers string) {
		shown = n
		markers = x.end(first, n, more || n < len(seen))
		if n > 0 {
			markers += seen[n-1].note()
		}
		return x.heading(first, n, more || n < len(seen)), withoutLineFeed(markers)
	})
	s.truncated = err == nil && (more || shown < len(seen))
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

// end returns the marker after the lines if there are more, with a line feed.
func (x *textFile) end(first, shown int, more bool) string {
	last := first + shown - 1
	switch {
	case !more:
		return ""
	case x.request.block > 0 && last >= x.request.offset+x.request.limit-1:
		return "" // the block is complete
	case x.request.block > 0:
		left := x.request.offset + x.request.limit - 1 - last
		next := x.next(last+1, intArgument(limitArgument, left))
		return fmt.Sprintf("[%s of the block; continue with %s]\n", count(left, "more line"), next)
	case first < 0:
		return fmt.Sprintf("[%s more; continue with %s]\n", number(-1-last), x.next(last+1))
	case x.known:
		return fmt.Sprintf("[%s more; continue with %s]\n", number(x.total-last), x.next(last+1))
	default:
		return fmt.Sprintf("[more lines follow; continue with %s]\n", x.next(last+1))
	}
}

// next returns the hint to continue at a line.
func (x *textFile) next(line int, more ...layout.Argument) string {
	arguments := append([]layout.Argument{intArgument(offsetArgument, line)}, more...)
	return x.call.next(x.place, arguments...)
}

// line returns a line as the result shows it.
func (x *textFile) line(l lines.Line) ([]byte, altered, error) {
	var item []byte
	if x.request.numbers {
		item = append(strconv.AppendInt(item, int64(l.Number), 10), '\t')
	}
	number := l.Number
	if x.call.layout.Whole {
		return x.wholeLine(item, l)
	}
	item, s, used, chars := x.appendText(item, l.Text, maxLineChars, x.lineBytes())
	if used == len(l.Text) {
		return item, s, nil
	}
	total, exact, err := x.measure(l, int64(used), chars)
	if err != nil {
		return nil, s, err
	}
	return append(item, x.cutMark(number, chars, total, exact)...), s, nil
}

// wholeLine appends a line to item, or so much of it that the item exceeds the budget.
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

// lineBytes returns the number of bytes of a line that are shown. It depends on the budget alone.
func (x *textFile) lineBytes() int {
	if least := x.call.budget.least(); least > 0 {
		return max(least/4, 1)
	}
	return math.MaxInt
}

// cutMark returns the marker after a line of which only the beginning is shown.
func (x *textFile) cutMark(line, chars, total int, exact bool) string {
	least := ""
	if !exact {
		least = "at least "
	}
	return fmt.Sprintf(" [line cut at %s of %s%s characters; the rest: %s]",
		number(chars), least, number(total), x.call.hint("", placeArgument(x.shown, line, chars+1)))
}
