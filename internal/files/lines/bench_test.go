package lines

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
)

// benchFile returns a file of 64 MiB with lines of up to 200 bytes.
func benchFile() *strings.Reader {
	var b strings.Builder
	for i := 0; b.Len() < 64<<20; i++ {
		fmt.Fprintf(&b, "%*s%s\n", i%9, "", strings.Repeat("x", i*7919%192))
	}
	return strings.NewReader(b.String())
}

func BenchmarkCount(b *testing.B) {
	file := benchFile()
	b.SetBytes(file.Size())
	for b.Loop() {
		if err := open(file).Seek(b.Context(), math.MaxInt); err != io.EOF {
			b.Fatal(err)
		}
	}
}

func BenchmarkLine(b *testing.B) {
	ctx := context.Background()
	c := open(benchFile())
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
