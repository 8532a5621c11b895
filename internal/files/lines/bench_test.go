package lines

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
)

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
