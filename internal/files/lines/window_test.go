package lines

import (
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
)

func TestEndOfContextEndsEveryCall(t *testing.T) {
	for name, step := range map[string]func(context.Context, *Cursor) error{
		"Seek": func(ctx context.Context, c *Cursor) error { return c.Seek(ctx, 2) },
		"Next": func(ctx context.Context, c *Cursor) error { _, err := c.Next(ctx); return err },
		"Prev": func(ctx context.Context, c *Cursor) error { _, err := c.Prev(ctx); return err },
		"Indent": func(ctx context.Context, c *Cursor) error {
			_, _, err := c.Indent(ctx, Line{}, 4)
			return err
		},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		file := &recorder{ReaderAt: filler{' ', 1 << 40}}
		file.read = func() {
			if file.reads == 10 {
				cancel()
			}
		}
		c := open(file)
		c.Move(Position{passed: 1, offset: 1 << 39, open: name == "Next"})
		if err := step(ctx, c); !errors.Is(err, context.Canceled) || file.reads != 10 {
			t.Errorf("%s, canceled in read 10: %v after %d reads", name, err, file.reads)
		}
	}
}

// broken is a file that cannot be read from the offset good on.
type broken struct {
	data string
	good int
	err  error
}

func (b *broken) ReadAt(p []byte, offset int64) (int, error) {
	n := copy(p, b.data[min(int(offset), b.good):b.good])
	switch {
	case n == len(p):
		return n, nil
	case b.good == len(b.data):
		return n, io.EOF
	default:
		return n, b.err
	}
}

// expectNext checks the next lines, or without texts, the end of the file.
func expectNext(t *testing.T, c *Cursor, texts ...string) {
	t.Helper()
	for _, want := range texts {
		if line, err := c.Next(t.Context()); err != nil || string(line.Text) != want {
			t.Errorf("Next = %q, %v; want %q", line.Text, err, want)
		}
	}
	if len(texts) > 0 {
		return
	}
	if line, err := c.Next(t.Context()); err != io.EOF {
		t.Errorf("Next = %q, %v at the end", line.Text, err)
	}
}

func TestReadErrors(t *testing.T) {
	const data = "one\ntwo\nthree\nfour\n"
	bad := errors.New("bad sector")
	file := &broken{data, len("one\ntwo\nth"), bad}
	c := newCursor(file, 10, 4, 4, 4)
	expectBad := func(call string, err error) {
		t.Helper()
		if !errors.Is(err, bad) {
			t.Errorf("%s = %v", call, err)
		}
	}
	err := c.Seek(t.Context(), 4)
	if expectBad("Seek", err); !strings.Contains(err.Error(), "byte 10") {
		t.Errorf("Seek = %v", err)
	}
	expectNext(t, c, "one", "two")
	_, err = c.Next(t.Context())
	expectBad("Next", err)
	file.good = len(data)
	expectNext(t, c, "three", "four")
	file.good = 0
	end := c.Position()
	c = newCursor(file, 10, 4, 4, 4)
	c.Move(end)
	_, err = c.Prev(t.Context())
	expectBad("Prev", err)
	_, err = c.Count(t.Context())
	expectBad("Count", err)
	expectBad("SeekEnd", c.SeekEnd(t.Context(), 10, 1))
	if c.Position() != end {
		t.Error("SeekEnd moved the cursor")
	}
}

func TestFileShrinks(t *testing.T) {
	file := &broken{"one\ntwo\nthree\n", len("one\ntwo\nthree\n"), io.EOF}
	c := newCursor(file, 10, 4, 4, 4)
	if err := c.Seek(t.Context(), 3); err != nil {
		t.Fatal(err)
	}
	file.good = len("one")
	if line, err := c.Prev(t.Context()); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("Prev = %q, %v", line.Text, err)
	}
	c.Move(Position{})
	expectNext(t, c, "one")
	expectNext(t, c)
}

func TestFileGrows(t *testing.T) {
	file := &broken{"one\ntwo, longer\nthree\n", len("one\ntwo"), io.EOF}
	c := newCursor(file, 10, 4, 4, 4)
	expectNext(t, c, "one", "two")
	file.good = len(file.data)
	end := c.Position()
	c = newCursor(file, 10, 4, 4, 4)
	c.Move(end)
	line, err := c.Next(t.Context())
	if err != nil || line.Number != 3 || string(line.Text) != "three" {
		t.Errorf("Next = %d %q, %v; want line 3", line.Number, line.Text, err)
	}
}

// TestFileRewritten moves a cursor to positions that do not fit the file, as after it was
// rewritten. Prev must reach the start, with positive line numbers.
func TestFileRewritten(t *testing.T) {
	c := newCursor(strings.NewReader(strings.Repeat("\n", 40)), 10, 4, 4, 4)
	for _, p := range []Position{{passed: 3, offset: 30}, {passed: 30, offset: 3}} {
		c.Move(p)
		for i := range 4 {
			line, err := c.Prev(t.Context())
			if i < 3 && (err != nil || line.Number != p.passed-i) || i == 3 && err != io.EOF {
				t.Errorf("Prev from %v = %d, %v", p, line.Number, err)
			}
		}
	}
}

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
	if n := 8 * len(x.marks); n != x.CacheSize() {
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
