package lines

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sort"
	"sync"
	"sync/atomic"
)

// Blocks start small, because most files are small, and double up to a size that fits into the L2
// cache, where bytes.Count is fastest.
const (
	firstBlock = 32 << 10
	fullBlock  = 256 << 10
)

// A window is the part of a file that is in memory.
type window struct {
	src    io.ReaderAt
	block  int // size of the next read; doubles up to full
	full   int // fullBlock, except in tests
	buffer *[fullBlock]byte

	base int64  // offset of data in the file
	data []byte // the beginning of buffer
	end  error  // why data ends: io.EOF, another error, or nil if no more was requested
}

// reaches reports whether offset is in memory, or at its end.
func (w *window) reaches(offset int64) bool {
	return w.base <= offset && offset <= w.base+int64(len(w.data))
}

// at returns the bytes in memory from offset on.
func (w *window) at(offset int64) []byte {
	if !w.reaches(offset) {
		return nil
	}
	return w.data[offset-w.base:]
}

// ahead returns the bytes in memory from offset on, after reading a block if they are fewer than
// need. If they are still fewer, it also returns the reason, which is io.EOF at the end of the
// file.
func (w *window) ahead(ctx context.Context, offset int64, need int) ([]byte, error) {
	b := w.at(offset)
	if len(b) < need && !(w.reaches(offset) && w.end == io.EOF) {
		// End at a multiple of the block size, so that the following reads are whole blocks.
		enough := offset + int64(need)
		end := enough - 1 + untilMultiple(enough-1, int64(w.block))
		end = max(enough, min(end, offset+int64(w.block)))
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
	n, err := w.src.ReadAt(w.buffer[:to-from], from)
	w.base, w.data, w.end = from, w.buffer[:n], nil
	if errors.Is(err, io.EOF) {
		w.end = io.EOF
	} else if err != nil {
		w.end = fmt.Errorf("read at byte %d: %w", from+int64(n), err)
	}
	w.block = min(2*w.block, w.full)
	return nil
}

// untilMultiple returns the distance from offset to the next multiple of size above it.
func untilMultiple(offset, size int64) int64 { return size - offset%size }

const (
	markInterval = fullBlock
	maxMarks     = 32 << 10
)

// An Index records the number of line feeds before offsets of a file at a fixed distance. Seek
// fills it while counting and starts at the nearest of them, so that a second Seek reads one block
// instead of the file up to its line.
//
// An Index is valid for one content of one file; the caller must ensure that the file has not
// changed. It takes 8 bytes for each 256 KiB of the file, up to 8 GiB. An Index is safe for
// concurrent use.
type Index struct {
	stride int64        // markInterval, except in tests
	lines  atomic.Int64 // the number of lines in the file, or 0 if it is unknown

	mu    sync.Mutex
	marks []int // marks[i] is the number of line feeds before the offset (i+1)*stride
}

// NewIndex returns an empty Index.
func NewIndex() *Index { return &Index{stride: markInterval} }

// CacheSize returns 256 KiB, or 0 if nothing is recorded.
func (x *Index) CacheSize() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(x.marks) == 0 {
		return 0
	}
	return 8 * maxMarks
}

// Lines returns the number of lines of the file if [Cursor.Count] has counted them, otherwise 0.
func (x *Index) Lines() int { return int(x.lines.Load()) }

// before returns the last recorded offset that is not after the start of line n, if any, and the
// number of line feeds before it.
func (x *Index) before(n int) (passed int, offset int64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	// Line n starts after line feed n-1. An offset with fewer line feeds before it precedes it.
	i := sort.SearchInts(x.marks, n-1)
	if i == 0 {
		return 0, 0
	}
	return x.marks[i-1], int64(i) * x.stride
}

// mark records the number of line feeds before offset if that is the next offset to record.
func (x *Index) mark(passed int, offset int64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if offset == int64(len(x.marks)+1)*x.stride && len(x.marks) < maxMarks {
		x.marks = append(x.marks, passed)
	}
}
