package codex

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"slices"

	"gander/internal/files/lines"
	"gander/internal/tools/shared"
	"gander/tool"
)

// A blockRequest asks for the block around a line by its indentation (section 3.3).
type blockRequest struct {
	anchor           int // number of the line
	levels           int // levels of parents to include; 0 means all
	siblings, header bool
	limit            int // maximum number of lines
}

// tabWidth is TAB_WIDTH, the indentation that a tab counts as.
const tabWidth = 4

// A blockLine is a line with what decides whether it belongs to the block.
type blockLine struct {
	number  int
	shown   []byte
	indent  int // for a blank line, that of the nearest line above that is not blank
	blank   bool
	comment bool
}

// A window holds adjacent lines, as many of them as the answer has room for. The answer begins with
// the topmost line. A window that grows upwards therefore drops the lines that it got first, and
// one that grows downwards the further ones.
type window struct {
	up      bool
	size    int
	lines   []blockLine
	dropped bool // some lines were dropped
}

func (w *window) add(l blockLine) {
	if !w.up && len(w.lines) >= w.size {
		w.dropped = true
		return
	}
	if w.up && len(w.lines) >= 2*w.size { // copying so rarely keeps the cost per line constant
		w.lines, w.dropped = append(w.lines[:0], w.lines[len(w.lines)-w.size:]...), true
	}
	w.lines = append(w.lines, l)
}

// A direction is one of the two in which the block grows from its anchor.
type direction struct {
	next    func(context.Context) (blockLine, error)
	header  bool   // further comments at the floor belong to the block
	lines   window // up to the last line that is not blank
	blanks  window // the blank lines after them, which are in the block only if a line follows
	count   int    // lines taken
	atFloor int    // lines taken whose indentation is exactly the floor
	ended   bool
}

// take adds a line that belongs to the block.
func (d *direction) take(l blockLine) {
	d.count++
	if l.blank {
		d.blanks.add(l)
		return
	}
	if d.blanks.up && d.blanks.dropped {
		d.lines = d.blanks // there is no room for what comes before the dropped lines
	} else {
		for _, blank := range d.blanks.lines {
			d.lines.add(blank)
		}
	}
	d.lines.add(l)
	d.blanks = window{up: d.lines.up, size: d.lines.size}
}

// A block grows from its anchor in both directions.
type block struct {
	request     *blockRequest
	up, down    *lines.Cursor
	blankIndent *int // the indentation of the blank lines that up is among; nil if it is not known yet
	lastIndent  int  // the indentation of the line that down passed last
	floor       int  // the least indentation of lines in the block
}

func newBlock(r *blockRequest, file io.ReaderAt, o lines.Options) *block {
	return &block{request: r, up: lines.New(file, o), down: lines.New(file, o)}
}

func (b *block) close() {
	b.up.Close()
	b.down.Close()
}

// run runs the request.
func (r *blockRequest) run(
	ctx context.Context, file io.ReaderAt, o lines.Options, page *shared.Page, budget tool.Budget,
) (tool.Result, error) {
	size := math.MaxInt / 2
	if limit, limited := budget.Limit(); limited {
		size = limit/len("L1: ") + 1
	}
	b := newBlock(r, file, o)
	defer b.close()
	taken, err := b.grow(ctx, size)
	if err == io.EOF {
		return tool.Result{}, shared.BadArguments("anchor_line exceeds file length")
	}
	if err != nil {
		return tool.Result{}, newError(readingFile, err)
	}
	for _, l := range taken {
		if !page.Add(l.shown) {
			break
		}
	}
	return page.Finish(func(shown int) string {
		return fmt.Sprintf("continue with offset=%d in slice mode", taken[0].number+shown)
	})
}

// grow takes a line above and a line below in turn until it has limit lines or both directions have
// ended. It returns at least the first size lines of the block. The error is io.EOF if the file has
// no line with the anchor's number.
func (b *block) grow(ctx context.Context, size int) ([]blockLine, error) {
	anchor, err := b.start(ctx)
	if err != nil || b.request.limit == 1 {
		return []blockLine{anchor}, err
	}
	up := &direction{next: b.previousLine, header: b.request.header}
	up.lines = window{up: true, size: size}
	down := &direction{next: b.nextLine}
	down.lines = window{size: size}
	up.blanks, down.blanks = up.lines, down.lines
	onlyLine := true // the file has no line but the anchor
	for d, other := up, down; up.count+down.count+1 < b.request.limit; d, other = other, d {
		if up.ended && down.ended {
			break
		}
		found, err := b.extend(ctx, d)
		if err != nil {
			return nil, err
		}
		onlyLine = onlyLine && !found
	}
	if onlyLine {
		return []blockLine{anchor}, nil
	}
	slices.Reverse(up.lines.lines)
	if up.lines.dropped {
		return up.lines.lines, nil
	}
	taken := append(append(up.lines.lines, anchor), down.lines.lines...)
	return trimBlank(taken), nil
}

