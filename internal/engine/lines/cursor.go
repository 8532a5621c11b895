package lines

import (
	"bytes"
	"context"
	"fmt"
	"io"
)

// Options say how a file is read.
type Options struct {
	// Keep is how many bytes of a line are kept: of a longer line only the beginning is returned. Zero keeps none.
	Keep int
	// Index remembers where lines are, so that a later Seek need not count from the start. Nil remembers nothing.
	Index *Index
	// Pool lends the cursor its memory. Nil lets it have its own.
	Pool *Pool
}

// A Line is one line of a file without its end: the line feed, and the carriage return directly before it if there is
// one. Any other carriage return is text. The last line need not have an end, and a file without bytes has no lines.
type Line struct {
	// Number counts from 1.
	Number int
	// Text is the beginning of the line, at most Options.Keep bytes. It is valid until the cursor's next call.
	Text []byte

	start int64
}

// A Position is a place between two lines of a file. The zero Position is before the first line.
type Position struct {
	passed int   // lines before it
	offset int64 // where the next line begins
	open   bool  // offset is still inside the last line passed, whose end has not been looked for
}

// A Cursor stands between two lines of a file. It holds one block of the file in memory: at most 256 KiB, or Options.Keep
// where that is more.
//
// The file ends where ReadAt says so: it may grow or shrink meanwhile, and need not know its size. Failures of ReadAt are
// returned wrapped, those of the context as they are; the context is asked before each block that is read. After an
// error, io.EOF included, the cursor stands where it stood.
//
// A cursor is for one goroutine at a time. Any number of cursors may read one file.
type Cursor struct {
	file  window
	piece int // Seek counts up to multiples of it, so that it stops wherever an index may have a mark
	keep  int
	index *Index
	here  Position
}

// New returns a cursor before the first line of file. It reads nothing.
func New(file io.ReaderAt, o Options) *Cursor {
	return newCursor(file, o, firstBlock, fullBlock, markEvery)
}

func newCursor(file io.ReaderAt, o Options, first, full, piece int) *Cursor {
	return &Cursor{
		file:  window{src: file, block: first, full: full, pool: o.Pool},
		piece: piece,
		keep:  max(o.Keep, 0),
		index: o.Index,
	}
}

// Close gives back what the cursor was lent. It must not be used any more, nor what it has returned.
func (c *Cursor) Close() { c.file.close() }

// Position returns where the cursor stands.
func (c *Cursor) Position() Position { return c.here }

// Move puts the cursor where it, or another cursor on the same file, stood before. It reads nothing.
func (c *Cursor) Move(p Position) { c.here = p }

// Seek puts the cursor before line n, so that Next returns it. The error is io.EOF where the file has fewer lines.
func (c *Cursor) Seek(ctx context.Context, n int) error {
	if n < 1 {
		return fmt.Errorf("seek to line %d: lines are numbered from 1", n)
	}
	passed, offset := c.index.before(n)
	for passed < n-1 {
		b, err := c.file.ahead(ctx, offset, 1)
		if err != nil {
			return err
		}
		b = b[:min(int64(len(b)), untilMultiple(offset, c.piece))]
		if ends := bytes.Count(b, []byte("\n")); passed+ends < n-1 {
			passed, offset = passed+ends, offset+int64(len(b))
			c.index.mark(passed, offset)
			continue
		}
		for ; passed < n-1; passed++ {
			end := bytes.IndexByte(b, '\n') + 1
			b, offset = b[end:], offset+int64(end)
		}
	}
	if _, err := c.file.ahead(ctx, offset, 1); err != nil {
		return err
	}
	c.here = Position{passed: passed, offset: offset}
	return nil
}

// Next returns the line after the cursor and moves behind it. The error is io.EOF where there is none. Of a long line
// it reads little more than it returns: the rest is passed over by the next call.
func (c *Cursor) Next(ctx context.Context) (Line, error) {
	if err := c.close(ctx); err != nil {
		return Line{}, err
	}
	line, after, err := c.line(ctx, c.here)
	if err != nil {
		return Line{}, err
	}
	c.here = after
	return line, nil
}

// Prev returns the line before the cursor and moves in front of it. The error is io.EOF where there is none. It reads
// the whole of that line, backwards.
func (c *Cursor) Prev(ctx context.Context) (Line, error) {
	if err := c.close(ctx); err != nil && err != io.EOF {
		return Line{}, err
	}
	// A file that was rewritten meanwhile may have more lines before this offset than it had, or fewer.
	if c.here.passed == 0 || c.here.offset == 0 {
		return Line{}, io.EOF
	}
	start, err := c.start(ctx)
	if err != nil {
		return Line{}, err
	}
	before := Position{passed: c.here.passed - 1, offset: start}
	line, _, err := c.line(ctx, before)
	if err != nil {
		return Line{}, err
	}
	c.here = before
	return line, nil
}

// close looks for the end of the last line passed, if that is still to do. It returns io.EOF where the file ends first.
func (c *Cursor) close(ctx context.Context) error {
	for c.here.open {
		b, err := c.file.ahead(ctx, c.here.offset, 1)
		if err != nil {
			return err
		}
		used := len(b)
		if i := bytes.IndexByte(b, '\n'); i >= 0 {
			used, c.here.open = i+1, false
		}
		c.here.offset += int64(used)
	}
	return nil
}

// line returns the line that begins at p, and the position after it.
func (c *Cursor) line(ctx context.Context, p Position) (Line, Position, error) {
	text, used, ended, err := c.text(ctx, p.offset)
	if err != nil {
		return Line{}, p, err
	}
	line := Line{Number: p.passed + 1, Text: text, start: p.offset}
	return line, Position{passed: p.passed + 1, offset: p.offset + int64(used), open: !ended}, nil
}

// text returns what is kept of a line from offset on, the number of bytes looked at, and whether its end was among them.
func (c *Cursor) text(ctx context.Context, offset int64) (text []byte, used int, ended bool, err error) {
	most := c.keep + 1 // the byte after tells whether a carriage return at the end is kept
	b := c.file.at(offset)
	end := bytes.IndexByte(b[:min(len(b), most)], '\n')
	if end < 0 && len(b) < most {
		b, err = c.file.ahead(ctx, offset, most)
		end = bytes.IndexByte(b[:min(len(b), most)], '\n')
	}
	switch {
	case end >= 0:
		text = bytes.TrimSuffix(b[:end], []byte("\r"))
		return text[:min(len(text), c.keep)], end + 1, true, nil
	case err == nil || err == io.EOF && len(b) > 0:
		return b[:min(len(b), c.keep)], min(len(b), most), false, nil
	default:
		return nil, 0, false, err
	}
}

// start returns where the line that ends at the cursor begins.
func (c *Cursor) start(ctx context.Context) (int64, error) {
	// The byte directly before the cursor is the end of that line or, in a file without a final line feed, its text.
	for end := c.here.offset - 1; end > 0; end = c.file.base {
		// What follows end is read along, so that the line's beginning need not be read again.
		b, err := c.file.behind(ctx, end, min(c.here.offset, end+int64(c.keep)+1))
		if err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(b, '\n'); i >= 0 {
			return c.file.base + int64(i) + 1, nil
		}
	}
	return 0, nil
}
