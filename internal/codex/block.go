package codex

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"

	"gander/internal/lines"
	"gander/internal/text"
	"gander/internal/workspace"
	"gander/tool"
)

// A blockRequest asks for the block around a line by its indentation (section 3.3).
type blockRequest struct {
	anchor           int
	levels           int // 0: all
	siblings, header bool
	limit            int
}

// tabWidth is TAB_WIDTH: what a tab counts in an indentation.
const tabWidth = 4

// A record is a line as the block needs it.
type record struct {
	number  int
	shown   string
	indent  int // a blank line's is that of the nearest line above that is not blank
	blank   bool
	comment bool
}

// A side is one of the two directions from the anchor.
type side struct {
	next    func(context.Context) (record, error)
	header  bool // comments at the floor may always be taken
	taken   []record
	atFloor int // how many of them are exactly at the floor
	ended   bool
}

// A block grows from its anchor.
type block struct {
	*blockRequest
	up, down *lines.Cursor
	above    *int // the indent of the blank lines that up is among, once it is known
	last     int  // the indent of the line that down has passed last
	floor    int
}

// read is the answer to the request.
func (r *blockRequest) read(ctx context.Context, file *workspace.File, page *text.Page, budget tool.Budget) (tool.Result, error) {
	o := lines.Options{Keep: kept}
	b := &block{blockRequest: r, up: lines.New(file, o), down: lines.New(file, o)}
	taken, err := b.grow(ctx)
	if err == io.EOF {
		return tool.Result{}, invalid("anchor_line exceeds file length")
	}
	if err != nil {
		return tool.Result{}, fail(readingFile, err)
	}
	for _, l := range taken {
		if !page.Add(numbered(l.number, l.shown)) {
			break
		}
	}
	return finish(page, budget, func(kept int) string {
		return fmt.Sprintf("continue with offset=%d in slice mode", taken[0].number+kept)
	})
}

// grow takes lines alternately, one above and one below, until the limit or until both sides have ended. The error is
// io.EOF where the file has no such anchor.
func (b *block) grow(ctx context.Context) ([]record, error) {
	anchor, err := b.start(ctx)
	if err != nil || b.limit == 1 {
		return []record{anchor}, err
	}
	up := &side{next: b.before, header: b.header}
	down := &side{next: b.after}
	single := true // the file has this one line
	for turn := up; len(up.taken)+len(down.taken)+1 < b.limit && !(up.ended && down.ended); {
		met, err := b.extend(ctx, turn)
		if err != nil {
			return nil, err
		}
		single = single && !met
		if turn == up {
			turn = down
		} else {
			turn = up
		}
	}
	slices.Reverse(up.taken)
	taken := append(append(up.taken, anchor), down.taken...)
	if single {
		return taken, nil
	}
	return trim(taken), nil
}

// start finds the anchor and with it the floor.
func (b *block) start(ctx context.Context) (record, error) {
	if err := b.down.Seek(ctx, b.anchor); err != nil {
		return record{}, err
	}
	b.up.Move(b.down.Position())
	line, err := b.down.Next(ctx)
	if err != nil {
		return record{}, err
	}
	anchor, err := b.record(ctx, b.down, line)
	if err != nil {
		return record{}, err
	}
	if anchor.blank {
		if anchor.indent, err = b.indentAbove(ctx); err != nil {
			return record{}, err
		}
	}
	b.last = anchor.indent
	if b.levels > 0 && b.levels <= anchor.indent/tabWidth {
		b.floor = anchor.indent - b.levels*tabWidth
	}
	return anchor, nil
}

// extend takes the next line of a side, unless that ends it; met is whether there was a line at all.
func (b *block) extend(ctx context.Context, s *side) (met bool, err error) {
	if s.ended {
		return false, nil
	}
	l, err := s.next(ctx)
	if err == io.EOF {
		s.ended = true
		return false, nil
	}
	if err != nil {
		return false, err
	}
	switch {
	case l.indent < b.floor:
		s.ended = true
	case l.indent > b.floor || b.siblings || s.atFloor == 0 || s.header && l.comment:
		s.taken = append(s.taken, l)
		if l.indent == b.floor {
			s.atFloor++
		}
	default:
		s.ended = true
	}
	return true, nil
}

// after is the next line below.
func (b *block) after(ctx context.Context) (record, error) {
	line, err := b.down.Next(ctx)
	if err != nil {
		return record{}, err
	}
	l, err := b.record(ctx, b.down, line)
	if l.blank {
		l.indent = b.last
	}
	b.last = l.indent
	return l, err
}

// before is the next line above.
func (b *block) before(ctx context.Context) (record, error) {
	line, err := b.up.Prev(ctx)
	if err != nil {
		return record{}, err
	}
	l, err := b.record(ctx, b.up, line)
	if err != nil {
		return record{}, err
	}
	if !l.blank {
		b.above = nil
		return l, nil
	}
	if b.above == nil {
		indent, err := b.indentAbove(ctx)
		if err != nil {
			return record{}, err
		}
		b.above = &indent
	}
	l.indent = *b.above
	return l, nil
}

// indentAbove looks for the nearest line above up that is not blank, and leaves up where it stands.
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

// record looks at a line that c has returned.
func (b *block) record(ctx context.Context, c *lines.Cursor, line lines.Line) (record, error) {
	l := record{number: line.Number, shown: shown(line.Text)}
	width, content, err := c.Indent(ctx, line, tabWidth)
	l.indent, l.blank, l.comment = width, len(content) == 0, isComment(content)
	return l, err
}

// isComment reports whether a line's content begins as comments do.
func isComment(content []byte) bool {
	for _, mark := range []string{"#", "//", "--"} {
		if bytes.HasPrefix(content, []byte(mark)) {
			return true
		}
	}
	return false
}

// trim drops blank lines at both ends.
func trim(taken []record) []record {
	for len(taken) > 0 && taken[0].blank {
		taken = taken[1:]
	}
	for len(taken) > 0 && taken[len(taken)-1].blank {
		taken = taken[:len(taken)-1]
	}
	return taken
}
