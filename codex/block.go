package codex

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"slices"

	"gander/internal/files/lines"
)

// A blockRequest asks for the block around a line by its indentation.
type blockRequest struct {
	anchor           int // line number
	levels           int // levels of parents to include; 0 means all
	siblings, header bool
	limit            int // maximum number of lines
}

// tabWidth is TAB_WIDTH, the indentation of a tab.
const tabWidth = 4

// commentMarks are the prefixes of lines that belong to the header of a block.
var commentMarks = []string{"#", "//", "--"}

// A blockFinder finds the block that a request asks for.
type blockFinder struct {
	blockRequest
	cursor *lines.Cursor
	err    error // except io.EOF
	indent int   // of the anchor
	floor  int   // lines with less indentation do not belong to the block
}

// A blockLine has the properties of a line that determine whether it belongs to a block.
type blockLine struct {
	indent  int // for a blank line, the indentation of the nearest line above that is not blank
	blank   bool
	comment bool
}

// The directions from the anchor.
type direction bool

const (
	up   direction = true
	down direction = false
)

// find returns the numbers of the first and the last line of the block, without the blank lines at
// both ends. If all lines are blank, the last precedes the first. The error is io.EOF if the file
// does not have the anchor.
func (r blockRequest) find(ctx context.Context, c *lines.Cursor) (first, last int, err error) {
	if err := c.Seek(ctx, r.anchor); err != nil {
		return 0, 0, err
	}
	b := blockFinder{blockRequest: r, cursor: c}
	before := c.Position()
	anchor, ok := b.read(ctx, down)
	if !ok {
		return 0, 0, cmp.Or(b.err, io.EOF)
	}
	after := c.Position()
	b.indent = anchor.indent
	if anchor.blank {
		b.indent = b.indentAbove(ctx, before)
	}
	if r.levels > 0 && r.levels <= b.indent/tabWidth { // so that the product does not overflow
		b.floor = b.indent - r.levels*tabWidth
	}
	others := r.limit - 1
	above, below := b.grow(ctx, before, up, others), b.grow(ctx, after, down, others)
	if above.count+below.count > others {
		// Lines above and below are taken in turns, first one above, as long as there are both.
		share := min(above.count, max(others-others/2, others-below.count))
		above, below = b.grow(ctx, before, up, share), b.grow(ctx, after, down, others-share)
	}
	first, last = r.anchor-above.count, r.anchor+below.count
	if first < last { // a single line is shown even if it is blank
		first += b.countBlank(ctx, above.end, down, last-first+1)
		last -= b.countBlank(ctx, below.end, up, last-first+1)
	}
	return first, last, b.err
}

// An arm is the part of the block in one direction from the anchor.
type arm struct {
	count int // of lines
	end   lines.Position
}

// grow takes at most limit lines in a direction.
func (b *blockFinder) grow(ctx context.Context, from lines.Position, to direction, limit int) arm {
	const unknown = -1
	blankIndent := b.indent // of the next line if it is blank
	if to == up {
		blankIndent = unknown // it comes from a line further above
	}
	a := arm{end: from}
	for atFloor := 0; a.count < limit; a.count++ {
		b.cursor.Move(a.end)
		l, ok := b.read(ctx, to)
		if !ok {
			break
		}
		after := b.cursor.Position()
		if l.blank && blankIndent == unknown {
			blankIndent = b.indentAbove(ctx, after)
		}
		switch {
		case l.blank:
			l.indent = blankIndent
		case to == up:
			blankIndent = unknown
		default:
			blankIndent = l.indent
		}
		if l.indent == b.floor {
			atFloor++
		}
		isSibling := l.indent == b.floor && atFloor > 1
		isHeader := to == up && b.header && l.comment
		isAllowed := b.siblings || isHeader
		if l.indent < b.floor || isSibling && !isAllowed {
			break
		}
		a.end = after
	}
	return a
}

// countBlank returns the number of blank lines that follow in a direction, at most limit.
func (b *blockFinder) countBlank(
	ctx context.Context, from lines.Position, to direction, limit int,
) (count int) {
	b.cursor.Move(from)
	for ; count < limit; count++ {
		l, ok := b.read(ctx, to)
		if !ok || !l.blank {
			break
		}
	}
	return count
}

// read returns the next line in a direction. It returns false at the end of the file, and if it
// sets b.err.
func (b *blockFinder) read(ctx context.Context, to direction) (blockLine, bool) {
	line, err := b.step(ctx, to)
	if err == io.EOF {
		return blockLine{}, false
	}
	var l blockLine
	if err == nil {
		var content []byte
		l.indent, content, err = b.cursor.Indent(ctx, line, tabWidth)
		l.blank = len(content) == 0
		l.comment = slices.ContainsFunc(commentMarks, func(mark string) bool {
			return bytes.HasPrefix(content, []byte(mark))
		})
	}
	b.err = cmp.Or(b.err, err)
	return l, err == nil
}

func (b *blockFinder) step(ctx context.Context, to direction) (lines.Line, error) {
	if to == up {
		return b.cursor.Prev(ctx)
	}
	return b.cursor.Next(ctx)
}

// indentAbove returns the indentation of the nearest line above a position that is not blank, or 0
// if there is none.
func (b *blockFinder) indentAbove(ctx context.Context, p lines.Position) int {
	b.cursor.Move(p)
	for {
		if l, ok := b.read(ctx, up); !ok || !l.blank {
			return l.indent
		}
	}
}
