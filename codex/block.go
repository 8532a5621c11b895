package codex

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"math"
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

// A block grows from the anchor in both directions.
type block struct {
	blockRequest
	ctx           context.Context
	cursor        *lines.Cursor
	err           error // except io.EOF
	anchorLine    blockLine
	before, after lines.Position // the positions around the anchor line
	floor         int            // the indentation at which the block ends
	alone         bool           // the file has only one line
	first, last   int            // numbers of the outermost lines that are not blank
}

// A blockLine is a line with the properties that determine whether it belongs to a block.
type blockLine struct {
	number  int
	indent  int // for a blank line, the indentation of the nearest line above that is not blank
	blank   bool
	comment bool
}

// find returns the numbers of the first and the last line of the block. The last is 0 if all lines
// are blank. The error is io.EOF if the file does not have the anchor.
func (r blockRequest) find(ctx context.Context, c *lines.Cursor) (first, last int, err error) {
	if err := c.Seek(ctx, r.anchor); err != nil {
		return 0, 0, err
	}
	b := block{blockRequest: r, ctx: ctx, cursor: c, before: c.Position(), alone: true}
	var ok bool
	b.anchorLine, ok = b.read(c.Next)
	if !ok {
		return 0, 0, cmp.Or(b.err, io.EOF)
	}
	b.after = c.Position()
	if b.anchorLine.blank {
		c.Move(b.before)
		b.anchorLine.indent = b.indentAbove()
	}
	if r.levels > 0 && r.levels <= b.anchorLine.indent/tabWidth {
		b.floor = b.anchorLine.indent - r.levels*tabWidth
	}
	// If the block exceeds the limit, lines above and below the anchor are taken in turns, first one
	// above, as long as both directions have any.
	others := r.limit - 1
	up, down := b.grow(others, others)
	if up+down > others {
		up = min(up, max(others-others/2, others-down))
		b.grow(up, others-up)
	}
	if b.alone || others == 0 { // a single line is shown even if it is blank
		return r.anchor, r.anchor, b.err
	}
	return b.first, b.last, b.err
}

// grow takes at most the given numbers of lines above and below the anchor, and returns the numbers
// of lines taken.
func (b *block) grow(above, below int) (up, down int) {
	b.first, b.last = math.MaxInt, 0
	b.take(b.anchorLine)
	b.cursor.Move(b.before)
	up = b.growTo(b.cursor.Prev, above, true)
	b.cursor.Move(b.after)
	return up, b.growTo(b.cursor.Next, below, false)
}

func (b *block) take(l blockLine) {
	if !l.blank {
		b.first, b.last = min(b.first, l.number), max(b.last, l.number)
	}
}

// growTo takes at most limit lines in a direction.
func (b *block) growTo(
	step func(context.Context) (lines.Line, error), limit int, up bool,
) (count int) {
	// The indentation of the next line if it is blank. Above the anchor, it is unknown before the
	// first of several blank lines.
	const unknown = -1
	blankIndent := b.anchorLine.indent
	if up {
		blankIndent = unknown
	}
	for atFloor := 0; count < limit; count++ {
		l, ok := b.read(step)
		if !ok {
			break
		}
		b.alone = false
		if l.blank && blankIndent == unknown {
			blankIndent = b.indentAbove()
		}
		switch {
		case l.blank:
			l.indent = blankIndent
		case up:
			blankIndent = unknown
		default:
			blankIndent = l.indent
		}
		if l.indent == b.floor {
			atFloor++
		}
		isSibling := l.indent == b.floor && atFloor > 1
		isHeader := up && b.header && l.comment
		isAllowed := b.siblings || isHeader
		if l.indent < b.floor || isSibling && !isAllowed {
			break
		}
		b.take(l)
	}
	return count
}

// read returns the next line. It returns false at the end of the file, and if it sets b.err.
func (b *block) read(step func(context.Context) (lines.Line, error)) (blockLine, bool) {
	line, err := step(b.ctx)
	if err == io.EOF {
		return blockLine{}, false
	}
	var l blockLine
	if err == nil {
		var content []byte
		l.indent, content, err = b.cursor.Indent(b.ctx, line, tabWidth)
		l.number, l.blank = line.Number, len(content) == 0
		l.comment = slices.ContainsFunc([]string{"#", "//", "--"}, func(mark string) bool {
			return bytes.HasPrefix(content, []byte(mark))
		})
	}
	b.err = cmp.Or(b.err, err)
	return l, err == nil
}

// indentAbove returns the indentation of the nearest line above the cursor that is not blank, or 0
// if there is none. It does not move the cursor.
func (b *block) indentAbove() int {
	defer b.cursor.Move(b.cursor.Position())
	for {
		if l, ok := b.read(b.cursor.Prev); !ok || !l.blank {
			return l.indent
		}
	}
}
