package read

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"regexp"
	"strconv"

	"gander/internal/blocks"
	"gander/internal/files/charset"
	"gander/internal/files/text"
	"gander/internal/jsonobject"
	"gander/internal/native/block"
	"gander/internal/native/call"
	"gander/internal/native/lookup"
	"gander/internal/native/wording"
	"gander/internal/tools/arguments"
	"gander/internal/tools/toolerror"
)

// A selection is what the arguments of read_file and the end of a path together select of one file.
//
// [request.selection] makes it of the [request], which has the arguments, and the [lookup.PathEnd]
// of one path, before the file is open. In the open file, [requestedFile.seekSelected] makes the
// [passage] of the selection: it looks for the block or the mark, and counts lines from the end.
type selection struct {
	lineRange
	column  int             // where the first line begins, or 0
	block   int             // the line whose block is selected, or 0
	mark    lookup.MarkName // the mark of the document, or zero
	numbers bool            // the lines are shown with their numbers

	encoding *charset.Encoding // that is given, or nil
}

// selection returns what is selected of a file whose path has an end. Of a range of lines there,
// the arguments select a part. Otherwise a block goes before all else, and the first line and the
// column there count unless the arguments say where the lines begin. An offset of 1 does not say
// that: it is the default, which models often send.
func (r request) selection(ctx context.Context, end lookup.PathEnd) (selection, error) {
	s := selection{lineRange: r.lineRange, mark: end.Mark, numbers: r.numbers, encoding: r.encoding}
	hasPlace := end != (lookup.PathEnd{}) || r.block != 0
	isDefault := s.first == 1 && s.last == 0
	if hasPlace && isDefault {
		s.first = 0
	}
	if end.Last != 0 {
		lines, err := s.within(ctx, lineRange{first: end.Line, last: end.Last}, "at the end of the path")
		s.lineRange = lines
		return s, err
	}
	s.block = r.block
	if r.pathBlocks {
		s.block = end.Line
	}
	isMark := end.Mark.Kind != 0
	switch {
	case s.block != 0:
		return s, s.checkBlock(ctx)
	case s.first != 0:
		return s, nil
	case isMark && s.last != 0:
		return s, toolerror.BadArguments(
			"end_line and %s at the end of the path both select lines; give one of them", end.Mark)
	default:
		s.first, s.column = end.Line, end.Column
		return s, s.checkLast("the line at the end of the path")
	}
}

// checkBlock returns an error if the arguments select other lines beside a block.
func (l lineRange) checkBlock(ctx context.Context) error {
	switch {
	case l.last != 0:
		return toolerror.BadArguments("end_line and %s both select lines; give %[1]s alone",
			wording.Name(ctx, "block"))
	case l.first != 0:
		return toolerror.BadArguments("%s and %s both select lines; give %[2]s alone",
			wording.Name(ctx, "offset"), wording.Name(ctx, "block"))
	default:
		return nil
	}
}

// A lineRange is a range of the lines of a file. What is not given is 0.
type lineRange struct {
	first int // A negative line counts from the end
	last  int
	limit int // the maximum number of lines on a page
}

// pageLimit returns the maximum number of lines on a page of the range.
func (l lineRange) pageLimit() int {
	limit := cmp.Or(l.limit, math.MaxInt)
	if l.last == 0 {
		return limit
	}
	return min(limit, l.last-cmp.Or(l.first, 1)+1)
}

// decodeLines returns the lines that the arguments ask for, in one of several forms.
func decodeLines(a *call.Arguments) (requested lineRange) {
	offset := a.Get("offset", "start_line", "startLine", "start_line_one_indexed",
		"line_start")
	limit := a.Get("limit", "max_lines", "line_count", "head")
	last := a.Alias("end_line", "endLine", "end_line_one_indexed_inclusive", "line_end")
	own := lineRange{
		first: offset.Int(0, math.MinInt, math.MaxInt), limit: limit.Int(0, 0, math.MaxInt),
		last: last.Int(0, 1, math.MaxInt),
	}
	tail := lineRange{first: -a.Alias("tail").Int(0, 1, math.MaxInt)}
	forms := 0
	for _, r := range []lineRange{own, tail, decodeView(a)} {
		if r != (lineRange{}) {
			requested = r
			forms++
		}
	}
	hasTwoEnds := own.last != 0 && own.limit != 0
	if forms > 1 || hasTwoEnds {
		a.Reject("the arguments give more than one range of lines; give offset and limit")
	}
	return requested
}

// decodeView returns the range of a list of the first and the last line, where -1 stands for the
// end of the file.
func decodeView(a *call.Arguments) lineRange {
	view := a.Alias("view_range", "viewRange", "lines", "range", "line_range")
	if text, ok := view.Value().Text(); !view.Given() || ok && text == "" {
		return lineRange{}
	}
	lines, ok := viewedLines(view)
	if !ok {
		a.Reject("view_range must be the first and the last line, such as [10, 20], "+
			"or [10, -1] to the end, not {value}", "{value}", text.Excerpt(view.Value().Raw()))
	}
	return lines
}

