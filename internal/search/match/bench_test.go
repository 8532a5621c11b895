package match

import (
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
	for _, pattern := range realPatterns(b) {
		b.Run(strings.ReplaceAll(pattern[:min(len(pattern), 30)], "/", ""), func(b *testing.B) {
			m, err := Compile(b.Context(), pattern, Options{})
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(buf)))
			for b.Loop() {
				s := m.NewSearcher(automaton.Limits{})
				for at := 0; ; {
					_, end, ok := s.NextLine(buf, at)
					if !ok {
						break
					}
					at = end + 1
				}
			}
		})
	}
}
