package block

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"gander/internal/blocks"
	"gander/internal/files/lines"
)

// BenchmarkAround finds a line near the end of a file of 4 MB, and the block around it. The
// difference is what the block costs.
func BenchmarkAround(b *testing.B) {
	shapes, err := os.ReadFile("../../blocks/testdata/shapes.txtar")
	if err != nil {
		b.Fatal(err)
	}
	for _, name := range []string{"a.go", "a.py", "a.cpp", "a.pl", "a.ts"} {
		_, part, _ := strings.Cut(string(shapes), "-- "+name+" --\n")
		part, _, _ = strings.Cut(part, "\n-- ")
		var text strings.Builder
		for line := range strings.Lines(part) {
			text.WriteString(strings.TrimPrefix(line[1:], " "))
		}
		text.WriteString("\n\n")
		all := strings.Repeat(text.String(), 4<<20/text.Len())
		path := filepath.Join(b.TempDir(), name)
		if err := os.WriteFile(path, []byte(all), 0o600); err != nil {
			b.Fatal(err)
		}
		line := strings.Count(all, "\n") - 20_000
		source := func(b *testing.B) Source {
			file, err := os.Open(path)
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { file.Close() })
			options := lines.Options{Keep: Kept, Index: lines.NewIndex(), Pool: new(sync.Pool)}
			return Source{lines.New(file, options), blocks.ForFile(name)}
		}
		b.Run(name+"/read", func(b *testing.B) {
			for b.Loop() {
				if err := source(b).Cursor.Seek(b.Context(), line); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/block", func(b *testing.B) {
			for b.Loop() {
				if _, err := source(b).Blocks(b.Context(), MaxLines, line); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
