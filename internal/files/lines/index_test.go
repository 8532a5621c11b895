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
	o := Options{Keep: 512, Index: NewIndex(), Pool: new(sync.Pool)}
	if err := New(file, o).Seek(t.Context(), last); err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{last, last / 2, 2, 1} {
		file.bytes = 0
		c := New(file, o)
		err := c.Seek(t.Context(), n)
		line, nextErr := c.Next(t.Context())
		if err != nil || nextErr != nil || line.Number != n || file.bytes > 2*fullBlock {
			t.Errorf("line %d = %d, %v, %v, %d bytes read", n, line.Number, err, nextErr, file.bytes)
		}
	}
	for _, most := range []int64{size, 0} {
		file.bytes = 0
		n, err := New(file, o).Count(t.Context())
		if n != last || err != nil || file.bytes > most {
			t.Errorf("Count = %d, %v, and reads %d bytes", n, err, file.bytes)
		}
	}
}

func TestIndexIsBounded(t *testing.T) {
	x := NewIndex()
	for i := 1; i <= 2*maxMarks; i++ {
		x.mark(3*i, int64(i)*x.stride)
	}
	if n := 8 * len(x.marks); n != MaxIndexBytes {
		t.Errorf("the marks take %d bytes", n)
	}
	for n, marks := range map[int]int{1: 0, 4: 0, 5: 1, 7: 1, 8: 2, math.MaxInt: maxMarks} {
		passed, offset := x.before(n)
		if passed != 3*marks || offset != int64(marks)*x.stride {
			t.Errorf("before(%d) = %d, %d", n, passed, offset)
		}
	}
}

// TestConcurrentCursors checks cursors that share an index and a pool.
func TestConcurrentCursors(t *testing.T) {
	const lines = 40_000
	data := strings.Repeat("1234567\n", lines)
	o := Options{Keep: 10, Index: &Index{stride: 1 << 10}, Pool: new(sync.Pool)}
	var wg sync.WaitGroup
	for i := range uint64(8) {
		other := strings.Repeat(string(rune('a'+i))+"234567\n", lines)
		wg.Go(func() {
			r := rand.New(rand.NewPCG(i, 0))
			for range 50 {
				n := 1 + r.IntN(lines)
				c := New(strings.NewReader(data), o)
				if err := c.Seek(t.Context(), n); err != nil || c.pos.offset != int64(n-1)*8 {
					t.Errorf("Seek(%d) = %v, byte %d", n, err, c.pos.offset)
				}
				c.Close()
				c = New(strings.NewReader(other), o)
				c.Move(Position{offset: int64(n-1) * 8})
				if line, err := c.Next(t.Context()); err != nil || string(line.Text) != other[:7] {
					t.Errorf("Next = %q, %v; want %q", line.Text, err, other[:7])
				}
				c.Close()
			}
		})
	}
	wg.Wait()
}
