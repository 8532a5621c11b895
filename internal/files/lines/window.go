package lines

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
)

// Blocks start small, because most files are small, and double up to a size that fits into the L2
// cache, where bytes.Count is fastest.
const (
	firstBlock = 32 << 10
	fullBlock  = 256 << 10
)

// A window is the part of a file that is in memory.
type window struct {
	src   io.ReaderAt
	block int // size of the next read; doubles up to full
	full  int
	pool  *sync.Pool       // may be nil
	lent  *[fullBlock]byte // from pool, or nil

	base int64  // offset of data in the file
	data []byte // a block, or more if the caller needed more
	end  error  // why data ends: io.EOF, another error, or nil if no more was requested
}

// at returns the bytes in memory from offset on.
func (w *window) at(offset int64) []byte {
	if !w.reaches(offset) {
		return nil
	}
	return w.data[offset-w.base:]
}

// reaches reports whether offset is in memory, or at its end.
func (w *window) reaches(offset int64) bool {
	return w.base <= offset && offset <= w.base+int64(len(w.data))
}

// ahead returns the bytes in memory from offset on, after reading a block if they are fewer than
// need. If they are still fewer, it also returns the reason, which is io.EOF at the end of the
// file.
func (w *window) ahead(ctx context.Context, offset int64, need int) ([]byte, error) {
	b := w.at(offset)
	if len(b) < need && !(w.reaches(offset) && w.end == io.EOF) {
		// End at a multiple of the block size, so that the following reads are whole blocks.
		enough := offset + int64(need)
		block := enough - 1 + untilMultiple(enough-1, w.block)
		end := max(enough, min(block, offset+int64(w.block)))
		if err := w.load(ctx, offset, end); err != nil {
			return nil, err
		}
		b = w.data
	}
	if len(b) < need {
		return b, w.end
	}
	return b, nil
}

// behind returns the bytes in memory before offset, which must be greater than 0. If there are
// none, it first reads a block that ends at through, which must be at least offset.
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

// load reads the bytes between two offsets, or up to the end of the file.
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

// memory returns memory for at least size bytes.
func (w *window) memory(size int) []byte {
	if w.pool == nil || w.lent != nil || size > fullBlock {
		return make([]byte, max(size, w.block))
	}
	var ok bool
	if w.lent, ok = w.pool.Get().(*[fullBlock]byte); !ok {
		w.lent = new([fullBlock]byte)
	}
	return w.lent[:]
}

// close returns memory to the pool.
func (w *window) close() {
	if w.lent != nil {
		w.pool.Put(w.lent)
		w.lent, w.data = nil, nil
	}
}

// untilMultiple returns the distance from offset to the next multiple of size above it.
func untilMultiple(offset int64, size int) int64 {
	return int64(size) - offset%int64(size)
}
