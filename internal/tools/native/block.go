package native

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"gander/internal/files/lines"
)

const (
	// maxBlock is how many lines a block has at most if no limit is given.
	maxBlock = 200
	// tabWidth is the indentation that a tab counts as.
	tabWidth = 4
)

// A blockLine is what decides to which block a line belongs.
type blockLine struct {
	number, indent int
	blank          bool
	closes         bool // it begins with what ends a block, such as a brace
	comments       bool // it is a comment, or an annotation of what follows
}

// findBlock sets offset and limit to the largest block around the line that is asked for which is within the limit. It reports
// false if the file has no such line.
func (x *textFile) findBlock() (found bool, err error) {
	most := cmp.Or(x.request.limit, maxBlock)
	if least := x.call.budget.least(); least > 0 {
		most = min(most, least/2+1)
	}
	around, at, err := x.linesAround(x.request.block, most)
	if err == io.EOF {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	b := blocks{lines: around, most: most}
	first, last, ok := b.largest(at)
	if !ok {
		x.request.offset, x.request.limit = max(1, x.request.block-most/4), most
		x.note = fmt.Sprintf(", because no block of at most %s is around line %s", count(most, "line"), number(x.request.block))
		return true, nil
	}
	x.request.offset, x.request.limit = around[first].number, last-first+1
	x.note = fmt.Sprintf(", the block around line %s", number(x.request.block))
	return true, nil
}

// linesAround returns the line of a number with at most so many before and after it, and its index among them. The error is
// io.EOF if there is no such line.
func (x *textFile) linesAround(number, most int) (around []blockLine, at int, err error) {
	if err := x.cursor.Seek(x.call.ctx, number); err != nil {
		return nil, 0, err
	}
	here := x.cursor.Position()
	above, err := x.collect(x.cursor.Prev, most)
	if err != nil {
		return nil, 0, err
	}
	slices.Reverse(above)
	x.cursor.Move(here)
	below, err := x.collect(x.cursor.Next, most+1)
	return append(above, below...), len(above), err
}

// collect returns what at most so many steps of the cursor return.
func (x *textFile) collect(step func(context.Context) (lines.Line, error), most int) ([]blockLine, error) {
	var collected []blockLine
	for range most {
		l, err := step(x.call.ctx)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		indent, content, err := x.cursor.Indent(x.call.ctx, l, tabWidth)
		if err != nil {
			return nil, err
		}
		collected = append(collected, blockLine{l.Number, indent, len(content) == 0, closes(content), comments(content)})
	}
	return collected, nil
}

// closes reports whether a line begins with what ends a block.
func closes(content []byte) bool {
	if len(content) == 0 {
		return false
	}
	if strings.IndexByte("})]", content[0]) >= 0 || bytes.HasPrefix(content, []byte("</")) {
		return true
	}
	rest, ok := bytes.CutPrefix(content, []byte("end"))
	return ok && (len(rest) == 0 || strings.IndexByte(" \t;.,)", rest[0]) >= 0)
}

// comments reports whether a line begins like a comment or an annotation.
func comments(content []byte) bool {
	for _, mark := range []string{"//", "#", "/*", "*", "--", "@", ";;", `"""`} {
		if bytes.HasPrefix(content, []byte(mark)) {
			return true
		}
	}
	return false
}

// blocks finds blocks by indentation among adjacent lines.
type blocks struct {
	lines []blockLine
	most  int // lines that a block may have
}

// largest returns the first and the last line of the largest block around a line that is not too large. A line that opens a
// block is around itself. A line that lies in none has the lines up to the next blank ones as its block.
func (b blocks) largest(at int) (first, last int, ok bool) {
	for at < len(b.lines)-1 && b.lines[at].blank {
		at++
	}
	for at > 0 && b.lines[at].blank {
		at--
	}
	head := at
	if !b.opens(at) {
		if head = b.above(at); head < 0 {
			if b.lines[at].indent > 0 && b.lines[0].number > 1 {
				return 0, 0, false // the line that opens it is further above
			}
			first, last = b.paragraph(at)
			return first, last, last-first < b.most
		}
	}
	for ; head >= 0; head = b.above(first) {
		start, end := b.extent(head)
		if end < at || end-start >= b.most {
			break
		}
		first, last, ok = start, end, true
	}
	return first, last, ok
}

// opens reports whether the next line that is not blank is indented further.
func (b blocks) opens(at int) bool {
	for _, l := range b.lines[at+1:] {
		if !l.blank {
			return l.indent > b.lines[at].indent
		}
	}
	return false
}

// above returns the nearest line above that is indented less and opens the block that a line lies in, or -1. The line that
// ends a block lies in it.
func (b blocks) above(at int) int {
	indent := b.lines[at].indent
	if b.lines[at].closes {
		indent++
	}
	for i := at - 1; i >= 0; i-- {
		if l := b.lines[i]; !l.blank && l.indent < indent {
			if !l.closes {
				return i
			}
			indent = l.indent + 1 // it goes on with what a line above has opened
		}
	}
	return -1
}

// extent returns the first and the last line of the block that a line opens: the comments above it, and the lines below that
// are indented further, with the one that ends it.
func (b blocks) extent(head int) (first, last int) {
	first, last = head, head
	indent := b.lines[head].indent
	for first > 0 && b.lines[first-1].comments && b.lines[first-1].indent == indent {
		first--
	}
	for i := head + 1; i < len(b.lines); i++ {
		l := b.lines[i]
		switch {
		case l.blank:
			continue
		case l.indent > indent:
			last = i
			continue
		case l.indent == indent && l.closes:
			last = i
			if b.opens(i) {
				continue
			}
		}
		break
	}
	return first, last
}

// paragraph returns the first and the last of the lines around a line that are not blank.
func (b blocks) paragraph(at int) (first, last int) {
	first, last = at, at
	for first > 0 && !b.lines[first-1].blank {
		first--
	}
	for last < len(b.lines)-1 && !b.lines[last+1].blank {
		last++
	}
	return first, last
}