// start finds the anchor and sets the floor.
func (b *block) start(ctx context.Context) (blockLine, error) {
	if err := b.down.Seek(ctx, b.request.anchor); err != nil {
		return blockLine{}, err
	}
	b.up.Move(b.down.Position())
	anchor, err := b.measure(ctx, b.down, b.down.Next)
	if err != nil {
		return blockLine{}, err
	}
	if anchor.blank {
		if anchor.indent, err = b.indentAbove(ctx); err != nil {
			return blockLine{}, err
		}
	}
	b.lastIndent = anchor.indent
	if b.request.levels > 0 && b.request.levels <= anchor.indent/tabWidth {
		b.floor = anchor.indent - b.request.levels*tabWidth
	}
	return anchor, nil
}

// extend takes the next line in a direction, or ends the direction if that line does not belong to
// the block. It reports whether the file has a line there.
func (b *block) extend(ctx context.Context, d *direction) (found bool, err error) {
	if d.ended {
		return false, nil
	}
	l, err := d.next(ctx)
	if err == io.EOF {
		d.ended = true
		return false, nil
	}
	if err != nil {
		return false, err
	}
	switch {
	case l.indent < b.floor:
		d.ended = true
	case l.indent > b.floor || b.request.siblings || d.atFloor == 0 || d.header && l.comment:
		d.take(l)
		if l.indent == b.floor {
			d.atFloor++
		}
	default:
		d.ended = true
	}
	return true, nil
}

// nextLine returns the next line below.
func (b *block) nextLine(ctx context.Context) (blockLine, error) {
	l, err := b.measure(ctx, b.down, b.down.Next)
	if err != nil {
		return l, err
	}
	if l.blank {
		l.indent = b.lastIndent
	}
	b.lastIndent = l.indent
	return l, nil
}

// previousLine returns the next line above.
func (b *block) previousLine(ctx context.Context) (blockLine, error) {
	l, err := b.measure(ctx, b.up, b.up.Prev)
	if err != nil {
		return l, err
	}
	if !l.blank {
		b.blankIndent = nil
		return l, nil
	}
	if b.blankIndent == nil {
		indent, err := b.indentAbove(ctx)
		if err != nil {
			return blockLine{}, err
		}
		b.blankIndent = &indent
	}
	l.indent = *b.blankIndent
	return l, nil
}

// indentAbove returns the indentation of the nearest line above up that is not blank, or 0 if there
// is none. It does not move up.
func (b *block) indentAbove(ctx context.Context) (int, error) {
	defer b.up.Move(b.up.Position())
	for {
		line, err := b.up.Prev(ctx)
		if err == io.EOF {
			return 0, nil
		}
		if err != nil {
			return 0, err
		}
		if width, content, err := b.up.Indent(ctx, line, tabWidth); err != nil || len(content) > 0 {
			return width, err
		}
	}
}

// measure returns the block line for the line that step, a method of c, returns.
func (b *block) measure(
	ctx context.Context, c *lines.Cursor, step func(context.Context) (lines.Line, error),
) (blockLine, error) {
	line, err := step(ctx)
	if err != nil {
		return blockLine{}, err
	}
	l := blockLine{number: line.Number, shown: appendLine(nil, line.Number, line.Text)}
	width, content, err := c.Indent(ctx, line, tabWidth)
	l.indent, l.blank, l.comment = width, len(content) == 0, isComment(content)
	return l, err
}

// isComment reports whether a line whose indentation is removed begins like a comment.
func isComment(content []byte) bool {
	for _, mark := range []string{"#", "//", "--"} {
		if bytes.HasPrefix(content, []byte(mark)) {
			return true
		}
	}
	return false
}

// trimBlank removes blank lines at both ends.
func trimBlank(taken []blockLine) []blockLine {
	for len(taken) > 0 && taken[0].blank {
		taken = taken[1:]
	}
	for len(taken) > 0 && taken[len(taken)-1].blank {
		taken = taken[:len(taken)-1]
	}
	return taken
}
