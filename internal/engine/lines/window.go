package lines

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// Blocks start small, as most files are, and double up to what the L2 cache holds: bytes.Count is fastest there.
const (
	firstBlock = 32 << 10
	fullBlock  = 256 << 10
)

// A window is the stretch of a file that is in memory.
type window struct {
	src   io.ReaderAt
	block int // size of the next read; doubles up to full
	full  int
	pool  *Pool            // nil where memory is the window's own
	lent  *[fullBlock]byte // by the pool

	base int64  // where data begins in the file
	data []byte // a block, or what a caller needs together where that is more
	end  error  // what follows data: io.EOF, a failure, or nil where only the read ended
}

// at returns what is in memory from offset on.
func (w *window) at(offset int64) []byte {
	if !w.reaches(offset) {
		return nil
	}
	return w.data[offset-w.base:]
}

// reaches reports whether offset is in memory, or directly behind it.
func (w *window) reaches(offset int64) bool {
	return w.base <= offset && offset <= w.base+int64(len(w.data))
}

// ahead returns what is in memory from offset on, and after reading if that is fewer bytes than need. If it is then still
// fewer, the error says why: io.EOF where the file ends.
func (w *window) ahead(ctx context.Context, offset int64, need int) ([]byte, error) {
	b := w.at(offset)
	if len(b) < need && !(w.reaches(offset) && w.end == io.EOF) {
		// Reads end where blocks meet, so that after the first they are whole ones.
		enough := offset + int64(need)
		block := enough - 1 + untilMultiple(enough-1, w.block)
		if err := w.load(ctx, offset, max(enough, min(block, offset+int64(w.block)))); err != nil {
			return nil, err
		}
		b = w.data
	}
	if len(b) < need {
		return b, w.end
	}
	return b, nil
}

// behind returns what is in memory before offset, which is not 0, and after reading if that is nothing. It then reads up
// to through, which is offset or more.
func (w *window) behind(ctx context.Context, offset, through int64) ([]byte, error) {
	if offset == w.base || !w.reaches(offset) {
		if err := w.load(ctx, max(0, min(offset-1, through-int64(w.block))), through); err != nil {
			return nil, err
		}
	}
	switch {
	case w.reaches(offset):
		return w.data[:offset-w.base], nil
	case w.end == io.EOF:
		return nil, fmt.Errorf("read up to byte %d: the file has shrunk: %w", offset, io.ErrUnexpectedEOF)
	default:
		return nil, w.end
	}
}

// load reads the bytes from one offset to another, or as many as there are.
func (w *window) load(ctx context.Context, from, to int64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	size := int(to - from)
	if cap(w.data) < size {
		w.data = w.memory(size)
	}
	n, err := w.src.ReadAt(w.data[:size], from)
	if err == nil && n < size {
		err = io.ErrNoProgress
	}
	switch {
	case err == nil:
		w.end = nil
	case errors.Is(err, io.EOF):
		w.end = io.EOF
	default:
		w.end = fmt.Errorf("read at byte %d: %w", from+int64(n), err)
	}
	w.base, w.data = from, w.data[:n]
	w.block = min(2*w.block, w.full)
	return nil
}

// memory returns memory for so many bytes.
func (w *window) memory(size int) []byte {
	if w.pool == nil || w.lent != nil || size > fullBlock {
		return make([]byte, max(size, w.block))
	}
	w.lent = w.pool.take()
	return w.lent[:]
}

// close gives back what was lent.
func (w *window) close() {
	if w.lent != nil {
		w.pool.give(w.lent)
		w.lent, w.data = nil, nil
	}
}

// untilMultiple returns how far it is from offset to the next multiple of size.
func untilMultiple(offset int64, size int) int64 {
	return int64(size) - offset%int64(size)
}
