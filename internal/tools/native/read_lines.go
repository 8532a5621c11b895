package native

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strconv"

	"gander/internal/files/lines"
	"gander/tool"
)

// page answers with lines from the position of the cursor on, where the line of this number is.
func (x *textFile) page(first int) (tool.Result, error) {
	a := &answer{budget: x.budget}
	limit := cmp.Or(x.limit, math.MaxInt)
	var seen []altered // for each number of lines
	var now altered
	more := false
	for ended := false; !ended; {
		line, err := x.cursor.Next(x.ctx)
		switch {
		case err == io.EOF:
			if ended = true; !x.known && first > 0 {
				x.total, x.known = first+len(seen)-1, true
			}
		case err != nil:
			return tool.Result{}, x.error(err)
		case first < 0 && line.Number >= 0: // the file has grown
			ended = true
		case len(seen) == limit:
			more, ended = true, true
		default:
			item, s, err := x.line(line)
			if err != nil {
				return tool.Result{}, x.error(err)
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
	result, err := a.finish(func(n int) (heading, end string) {
		shown = n
		end = x.end(first, n, more || n < len(seen))
		if n > 0 {
			end += seen[n-1].note()
		}
		if end != "" {
			end = end[:len(end)-1]
		}
		return x.heading(first, n, more || n < len(seen)), end
	})
	result.Truncated = err == nil && (more || shown < len(seen))
	return result, err
}

// heading returns the first line of an answer: what it shows of how much.
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
	if more && x.block == 0 {
		h += fmt.Sprintf("; continue with offset=%d", last+1)
	}
	return h
}

// end returns the line after those that are shown if there are more, with a line feed at its end.
func (x *textFile) end(first, shown int, more bool) string {
	last := first + shown - 1
	switch {
	case !more:
		return ""
	case x.block > 0 && last >= x.offset+x.limit-1:
		return "" // the block is complete
	case x.block > 0:
		left := x.offset + x.limit - 1 - last
		return fmt.Sprintf("[%s of the block; continue with offset=%d limit=%d]\n", count(left, "more line"), last+1, left)
	case first < 0:
		return fmt.Sprintf("[%s more; continue with offset=%d]\n", number(-1-last), last+1)
	case x.known:
		return fmt.Sprintf("[%s more; continue with offset=%d]\n", number(x.total-last), last+1)
	default:
		return fmt.Sprintf("[more lines follow; continue with offset=%d]\n", last+1)
	}
}

// line returns a line as the answer shows it.
func (x *textFile) line(l lines.Line) ([]byte, altered, error) {
	var item []byte
	if x.numbers {
		item = append(strconv.AppendInt(item, int64(l.Number), 10), '\t')
	}
	number := l.Number
	item, s, used, chars := x.appendText(item, l.Text, maxLineChars, x.lineBytes())
	if used == len(l.Text) {
		return item, s, nil
	}
	total, exact, err := x.measure(l, int64(used), chars)
	if err != nil {
		return nil, s, err
	}
	return append(item, cutMark(x.shown, number, chars, total, exact)...), s, nil
}

// lineBytes returns how many bytes of a line are shown before it is cut. It depends on the budget alone.
func (x *textFile) lineBytes() int {
	if least := x.budget.least(); least > 0 {
		return max(least/4, 1)
	}
	return math.MaxInt
}

// cutMark returns what follows a line of which only the beginning is shown.
func cutMark(shown string, line, chars, total int, exact bool) string {
	least := ""
	if !exact {
		least = "at least "
	}
	return fmt.Sprintf(` [line cut at %s of %s%s characters; the rest: path="%s:%d:%d"]`, number(chars), least, number(total), shown, line, chars+1)
}
