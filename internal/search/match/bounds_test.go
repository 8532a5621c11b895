package match

import (
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"gander/internal/search/automaton"
)

// explodingPatterns have very many states, or very many ways to match.
var explodingPatterns = []string{
	`(a*)*b`, `.{1000}`, `(a|b|c)*d.{50}e`, `\w.{40}\d.{40}[A-Z]Q`, `[ab]{0,50000}c`,
	`.{0,9000}x`, `\w{300}`,
}

// explodingText returns n bytes that make these patterns slow.
func explodingText(n int) []byte {
	random := rand.New(rand.NewPCG(1, 2))
	buf := make([]byte, n)
	for i := range buf {
		buf[i] = "aaabcd 1Z"[random.IntN(9)]
		if random.IntN(2000) == 0 {
			buf[i] = '\n'
		}
	}
	return buf
}

// TestBounds checks that a search holds little memory, and ends within 50 ms after Stop returns
// true.
func TestBounds(t *testing.T) {
	buf := explodingText(16 << 20)
	var before, after runtime.MemStats
	for _, pattern := range explodingPatterns {
		late := time.Hour // the best of three counts, because other programs run too
		for range 3 {
			runtime.GC()
			runtime.ReadMemStats(&before)
			m, err := Compile(t.Context(), pattern, Options{})
			if err != nil {
				t.Fatal(err)
			}
			deadline := time.Now().Add(20 * time.Millisecond)
			stop := func() bool { return time.Now().After(deadline) }
			s := m.NewSearcher(automaton.Limits{Stop: stop})
			for at := 0; at < len(buf) && !stop(); { // a scanner also checks its context
				_, end, ok := s.NextLine(buf[:min(at+64<<10, len(buf))], at)
				if !ok {
					end = at + 64<<10
				}
				at = end + 1
			}
			spans(s, buf[:64<<10])
			late = min(late, time.Since(deadline))
			runtime.GC()
			runtime.ReadMemStats(&after)
			if held := int64(after.HeapAlloc) - int64(before.HeapAlloc); held > 24<<20 {
				t.Errorf("%s holds %d MB", pattern, held>>20)
			}
			runtime.KeepAlive(s)
		}
		if late > 50*time.Millisecond {
			t.Errorf("%s: ended %v late", pattern, late)
		}
	}
}
