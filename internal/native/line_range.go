package native

import (
	"math"
	"strconv"

	"gander/internal/files/text"
	"gander/internal/tools/arguments"
	"gander/internal/tools/toolerror"
)

// A lineRange is the requested lines of a file. What is not given is 0.
type lineRange struct {
	offset int // the first line. A negative line counts from the end
	limit  int // the maximum number of lines
	last   int // the last line
}

// lineArguments are the lines that the arguments of read_file ask for, in one of several forms.
type lineArguments struct {
	lineRange
	tail int        // the number of lines at the end, or 0
	view *lineRange // from view_range, or nil
}

func decodeLines(a *callArguments) (l lineArguments) {
	offset := a.get("offset", "start_line", "start_line_one_indexed", "line_start")
	limit := a.get("limit", "max_lines", "line_count", "head")
	l.offset = offset.Int(0, math.MinInt, math.MaxInt)
	l.limit = limit.Int(0, 0, math.MaxInt)
	l.last = a.alias("end_line", "end_line_one_indexed_inclusive", "line_end").Int(0, 1, math.MaxInt)
	l.tail = a.alias("tail").Int(0, 1, math.MaxInt)
	view := a.alias("view_range", "viewRange")
	if view.Given() {
		lines, ok := viewedLines(view)
		if !ok {
			a.Reject("view_range must be the first and the last line, such as [10, 20], "+
				"or [10, -1] to the end, not {value}", "{value}", text.Excerpt(view.Value().Raw()))
		}
		l.view = &lines
	}
	return l
}

// viewedLines returns the lines from the first to the last one of a list of two. -1 stands for the
// end of the file.
func viewedLines(view arguments.Argument) (l lineRange, ok bool) {
	ends, _ := view.Value().Array()
	if len(ends) != 2 {
		return l, false
	}
	first, err := strconv.Atoi(string(ends[0].Literal().Raw()))
	last, err2 := strconv.Atoi(string(ends[1].Literal().Raw()))
	switch {
	case err != nil || err2 != nil:
		return l, false
	case last == -1:
		return lineRange{offset: first}, true
	case first < 0:
		return l, false
	}
	first = max(first, 1)
	return lineRange{offset: first, last: last}, last >= first
}

// requested returns the lines that the arguments ask for.
func (l lineArguments) requested() (lineRange, error) {
	var ranges []lineRange
	if l.view != nil {
		ranges = append(ranges, *l.view)
	}
	if l.tail != 0 {
		ranges = append(ranges, lineRange{offset: -l.tail})
	}
	if l.lineRange != (lineRange{}) {
		ranges = append(ranges, l.lineRange)
	}
	hasTwoEnds := l.last != 0 && l.limit != 0
	switch {
	case len(ranges) > 1, hasTwoEnds:
		return lineRange{}, toolerror.BadArguments("the arguments give more than one range of lines; " +
			"give offset and limit")
	case len(ranges) == 1:
		return ranges[0], ranges[0].checkLast("the first line")
	default:
		return lineRange{}, nil
	}
}

// checkLast returns an error if the last line is not after the first one, which first describes.
func (l lineRange) checkLast(first string) error {
	switch {
	case l.last == 0:
		return nil
	case l.offset < 0:
		return toolerror.BadArguments("end_line needs a first line that is counted from " +
			"the start; give offset and limit")
	case l.last < max(l.offset, 1):
		return toolerror.BadArguments(
			"end_line must be at least %d, %s, not %d", max(l.offset, 1), first, l.last)
	default:
		return nil
	}
}

// checkPart returns an error if the ends of a range that are given are not among the lines of a span,
// whose place ends the message. A span without a last line ends where the file does.
func (s span) checkPart(part lineRange, place string) error {
	for _, end := range []struct {
		name string
		line int
	}{{"offset", part.offset}, {"end_line", part.last}} {
		isAfter := s.last != 0 && end.line > s.last
		isOutside := end.line < s.line || isAfter
		switch {
		case end.line == 0 || !isOutside:
		case s.last == 0:
			return toolerror.BadArguments("%s must be at least %d, the first line %s, not %d",
				end.name, s.line, place, end.line)
		default:
			return toolerror.BadArguments("%s must be between %d and %d, the lines %s, not %d",
				end.name, s.line, s.last, place, end.line)
		}
	}
	return nil
}
