package lines

import (
	"context"
	"io"
	"math"
	"strings"
	"testing"
)

// open returns a cursor that keeps 512 bytes of a line.
func open(file io.ReaderAt) *Cursor {
	return newCursor(file, 512, firstBlock, fullBlock, markInterval)
}

// TestLineEnds checks the ends of lines, and of lines longer than Keep.
func TestLineEnds(t *testing.T) {
	for _, tt := range []struct {
		data string
		keep int
		want string // joined by |
	}{
		{"a", 10, "a"},
		{"\n", 10, ""},
		{"\r\n", 10, ""},
		{"\r", 10, "\r"},
		{"a\nb", 10, "a|b"},
		{"a\nb\n", 10, "a|b"},
		{"a\n\n", 10, "a|"},
		{"a\r\nb\r", 10, "a|b\r"},
		{"a\r\r\nb\rc\n\rd", 10, "a\r|b\rc|\rd"},
		{"a\vb\fc\u0085d\u2028e\x00\n", 20, "a\vb\fc\u0085d\u2028e\x00"},
		{"abc\nabcd\nabcde", 4, "abc|abcd|abcd"},
		{"abcd\r\nabcde\r\nabcd\r", 4, "abcd|abcd|abcd"},
		{"abc\r\r\nabc\rd\n", 4, "abc\r|abc\r"},
		{"a\n\nb", 0, "||"},
	} {
		c := newCursor(strings.NewReader(tt.data), tt.keep, firstBlock, fullBlock, markInterval)
		var got []string
		line, err := c.Next(t.Context())
		for ; err == nil; line, err = c.Next(t.Context()) {
			if got = append(got, string(line.Text)); line.Number != len(got) {
				t.Errorf("%q: line %d has number %d", tt.data, len(got), line.Number)
			}
		}
		if strings.Join(got, "|") != tt.want || len(got) == 0 || err != io.EOF {
			t.Errorf("%q keeping %d: %q, %v; want %q", tt.data, tt.keep, got, err, tt.want)
		}
	}
	if _, err := open(strings.NewReader("")).Next(t.Context()); err != io.EOF {
		t.Errorf("an empty file: %v", err)
	}
	for _, n := range []int{0, -1, math.MinInt} {
		err := open(strings.NewReader("a")).Seek(t.Context(), n)
		if err == nil || err == io.EOF {
			t.Errorf("Seek(%d) = %v", n, err)
		}
	}
}

// A recorder records what is read of a file.
type recorder struct {
	io.ReaderAt
	reads int
	bytes int64
	upto  int64
}

func (r *recorder) ReadAt(p []byte, offset int64) (int, error) {
	r.reads++
	r.bytes += int64(len(p))
	r.upto = max(r.upto, offset+int64(len(p)))
	return r.ReaderAt.ReadAt(p, offset)
}

// filler is a file of size bytes that are all fill.
type filler struct {
	fill byte
	size int64
}

func (f filler) ReadAt(p []byte, offset int64) (int, error) {
	n := int(min(int64(len(p)), max(0, f.size-offset)))
	for i := range p[:n] {
		p[i] = f.fill
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func TestNextReadsNoFurtherThanItShows(t *testing.T) {
	file := &recorder{ReaderAt: filler{'x', 1 << 40}}
	c := open(file)
	if line, err := c.Next(t.Context()); err != nil || len(line.Text) != 512 {
		t.Fatalf("Next = %d bytes, %v", len(line.Text), err)
	}
	if file.upto > firstBlock {
		t.Errorf("read up to byte %d", file.upto)
	}
}

func TestEachBlockIsReadOnce(t *testing.T) {
	const size = 8 << 20
	text := strings.Repeat("    a line of 31 characters, LF\n", size/32)
	file := &recorder{ReaderAt: strings.NewReader(text)}
	c := open(file)
	steps := map[string]func(context.Context) (Line, error){"Next": c.Next, "Prev": c.Prev}
	for name, step := range steps {
		if err := c.Seek(t.Context(), size/64+1); err != nil {
			t.Fatal(err)
		}
		file.reads, file.bytes = 0, 0
		n := 0
		line, err := step(t.Context())
		for ; err == nil; line, err = step(t.Context()) {
			n++
			if _, _, err := c.Indent(t.Context(), line, 4); err != nil {
				t.Fatal(err)
			}
		}
		if n != size/64 || err != io.EOF {
			t.Errorf("%s: %d lines, %v", name, n, err)
		}
		blocks := size / 2 / fullBlock
		if file.reads > blocks+2 || file.bytes > size/2+3*fullBlock {
			t.Errorf("%s: %d bytes in %d reads, for %d blocks", name, file.bytes, file.reads, blocks)
		}
	}
}

func TestLongLineIsNotHeld(t *testing.T) {
	data := "first\n" + strings.Repeat("x", 10<<20) + "\nlast"
	c := open(strings.NewReader(data))
	if err := c.Seek(t.Context(), 3); err != nil {
		t.Fatal(err)
	}
	for i := 2; i >= 1; i-- {
		if line, err := c.Prev(t.Context()); err != nil || line.Number != i {
			t.Fatalf("Prev = %d, %v; want line %d", line.Number, err, i)
		}
	}
	for i := 1; i <= 3; i++ {
		if line, err := c.Next(t.Context()); err != nil || line.Number != i {
			t.Fatalf("Next = %d, %v; want line %d", line.Number, err, i)
		}
	}
	if size := cap(c.file.data); size > fullBlock+1024 {
		t.Errorf("the cursor holds %d bytes", size)
	}
}

func TestCursorAllocatesNothingPerLine(t *testing.T) {
	data := strings.Repeat("    some text of a line\r\n\n", 4000)
	c := open(strings.NewReader(data))
	ctx := context.Background()
	for _, step := range []func(context.Context) (Line, error){c.Next, c.Prev} {
		if _, err := step(ctx); err != nil {
			t.Fatal(err)
		}
		if err := c.Seek(ctx, 4000); err != nil {
			t.Fatal(err)
		}
		allocs := testing.AllocsPerRun(1000, func() {
			line, err := step(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if _, _, err := c.Indent(ctx, line, 4); err != nil {
				t.Fatal(err)
			}
		})
		if allocs != 0 {
			t.Errorf("%v allocations a line", allocs)
		}
	}
}
