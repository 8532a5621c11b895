package lines

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const benchSize = 256 << 20

// textFile makes a file of benchSize bytes with lines of up to 200 bytes.
func textFile(b *testing.B) *os.File {
	file, err := os.Create(filepath.Join(b.TempDir(), "text"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { file.Close() })
	w := bufio.NewWriterSize(file, 1<<20)
	for n, i := 0, 0; n < benchSize; i++ {
		k, _ := fmt.Fprintf(w, "%*s%s\n", i%9, "", strings.Repeat("x", i*7919%192))
		n += k
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	return file
}

func BenchmarkCount(b *testing.B) {
	file := textFile(b)
	for _, bc := range []struct {
		name  string
		index func() *Index
	}{
		{"plain", func() *Index { return nil }},
		{"index", func() *Index { return new(Index) }},
	} {
		b.Run(bc.name, func(b *testing.B) {
			b.SetBytes(benchSize)
			for b.Loop() {
				c := New(file, Options{Index: bc.index()})
				if err := c.Seek(context.Background(), math.MaxInt); err != io.EOF {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkSeekIndexed(b *testing.B) {
	file, index := textFile(b), new(Index)
	const n = 2_000_000
	for b.Loop() {
		if err := New(file, Options{Keep: 512, Index: index}).Seek(context.Background(), n); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFirstPage(b *testing.B) {
	file := textFile(b)
	for b.Loop() {
		c := New(file, Options{Keep: 512})
		for range 100 {
			if _, err := c.Next(context.Background()); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkLine(b *testing.B) {
	file := textFile(b)
	c := New(file, Options{Keep: 512})
	ctx := context.Background()
	for _, bc := range []struct {
		name string
		from int
		step func() (Line, error)
	}{
		{"next", 1, func() (Line, error) { return c.Next(ctx) }},
		{"prev", 2_000_000, func() (Line, error) { return c.Prev(ctx) }},
		{"next and indent", 1, func() (Line, error) {
			line, err := c.Next(ctx)
			if err == nil {
				_, _, err = c.Indent(ctx, line, 4)
			}
			return line, err
		}},
	} {
		b.Run(bc.name, func(b *testing.B) {
			if err := c.Seek(ctx, bc.from); err != nil {
				b.Fatal(err)
			}
			start := c.Position()
			b.ReportAllocs()
			for b.Loop() {
				if _, err := bc.step(); err == io.EOF {
					c.Move(start)
				} else if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
