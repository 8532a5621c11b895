package lines

import (
	"sort"
	"sync"
)

const (
	markEvery = 64 << 10
	mostMarks = 32 << 10
)

// An Index remembers how many line ends come before certain bytes of a file, a fixed distance apart. Seek fills it while
// it counts and starts from the nearest of them, so that the second Seek reads a block where the first read the file.
// The distance is in bytes and not in lines because bytes are what a Seek has to read.
//
// An Index is for one file with one content: whoever keeps it must make sure that the file is still the same. It takes 8
// bytes for each 64 KiB of the file and never more than 256 KiB: from 2 GiB on the distance doubles as often as needed.
// The zero Index is empty and ready. It is safe for concurrent use.
type Index struct {
	mu     sync.Mutex
	stride int64 // 0 stands for markEvery
	marks  []int // line ends before the byte (i+1)*stride
}

// MaxIndexBytes is the most memory that an [Index] takes.
const MaxIndexBytes = 8 * mostMarks

// Empty reports whether the index remembers nothing.
func (x *Index) Empty() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return len(x.marks) == 0
}

// before returns a place from which line n can be counted: the number of line ends before an offset that is not behind
// the line's beginning.
func (x *Index) before(n int) (passed int, offset int64) {
	if x == nil {
		return 0, 0
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	// The line begins behind its predecessor's end, number n-1: a mark must have fewer before it.
	i := sort.SearchInts(x.marks, n-1)
	if i == 0 {
		return 0, 0
	}
	return x.marks[i-1], int64(i) * x.stride
}

// mark tells the index how many line ends come before offset. It is noted where offset is the next one to note.
func (x *Index) mark(passed int, offset int64) {
	if x == nil {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.stride == 0 {
		x.stride = markEvery
	}
	if offset != int64(len(x.marks)+1)*x.stride {
		return
	}
	x.marks = append(x.marks, passed)
	if len(x.marks) == mostMarks {
		x.thin()
	}
}

// thin drops every second mark.
func (x *Index) thin() {
	for i := 1; i < len(x.marks); i += 2 {
		x.marks[i/2] = x.marks[i]
	}
	x.marks = x.marks[:len(x.marks)/2]
	x.stride *= 2
}
