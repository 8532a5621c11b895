// Package lines reads a file as numbered lines. A [Cursor] finds a line by its number and reads
// from there in both directions, in memory that depends neither on the size of the file nor on the
// length of a line.
package lines

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"sync"
)

// Options holds the options of a [Cursor].
type Options struct {
	// Keep is the maximum number of bytes returned of a line, at most 128 KiB. The rest of a longer
	// line is skipped.
	Keep int
	// Index, which is required, records the offsets of lines, so that a later Seek need not count from
	// the start of the file.
	Index *Index
	// Near, if not nil, returns the number and the offset of a line that is not after line n, and near
	// it. Seek counts from there if the index has no nearer line.
	Near func(n int) (number int, offset int64)
	// Pool, which is required, supplies the memory that the file is read into, and Close returns it.
	// It must be used by cursors only.
	Pool *sync.Pool
}

// A Line is a line of a file without its end, which is a line feed, or a carriage return and a line
// feed. Any other carriage return is text. The last line need not have an end. An empty file has no
// lines.
type Line struct {
	// Number counts from 1, or after [Cursor.SeekEnd] from -1, the last line, down.
	Number int
	// Text is the beginning of the line, at most Options.Keep bytes. It is valid until the next call
	// of a method of the cursor.
	Text []byte

	start int64 // offset in the file
}

// A Position is a position between two lines of a file. The zero Position is before the first line.
type Position struct {
	passed  int   // the number of the line before it, 0 before the first
	fromEnd bool  // lines are numbered from the end, where passed is -1
	offset  int64 // where the next line begins
	open    bool  // offset is in the last line before it, whose end has not been read
}

// Offset returns the offset in the file of the next line. It is undefined after [Cursor.Next].
func (p Position) Offset() int64 { return p.offset }

// A Cursor reads lines from a position in a file, one block of at most 256 KiB at a time.
//
// The file ends where ReadAt returns io.EOF. It need not have a known size, and may grow or shrink
// while it is read. Errors of ReadAt are wrapped, and errors of the context are returned unchanged.
// The context is checked before each block is read. An error, including io.EOF, does not move the
// cursor.
//
// A Cursor is not safe for concurrent use. Several cursors may read one file concurrently.
type Cursor struct {
	file window
	o    Options
	pos  Position
}

// New returns a cursor at the start of file. It does not read the file.
func New(file io.ReaderAt, o Options) *Cursor {
	buffer, ok := o.Pool.Get().(*[fullBlock]byte)
	if !ok {
		buffer = new([fullBlock]byte)
	}
	w := window{src: file, block: firstBlock, full: fullBlock, buffer: buffer}
	return &Cursor{file: w, o: o}
}

// Close returns the memory of the cursor to its pool. The cursor and the lines that it has returned
// must not be used afterwards.
func (c *Cursor) Close() {
	c.o.Pool.Put(c.file.buffer)
	c.file = window{}
}

// Position returns the position of the cursor.
func (c *Cursor) Position() Position { return c.pos }

// Move moves the cursor to a position of this cursor, or of another one on the same file. It does
// not read the file.
func (c *Cursor) Move(p Position) { c.pos = p }

// Seek moves the cursor to the start of line n, which Next then returns. Lines are numbered from 1.
// The error is io.EOF if the file has fewer lines.
func (c *Cursor) Seek(ctx context.Context, n int) error {
	if n < 1 {
		return fmt.Errorf("seek to line %d: lines are numbered from 1", n)
	}
	p, err := c.scan(ctx, n)
	if err == nil {
		_, err = c.file.ahead(ctx, p.offset, 1)
	}
	if err == nil {
		c.pos = p
	}
	return err
}

// Count returns the number of lines of the file, from the index if possible. It does not move the
// cursor.
func (c *Cursor) Count(ctx context.Context) (int, error) {
	if n := c.o.Index.Lines(); n > 0 {
		return n, nil
	}
	p, err := c.scan(ctx, math.MaxInt)
	if err != io.EOF {
		return 0, err
	}
	if p.offset > 0 {
		last, err := c.file.ahead(ctx, p.offset-1, 1)
		if err != nil {
			return 0, err
		}
		if last[0] != '\n' {
			p.passed++
		}
	}
	c.o.Index.lines.Store(int64(p.passed))
	return p.passed, nil
}

