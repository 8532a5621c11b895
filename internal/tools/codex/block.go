package codex

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"gander/internal/files/lines"
	"gander/internal/tools/shared"
	"gander/tool"
)

// A blockRequest asks for the block around a line by its indentation (section 3.3).
type blockRequest struct {
	anchor           int // line number
	levels           int // levels of parents to include; 0 means all
	siblings, header bool
	limit            int // maximum number of lines
}

// tabWidth is TAB_WIDTH, the indentation of a tab.
const tabWidth = 4

// A block is a range of lines. It grows from its anchor in both directions.
type block struct {
	request  *blockRequest
	up, down direction
	floor    int  // minimum indentation
	count    int  // number of lines, including blank lines at both ends
	alone    bool // no line except the anchor was found

	first blockLine // first line that is not blank; its number is 0 if all lines are blank
	last  int       // number of the last line that is not blank
}

// A direction is the state of one of the two directions of a block.
type direction struct {
	cursor  *lines.Cursor
	up      bool
	header  bool // further comments at the floor belong to the block
	atFloor int  // number of lines taken at the floor
	ended   bool

	known       bool
	blankIndent int // indentation of the next line if that is blank and known is true
}

// A blockLine is a line with the properties that determine whether it belongs to a block.
type blockLine struct {
	number  int
	start   lines.Position
	indent  int // for a blank line, the indentation of the nearest line above that is not blank
	blank   bool
	comment bool
}

// run writes the block.
func (r *blockRequest) run(
	ctx context.Context, file io.ReaderAt, o lines.Options, page *shared.Page,
) (tool.Result, error) {
	up, down := lines.New(file, o), lines.New(file, o)
	defer up.Close()
	defer down.Close()
	b := &block{
		request: r,
		up:      direction{cursor: up, up: true, header: r.header},
		down:    direction{cursor: down},
		alone:   true,
	}
	err := b.grow(ctx)
	if err == io.EOF {
		return tool.Result{}, shared.BadArguments("anchor_line exceeds file length")
	}
	if err == nil && b.first.number > 0 {
		down.Move(b.first.start)
		err = write(ctx, page, down, b.last-b.first.number+1)
	}
	if err != nil {
		return tool.Result{}, newError(readingFile, err)
	}
	return page.Finish(func(shown int) string {
		return fmt.Sprintf("continue with offset=%d in slice mode", b.first.number+shown)
	})
}

// grow takes a line above and a line below in turn until the block has limit lines or both
// directions have ended. The error is io.EOF if the file has no line with the anchor's number.
func (b *block) grow(ctx context.Context) error {
	if err := b.down.cursor.Seek(ctx, b.request.anchor); err != nil {
		return err
	}
	b.up.cursor.Move(b.down.cursor.Position())
	anchor, err := b.down.next(ctx)
	if err != nil {
		return err
	}
	if b.request.levels > 0 && b.request.levels <= anchor.indent/tabWidth {
		b.floor = anchor.indent - b.request.levels*tabWidth
	}
	b.take(anchor)
	for d, other := &b.up, &b.down; b.count < b.request.limit; d, other = other, d {
		if d.ended && other.ended {
			break
		}
		if err := b.extend(ctx, d); err != nil {
			return err
		}
	}
	if b.alone { // a single line is shown even if it is blank
		b.first, b.last = anchor, anchor.number
	}
	return nil
}

// extend takes the next line in a direction, or ends the direction if that line does not belong to
// the block.
func (b *block) extend(ctx context.Context, d *direction) error {
	if d.ended {
		return nil
	}
	l, err := d.next(ctx)
	if err == io.EOF {
		d.ended = true
		return nil
	}
	if err != nil {
		return err
	}
	b.alone = false
	switch {
	case l.indent > b.floor:
	case l.indent == b.floor && (b.request.siblings || d.atFloor == 0 || d.header && l.comment):
		d.atFloor++
	default:
		d.ended = true
		return nil
	}
	b.take(l)
	return nil
}

// take adds a line to the block.
func (b *block) take(l blockLine) {
	b.count++
	if l.blank {
		return
	}
	if b.first.number == 0 || l.number < b.first.number {
		b.first = l
	}
	b.last = max(b.last, l.number)
}

// next returns the next line.
func (d *direction) next(ctx context.Context) (blockLine, error) {
	start, step := d.cursor.Position(), d.cursor.Next
	if d.up {
		step = d.cursor.Prev
	}
	line, err := step(ctx)
	if err != nil {
		return blockLine{}, err
	}
	if d.up {
		start = d.cursor.Position()
	}
	indent, content, err := d.cursor.Indent(ctx, line, tabWidth)
	if err != nil {
		return blockLine{}, err
	}
	l := blockLine{number: line.Number, start: start, indent: indent, comment: isComment(content)}
	if l.blank = len(content) == 0; !l.blank {
		d.known, d.blankIndent = !d.up, indent
		return l, nil
	}
	if !d.known {
		if d.blankIndent, err = indentAbove(ctx, d.cursor); err != nil {
			return blockLine{}, err
		}
		d.known = true
	}
	l.indent = d.blankIndent
	return l, nil
}

// indentAbove returns the indentation of the nearest line above c that is not blank, or 0 if there
// is none. It does not move c.
func indentAbove(ctx context.Context, c *lines.Cursor) (int, error) {
	defer c.Move(c.Position())
	for {
		line, err := c.Prev(ctx)
		if err == io.EOF {
			return 0, nil
		}
		if err != nil {
			return 0, err
		}
		if indent, content, err := c.Indent(ctx, line, tabWidth); err != nil || len(content) > 0 {
			return indent, err
		}
	}
}

// isComment reports whether a line without its indentation begins like a comment.
func isComment(content []byte) bool {
	for _, mark := range []string{"#", "//", "--"} {
		if bytes.HasPrefix(content, []byte(mark)) {
			return true
		}
	}
	return false
}
