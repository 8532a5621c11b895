package lines

import (
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
)

func TestIndexSavesReading(t *testing.T) {
	const size, last = 8 << 20, 8 << 20 / 8
	file := &recorder{ReaderAt: strings.NewReader(strings.Repeat("1234567\n", size/8))}
	index := new(Index)
	c := New(file, Options{Keep: 512, Index: index})
	if err := c.Seek(t.Context(), last); err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{last, last / 2, 2, 1} {
		file.bytes = 0
		c := New(file, Options{Keep: 512, Index: index})
		if err := c.Seek(t.Context(), n); err != nil {
			t.Fatal(err)
		}
		if line, err := c.Next(t.Context()); err != nil || line.Number != n {
			t.Errorf("line %d = %d, %v", n, line.Number, err)
		}
		if file.bytes > 2*fullBlock {
			t.Errorf("line %d: %d bytes read", n, file.bytes)
		}
	}
}

func TestIndexIsBounded(t *testing.T) {
	x := new(Index)
	const stride, perStride = markInterval, 3
	for i := 1; i <= 20*maxMarks; i++ {
		x.mark(i*perStride, int64(i)*stride)
		if len(x.marks) >= maxMarks {
			t.Fatalf("%d marks", len(x.marks))
		}
	}
	if reach := int64(len(x.marks)) * x.stride; reach < 19*maxMarks*stride {
		t.Errorf("the index ends at byte %d", reach)
	}
	for _, n := range []int{1, 2, 3, 4, 5, 1000, 20 * maxMarks * perStride, math.MaxInt} {
		passed, offset := x.before(n)
		if int64(passed)*stride != offset*perStride {
			t.Errorf("before(%d) = %d line ends before byte %d", n, passed, offset)
		}
		if n > 1 && passed >= n-1 {
			t.Errorf("before(%d) = %d: line %d may begin before it", n, passed, n)
		}
		if rest := n - 1 - passed; n < 10*maxMarks*perStride && int64(rest) > perStride*x.stride/stride {
			t.Errorf("before(%d) leaves %d lines to count", n, rest)
		}
	}
}

func TestIndexIsShared(t *testing.T) {
	const lines = 40_000
	data := strings.Repeat("1234567\n", lines)
	index := &Index{stride: 1 << 10}
	var wg sync.WaitGroup
	for i := range uint64(8) {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(i, 0))
			for range 50 {
				n := 1 + r.IntN(lines)
				c := newCursor(strings.NewReader(data), Options{Index: index}, 256, 1<<10, 1<<10)
				if err := c.Seek(t.Context(), n); err != nil || c.pos.offset != int64(n-1)*8 {
					t.Errorf("Seek(%d) = %v, byte %d", n, err, c.pos.offset)
				}
			}
		})
	}
	wg.Wait()
}
