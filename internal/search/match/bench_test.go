package match

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gander/internal/search/automaton"
)

// corpus returns up to 32 MB of Go's source.
func corpus(tb testing.TB) []byte {
	var buf []byte
	filepath.WalkDir(goSource(tb), func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".go") {
			b, _ := os.ReadFile(path)
			buf = append(buf, b...)
		}
		if len(buf) > 32<<20 {
			return fs.SkipAll
		}
		return nil
	})
	return buf
}

func BenchmarkNextLine(b *testing.B) {
	buf := corpus(b)
	for _, pattern := range realPatterns {
		b.Run(strings.ReplaceAll(pattern[:min(len(pattern), 30)], "/", ""), func(b *testing.B) {
			m, err := Compile(b.Context(), pattern, Options{})
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(buf)))
			n := 0
			for b.Loop() {
				n = 0
				s := m.NewSearcher(automaton.Limits{})
				for at := 0; at < len(buf); { // in pieces, as a file is read
					end := min(at+1<<16, len(buf))
					end += bytes.IndexByte(buf[end:], '\n') + 1
					for piece := buf[at:end]; ; n++ {
						_, e, ok := s.NextLine(piece, 0)
						if !ok {
							break
						}
						piece = piece[min(e+1, len(piece)):]
					}
					at = end
				}
			}
			b.ReportMetric(float64(n), "lines")
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	for _, pattern := range strings.Fields(
		`Handler (?i)handler \w+Handler \w{5}\s+\w{5} \pL{24} .{1000} \w{50}`) {
		b.Run(pattern, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				m, err := Compile(b.Context(), pattern, Options{})
				if err != nil {
					b.Fatal(err)
				}
				m.NewSearcher(automaton.Limits{})
				b.ReportMetric(float64(m.program.Size()), "instructions")
			}
		})
	}
}

func BenchmarkSpans(b *testing.B) {
	buf := corpus(b)[:4<<20]
	for _, pattern := range []string{"return", `\w+\(`, `(?i)err`, `func|type|struct`} {
		b.Run(pattern, func(b *testing.B) {
			m, err := Compile(b.Context(), pattern, Options{})
			if err != nil {
				b.Fatal(err)
			}
			s := m.NewSearcher(automaton.Limits{})
			b.SetBytes(int64(len(buf)))
			var spans []Span
			for b.Loop() {
				for line := range bytes.Lines(buf) {
					spans = s.Spans(spans[:0], bytes.TrimSuffix(line, []byte("\n")))
				}
			}
		})
	}
}
