package codex

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"slices"

	"gander/internal/dialect"
	"gander/internal/engine/lines"
	"gander/internal/engine/text"
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
	shown   []byte
	indent  int // a blank line's is that of the nearest line above that is not blank
	blank   bool
	comment bool
}

// A side is one of the two directions from the anchor.
type side struct {
	next    func(context.Context) (record, error)
	header  bool // comments at the floor may always be taken
	lines   stretch
	blanks  stretch // those beyond lines, trimmed unless something follows them
	count   int     // how many lines have been taken
	atFloor int     // how many of them are exactly at the floor
	ended   bool
}

// A stretch is neighbouring lines, of which it keeps as many as can be shown: the answer begins with the topmost line, so
// going up the last ones added count, and going down the first.
type stretch struct {
	up      bool
	most    int
	lines   []record
	dropped bool
}

func (s *stretch) add(l record) {
	switch {
	case !s.up && len(s.lines) >= s.most:
		s.dropped = true
	case s.up && len(s.lines) >= 2*s.most:
		s.lines, s.dropped = append(s.lines[:0], s.lines[len(s.lines)-s.most:]...), true
		fallthrough
	default:
		s.lines = append(s.lines, l)
	}
}

func (s *side) take(l record) {
	s.count++
	if l.blank {
		s.blanks.add(l)
		return
	}
	if s.blanks.up && s.blanks.dropped {
		s.lines = s.blanks // nothing before the gap can be shown
	} else {
		for _, blank := range s.blanks.lines {
			s.lines.add(blank)
		}
	}
	s.lines.add(l)
	s.blanks = stretch{up: s.lines.up, most: s.lines.most}
}

// A block grows from its anchor.
type block struct {
	*blockRequest
	up, down *lines.Cursor
	above    *int // the indent of the blank lines that up is among, once it is known
	last     int  // the indent of the line that down has passed last
	floor    int
}

func newBlock(r *blockRequest, file io.ReaderAt, o lines.Options) *block {
	return &block{blockRequest: r, up: lines.New(file, o), down: lines.New(file, o)}
}

func (b *block) close() {
	b.up.Close()
	b.down.Close()
}

// read is the answer to the request.
func (r *blockRequest) read(ctx context.Context, file io.ReaderAt, o lines.Options, page *text.Page, budget tool.Budget) (tool.Result, error) {
	most := math.MaxInt / 2
	if limit, limited := budget.Limit(); limited {
		most = limit/len("L1: ") + 1
	}
	b := newBlock(r, file, o)
	defer b.close()
	taken, err := b.grow(ctx, most)
	if err == io.EOF {
		return tool.Result{}, dialect.BadArguments("anchor_line exceeds file length")
	}
	if err != nil {
		return tool.Result{}, fail(readingFile, err)
	}
	for _, l := range taken {
		if !page.Add(l.shown) {
			break
		}
	}
	return finish(page, budget, func(kept int) string {
		return fmt.Sprintf("continue with offset=%d in slice mode", taken[0].number+kept)
	})
}

// grow takes lines alternately, one above and one below, until the limit or until both sides have ended, and returns
// at least the first most of them. The error is io.EOF where the file has no such anchor.
func (b *block) grow(ctx context.Context, most int) ([]record, error) {
	anchor, err := b.start(ctx)
	if err != nil || b.limit == 1 {
		return []record{anchor}, err
	}
	up := &side{next: b.before, header: b.header}
	up.lines = stretch{up: true, most: most}
	down := &side{next: b.after}
	down.lines = stretch{most: most}
	up.blanks, down.blanks = up.lines, down.lines
	single := true // the file has this one line
	for turn, other := up, down; up.count+down.count+1 < b.limit && !(up.ended && down.ended); turn, other = other, turn {
		met, err := b.extend(ctx, turn)
		if err != nil {
			return nil, err
		}
		single = single && !met
	}
	if single {
		return []record{anchor}, nil
	}
	slices.Reverse(up.lines.lines)
	if up.lines.dropped {
		return up.lines.lines, nil
	}
	taken := append(append(up.lines.lines, anchor), down.lines.lines...)
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
		s.take(l)
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
	l := record{number: line.Number, shown: appendLine(nil, line.Number, line.Text)}
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

// trim drops blank lines at both ends: the anchor and its neighbours, where nothing else has been taken on that side.
func trim(taken []record) []record {
	for len(taken) > 0 && taken[0].blank {
		taken = taken[1:]
	}
	for len(taken) > 0 && taken[len(taken)-1].blank {
		taken = taken[:len(taken)-1]
	}
	return taken
}