// dashedLines matches a line, or the first and the last line as in "10-20", in JSON.
var dashedLines = regexp.MustCompile(`^"?([0-9]{1,15})(?:\s*[-:,]\s*([0-9]{1,15}))?"?$`)

func viewedLines(view arguments.Argument) (l lineRange, ok bool) {
	if m := dashedLines.FindSubmatch(view.Value().Raw()); m != nil {
		l.first, _ = strconv.Atoi(string(m[1]))
		l.last, _ = strconv.Atoi(string(m[2]))
		if len(m[2]) == 0 {
			l.last = l.first
		}
		return l, l.first > 0 && l.last >= l.first
	}
	ends, _ := view.Value().Array()
	if len(ends) != 2 {
		return l, false
	}
	first, hasFirst := viewedLine(ends[0])
	last, hasLast := viewedLine(ends[1])
	switch {
	case !hasFirst || !hasLast:
		return l, false
	case last == -1:
		return lineRange{first: first}, true
	case first < 0:
		return l, false
	}
	first = max(first, 1)
	return lineRange{first: first, last: last}, last >= first
}

func viewedLine(v jsonobject.Value) (line int, ok bool) {
	wide, err := v.Literal().Integer()
	line = int(wide)
	return line, err == nil && int64(line) == wide
}

// checkLast returns an error if the last line is before the first one, which first describes.
func (l lineRange) checkLast(first string) error {
	switch {
	case l.last == 0:
		return nil
	case l.first < 0:
		return toolerror.BadArguments("end_line needs a first line that is counted from " +
			"the start; give offset and limit")
	case l.last < max(l.first, 1):
		return toolerror.BadArguments(
			"end_line must be at least %d, %s, not %d", max(l.first, 1), first, l.last)
	default:
		return nil
	}
}

// within returns the part of another range that the arguments select with l. It returns an error,
// which ends with the place of the other range, if they select lines outside.
func (l lineRange) within(
	ctx context.Context, whole lineRange, place string,
) (lineRange, error) {
	if err := whole.checkLine(wording.Name(ctx, "offset"), l.first, place); err != nil {
		return l, err
	}
	if err := whole.checkLine("end_line", l.last, place); err != nil {
		return l, err
	}
	l.first, l.last = cmp.Or(l.first, whole.first), cmp.Or(l.last, whole.last)
	return l, nil
}

// checkLine returns an error if the line of an argument is given, and is not in the range. A range
// without a last line ends where the file does.
func (l lineRange) checkLine(argument string, line int, place string) error {
	isAfter := l.last != 0 && line > l.last
	isOutside := line < l.first || isAfter
	switch {
	case line == 0 || !isOutside:
		return nil
	case l.last == 0:
		return toolerror.BadArguments("%s must be at least %d, the first line %s, not %d",
			argument, l.first, place, line)
	default:
		return toolerror.BadArguments("%s must be between %d and %d, the lines %s, not %d",
			argument, l.first, l.last, place, line)
	}
}

// blockAround returns a block around a line, or some lines if there is none. The error is io.EOF if
// the file has no such line.
func (x *requestedFile) blockAround(ctx context.Context, line int) (p passage, err error) {
	if line < 0 {
		line, err = x.fromStart(ctx, line)
		if err != nil {
			return p, err
		}
	}
	limit := min(cmp.Or(x.selected.limit, block.MaxLines), block.LargestLines,
		max(x.budget.Minimum()/2, 1))
	p.first = max(1, line-limit/4)
	p.last = p.first + limit - 1
	if x.blocks.IsMarkdown() && x.outline == nil && x.size > countedBytes {
		p.noBlock = fmt.Sprintf("blocks are not looked for in Markdown of more than %s bytes",
			wording.Grouped(countedBytes))
		return p, x.cursor.Seek(ctx, line)
	}
	found, err := block.Source{Cursor: x.cursor, Language: x.blocks}.Blocks(ctx, limit, line)
	if err != nil {
		return p, err
	}
	around := found[0]
	if around == (blocks.Block{}) {
		p.noBlock = fmt.Sprintf("no block of at most %s is around line %s",
			wording.Counted(limit, "line"), wording.Grouped(line))
		return p, nil
	}
	p.block = line
	if around.Lines() <= limit {
		p.lineRange = lineRange{first: around.First, last: around.Last}
		return p, nil
	}
	p.whole, p.noun = around, "function"
	if x.blocks.IsMarkdown() {
		p.noun = "section"
	}
	p.first = max(around.First, p.first)
	p.last = min(around.Last, p.first+limit-1)
	p.first = max(around.First, p.last-limit+1)
	return p, nil
}