// scan returns the start of line n, which may be the end of the file. It counts line feeds from the
// nearest mark of the index. On an error, including io.EOF, it returns the position reached.
func (c *Cursor) scan(ctx context.Context, n int) (p Position, err error) {
	p.passed, p.offset = c.o.Index.before(n)
	if c.o.Near != nil {
		number, offset := c.o.Near(n)
		if number-1 > p.passed {
			p.passed, p.offset = number-1, offset
		}
	}
	for p.passed < n-1 {
		b, err := c.file.ahead(ctx, p.offset, 1)
		if err != nil {
			return p, err
		}
		b = b[:min(int64(len(b)), untilMultiple(p.offset, c.o.Index.stride))]
		if ends := bytes.Count(b, []byte("\n")); p.passed+ends < n-1 {
			p.passed, p.offset = p.passed+ends, p.offset+int64(len(b))
			c.o.Index.mark(p.passed, p.offset)
			continue
		}
		for ; p.passed < n-1; p.passed++ {
			end := bytes.IndexByte(b, '\n') + 1
			b, p.offset = b[end:], p.offset+int64(end)
		}
	}
	return p, nil
}

// SeekEnd moves the cursor before the last n lines of a file of size bytes, or to its start if it
// has fewer. The lines that Next then returns have negative numbers, which count from the end: the
// last line is -1.
func (c *Cursor) SeekEnd(ctx context.Context, size int64, n int) error {
	before := c.pos
	c.pos = Position{passed: -1, fromEnd: true, offset: size}
	for range n {
		_, err := c.Prev(ctx)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			c.pos = before
			return err
		}
	}
	return nil
}

// Next returns the line after the cursor and moves past it. The error is io.EOF at the end of the
// file. It reads little more of a long line than it returns; the next call skips the rest.
func (c *Cursor) Next(ctx context.Context) (Line, error) {
	if err := c.passEnd(ctx); err != nil {
		return Line{}, err
	}
	line, after, err := c.line(ctx, c.pos)
	if err != nil {
		return Line{}, err
	}
	c.pos = after
	return line, nil
}

// Prev returns the line before the cursor and moves to its start. The error is io.EOF at the start
// of the file. It reads the whole line, backwards.
func (c *Cursor) Prev(ctx context.Context) (Line, error) {
	if err := c.passEnd(ctx); err != nil && err != io.EOF {
		return Line{}, err
	}
	// If the file has changed, either can be reached first.
	beforeFirst := c.pos.passed == 0 && !c.pos.fromEnd
	if beforeFirst || c.pos.offset == 0 {
		return Line{}, io.EOF
	}
	start, err := c.lineStart(ctx)
	if err != nil {
		return Line{}, err
	}
	before := Position{passed: c.pos.passed - 1, fromEnd: c.pos.fromEnd, offset: start}
	line, _, err := c.line(ctx, before)
	if err != nil {
		return Line{}, err
	}
	c.pos = before
	return line, nil
}

// passEnd moves the offset past the end of the last line read, if Next has not reached it. It
// returns io.EOF if the file ends first.
func (c *Cursor) passEnd(ctx context.Context) error {
	for c.pos.open {
		b, err := c.file.ahead(ctx, c.pos.offset, 1)
		if err != nil {
			return err
		}
		used := len(b)
		if i := bytes.IndexByte(b, '\n'); i >= 0 {
			used, c.pos.open = i+1, false
		}
		c.pos.offset += int64(used)
	}
	return nil
}

// line returns the line at p and the position after it. It examines one byte more than it keeps.
func (c *Cursor) line(ctx context.Context, p Position) (Line, Position, error) {
	limit := c.o.Keep + 1 // the next byte determines whether a carriage return belongs to the end
	b := c.file.at(p.offset)
	end := bytes.IndexByte(b[:min(len(b), limit)], '\n')
	if end < 0 && len(b) < limit {
		var err error
		b, err = c.file.ahead(ctx, p.offset, limit)
		end = bytes.IndexByte(b[:min(len(b), limit)], '\n')
		isLastLine := err == io.EOF && len(b) > 0
		if end < 0 && err != nil && !isLastLine {
			return Line{}, p, err
		}
	}
	text, used := b[:min(len(b), limit)], min(len(b), limit)
	if end >= 0 {
		text, used = bytes.TrimSuffix(b[:end], []byte("\r")), end+1
	}
	after := Position{
		passed: p.passed + 1, fromEnd: p.fromEnd, offset: p.offset + int64(used), open: end < 0,
	}
	return Line{after.passed, text[:min(len(text), c.o.Keep)], p.offset}, after, nil
}

// lineStart returns the offset of the line before the cursor.
func (c *Cursor) lineStart(ctx context.Context) (int64, error) {
	// The byte before the cursor is the line feed of that line, or text at the end of the file.
	for end := c.pos.offset - 1; end > 0; end = c.file.base {
		// Include the following bytes, so that the text of the line need not be read again.
		b, err := c.file.behind(ctx, end, min(c.pos.offset, end+int64(c.o.Keep)+1))
		if err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(b, '\n'); i >= 0 {
			return c.file.base + int64(i) + 1, nil
		}
	}
	return 0, nil
}
