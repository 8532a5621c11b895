package match

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime/metrics"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gander/internal/admission"
	"gander/internal/search/automaton"
)

// randomPattern returns a pattern with nested repetitions, whose counts are mostly large.
func randomPattern(r *rand.Rand, depth int) string {
	atoms := []string{"a", ".", `\w`, `\pL`, "[^x]", "(?i:k)", "[a-z]", `[\x{80}-\x{ffff}]`, `\b`, ""}
	if depth == 0 || r.IntN(6) == 0 {
		return atoms[r.IntN(len(atoms))]
	}
	if r.IntN(4) == 0 {
		return "(?:" + randomPattern(r, depth-1) + "|" + randomPattern(r, depth-1) + ")"
	}
	n := 1 << r.IntN(12) // below the maximum of a count
	counts := []string{"?", "*", "+?", "{0,%d}", "{%[1]d,}", "{%d}", "{1,%d}?"}
	count := counts[r.IntN(len(counts))]
	if strings.Contains(count, "%") {
		count = fmt.Sprintf(count, n)
	}
	return "(?:" + randomPattern(r, depth-1) + ")" + count
}

// costlyPatterns returns the n patterns of the most memory among many.
func costlyPatterns(t *testing.T, n int) []string {
	r := rand.New(rand.NewPCG(4, 7))
	memory := map[string]int{`(?:(?:a?){1000}){58}`: 0, `\w{400}`: 0, `[ab]{0,58000}c`: 0}
	for len(memory) < 400 {
		memory[randomPattern(r, 3)] = 0
	}
	for p := range memory {
		if m, err := Compile(t.Context(), p, Options{}); err == nil {
			memory[p] = m.program.Size()
		}
	}
	all := make([]string, 0, len(memory))
	for p := range memory {
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b string) int { return memory[b] - memory[a] })
	if memory[all[0]] < 20<<20 {
		t.Fatalf("the costliest pattern needs only %d bytes", memory[all[0]])
	}
	return all[:n]
}

// TestMemory searches with the 64 costliest of many patterns at once. They hold at most what all
// calls may reserve, and what a small pattern and its first states need, for each.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("sequential, and slow under the race detector")
	}
	patterns := costlyPatterns(t, 64)
	text := explodingText(1 << 20)
	controller := admission.New(0, 0)
	const bound = admission.DefaultBytes + 64*(256<<10+automaton.StateMemory/8)
	var calls sync.WaitGroup
	for _, p := range patterns {
		calls.Go(func() {
			_, err := admission.Run(t.Context(), controller, 0, func(ctx context.Context) (int, error) {
				return 0, searchFor(ctx, p, text, 60*time.Millisecond)
			})
			if err != nil && err != error(admission.ErrFull) {
				t.Errorf("%s: %v", p, err)
			}
		})
	}
	over := make(chan struct{})
	go func() { calls.Wait(); close(over) }()
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	most := uint64(0)
	for isOver := false; !isOver; {
		select {
		case <-over:
			isOver = true
		case <-time.After(time.Millisecond):
			metrics.Read(live)
			most = max(most, live[0].Value.Uint64())
		}
	}
	t.Logf("%d MiB in use", most>>20)
	if most > bound {
		t.Errorf("%d MiB in use, more than %d", most>>20, uint64(bound)>>20)
	}
}

// searchFor searches a text for some time, and the matches in its first bytes.
func searchFor(ctx context.Context, pattern string, text []byte, d time.Duration) error {
	m, err := Compile(ctx, pattern, Options{})
	if err != nil {
		return err
	}
	deadline := time.Now().Add(d)
	s := m.NewSearcher(automaton.Limits{
		Reserve: func() bool { return admission.Reserve(ctx, automaton.StateMemory) == nil },
		Stop:    func() bool { return time.Now().After(deadline) },
	})
	for at := 0; at < len(text) && time.Now().Before(deadline); at += 64 << 10 {
		s.NextLine(text[at:min(at+64<<10, len(text))], 0)
	}
	deadline = time.Now().Add(d)
	return s.Spans(Bytes(text[:2000]), 100, func(Span) bool { return true })
}
