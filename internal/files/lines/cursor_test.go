package lines

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
)

// open returns a cursor that keeps 512 bytes of a line.
func open(file io.ReaderAt) *Cursor {
	return newCursor(file, 512, firstBlock, fullBlock, markInterval)
}

// A recorder records what is read of a file.
type recorder struct {
	io.ReaderAt
	read  func() // if not nil, called for each read
	reads int
	bytes int64
	upto  int64
}

func (r *recorder) ReadAt(p []byte, offset int64) (int, error) {
	r.reads++
	r.bytes += int64(len(p))
	r.upto = max(r.upto, offset+int64(len(p)))
	if r.read != nil {
		r.read()
	}
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
	const size, blocks = 8 << 20, 8 << 20 / 2 / fullBlock
	text := strings.Repeat("    a line of 31 characters, LF\n", size/32)
	file := &recorder{ReaderAt: strings.NewReader(text)}
	c := open(file)
	steps := map[string]func(context.Context) (Line, error){"Next": c.Next, "Prev": c.Prev}
	for name, step := range steps {
		err := c.Seek(t.Context(), size/64+1)
		file.reads, file.bytes = 0, 0
		n := -1
		for ; err == nil; n++ {
			var line Line
			if line, err = step(t.Context()); err == nil {
				_, _, err = c.Indent(t.Context(), line, 4)
			}
		}
		if n != size/64 || err != io.EOF {
			t.Errorf("%s: %d lines, %v", name, n, err)
		}
		if file.reads > blocks+2 || file.bytes > size/2+3*fullBlock {
			t.Errorf("%s: %d bytes in %d reads, for %d blocks", name, file.bytes, file.reads, blocks)
		}
	}
}

func TestCursorAllocatesNothingPerLine(t *testing.T) {
	c := open(strings.NewReader(strings.Repeat("    some text of a line\r\n\n", 4000)))
	for _, step := range []func(context.Context) (Line, error){c.Next, c.Prev} {
		err := c.Seek(t.Context(), 4000)
		allocs := testing.AllocsPerRun(1000, func() {
			var line Line
			if line, err = step(t.Context()); err == nil {
				_, _, err = c.Indent(t.Context(), line, 4)
			}
		})
		if allocs != 0 || err != nil {
			t.Errorf("%v allocations a line, %v", allocs, err)
		}
	}
}

func BenchmarkLine(b *testing.B) {
	var file strings.Builder
	for i := 0; file.Len() < 64<<20; i++ {
		fmt.Fprintf(&file, "%*s%s\n", i%9, "", strings.Repeat("x", i*7919%192))
	}
	ctx := context.Background()
	c := open(strings.NewReader(file.String()))
	for name, step := range map[string]func(context.Context) (Line, error){
		"next": c.Next,
		"prev": c.Prev,
		"next and indent": func(ctx context.Context) (Line, error) {
			line, err := c.Next(ctx)
			if err == nil {
				_, _, err = c.Indent(ctx, line, 4)
			}
			return line, err
		},
	} {
		b.Run(name, func(b *testing.B) {
			if err := c.Seek(ctx, 300_000); err != nil {
				b.Fatal(err)
			}
			start := c.Position()
			b.ReportAllocs()
			for b.Loop() {
				if _, err := step(ctx); err == io.EOF {
					c.Move(start)
				} else if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
