package block

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"gander/internal/blocks"
	"gander/internal/files/lines"
	"gander/internal/testkit/tooltest"
)

// A shrinking text is empty after a number of reads.
type shrinking struct {
	text  string
	reads int
}

func (s *shrinking) ReadAt(b []byte, offset int64) (int, error) {
	if s.reads == 0 {
		return 0, io.EOF
	}
	s.reads--
	return strings.NewReader(s.text).ReadAt(b, offset)
}

// TestBlockOfShorterFile looks for the block around the last line of a file that another program
// empties meanwhile. Either the line is among those around it, or it is missing.
func TestBlockOfShorterFile(t *testing.T) {
	const n = 300
	text := tooltest.Many(n, func(i int) string { return "func f" + strings.Repeat("o", 2000) })
	found, missing := 0, 0
	for reads := range 40 {
		options := lines.Options{Keep: Kept, Index: lines.NewIndex(), Pool: new(sync.Pool)}
		r := Source{lines.New(&shrinking{text, reads}, options), blocks.ForFile("")}
		b, err := r.Blocks(t.Context(), MaxLines, n)
		r.Cursor.Close()
		switch {
		case err == io.EOF, errors.Is(err, io.ErrUnexpectedEOF):
			missing++
		case err != nil || b[0].Last != 0 && (b[0].First > n || b[0].Last < n):
			t.Errorf("after %d reads: %v, %v", reads, b, err)
		default:
			found++
		}
	}
	if found == 0 || missing == 0 {
		t.Errorf("found %d times, missing %d times", found, missing)
	}
}

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
