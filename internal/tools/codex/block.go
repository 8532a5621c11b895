package codex

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"

	"gander/internal/files/lines"
	"gander/internal/tools/shared"
	"gander/tool"
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

// A direction is the state of the growth of a block above or below its anchor.
type direction struct {
	cursor  *lines.Cursor
	up      bool
	header  bool // further comments at the floor belong to the block
	atFloor int  // number of lines found at the floor
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
	up := direction{cursor: lines.New(file, o), up: true, header: r.header}
	defer up.cursor.Close()
	down := direction{cursor: lines.New(file, o)}
	defer down.cursor.Close()
	first, last, err := r.find(ctx, &up, &down)
	if err == io.EOF {
		return tool.Result{}, shared.BadArguments("anchor_line exceeds file length")
	}
	if err == nil && first.number > 0 {
		down.cursor.Move(first.start)
		err = write(ctx, page, down.cursor, last-first.number+1)
	}
	if err != nil {
		return tool.Result{}, newError(readingFile, err)
	}
	return page.Finish(func(shown int) string {
		return fmt.Sprintf("continue with offset=%d in slice mode", first.number+shown)
	})
}

// find takes lines above and below the anchor alternately until the block has limit lines or both
// directions have ended. It returns the first and the last line that are not blank; the number of
// first is 0 if all lines are blank. The error is io.EOF if the file does not have the anchor.
func (r *blockRequest) find(
	ctx context.Context, up, down *direction,
) (first blockLine, last int, err error) {
	if err = down.cursor.Seek(ctx, r.anchor); err != nil {
		return first, 0, err
	}
	up.cursor.Move(down.cursor.Position())
	anchor, err := down.next(ctx)
	if err != nil {
		return first, 0, err
	}
	floor := 0
	if r.levels > 0 && r.levels <= anchor.indent/tabWidth {
		floor = anchor.indent - r.levels*tabWidth
	}
	count := 0
	take := func(l blockLine) {
		count++
		if !l.blank && (first.number == 0 || l.number < first.number) {
			first = l
		}
		if !l.blank {
			last = max(last, l.number)
		}
	}
	take(anchor)
	alone := true // no line except the anchor was found
	for d, other := up, down; count < r.limit && !(d.ended && other.ended); d, other = other, d {
		if d.ended {
			continue
		}
		l, err := d.next(ctx)
		if err != nil && err != io.EOF {
			return first, 0, err
		}
		alone = alone && err == io.EOF
		if d.ended = err == io.EOF || !r.takes(l, d, floor); !d.ended {
			take(l)
		}
	}
	if alone { // a single line is shown even if it is blank
		return anchor, anchor.number, nil
	}
	return first, last, nil
}

// takes reports whether the next line in a direction belongs to the block.
func (r *blockRequest) takes(l blockLine, d *direction, floor int) bool {
	if l.indent == floor {
		d.atFloor++
		return r.siblings || d.atFloor == 1 || d.header && l.comment
	}
	return l.indent > floor
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
	return slices.ContainsFunc([]string{"#", "//", "--"}, func(mark string) bool {
		return bytes.HasPrefix(content, []byte(mark))
	})
}
