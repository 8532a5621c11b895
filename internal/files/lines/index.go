package lines

import (
	"sort"
	"sync"
	"sync/atomic"
)

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
