package literal

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// naive returns the start of the first line at or after at that contains a literal, or -1. It tries
// every offset.
func naive(set Set, buf []byte, at int) int {
	for i := at; i < len(buf); i++ {
		for _, l := range set.Literals {
			if begins(buf[i:], l, set.Fold) {
				return at + bytes.LastIndexByte(buf[at:i], '\n') + 1
			}
		}
	}
	return -1
}

// compare checks that a finder with each method finds what naive finds.
func compare(t *testing.T, set Set, buf []byte) {
	t.Helper()
	finders := []*Finder{
		{set: set, sampler: newSampler(set, usual{})},
		{set: set, sampler: newSampler(set, newSample(buf, set.Fold))},
	}
	if len(set.Literals) == 1 && !set.Fold {
		finders = append(finders, NewFinder(set))
	}
	for _, f := range finders {
		var c State
		for at := 0; at < len(buf); {
			want := naive(set, buf, at)
			start, end, ok := f.Find(&c, buf, at)
			switch {
			case !ok:
				at = nextLine(buf, at)
				continue
			case start < 0 && want >= 0:
				t.Fatalf("%v in %q from %d: nothing found, want the line at %d", set, buf, at, want)
			}
			if start < 0 {
				break
			}
			if line := at + bytes.LastIndexByte(buf[at:start], '\n') + 1; line != want {
				t.Fatalf("%v in %q from %d: the line at %d, want %d", set, buf, at, line, want)
			}
			if !slices.ContainsFunc(set.Literals, func(l string) bool {
				return begins(buf[start:end], l, set.Fold) && end-start == len(l)
			}) {
				t.Fatalf("%v in %q: wrong end %d", set, buf, end)
			}
			at = nextLine(buf, end)
		}
	}
}

// nextLine returns the start of the next line.
func nextLine(buf []byte, at int) int {
	if n := bytes.IndexByte(buf[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(buf)
}

// TestFinder compares finders with naive in random text.
func TestFinder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	text := func(n int, alphabet string) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = alphabet[random.IntN(len(alphabet))]
		}
		return string(b)
	}
	for range 3000 {
		alphabet := []string{"ab", "abAB", "abcdefgh \n", "xQé"}[random.IntN(4)]
		set := Set{Fold: random.IntN(3) == 0}
		for range 1 + random.IntN(12)*random.IntN(2) {
			word := strings.ReplaceAll(text(1+random.IntN(8), alphabet), "\n", "i")
			if set.Fold {
				word = lowered(word)
			}
			set.Literals = append(set.Literals, word)
		}
		compare(t, set, []byte(text(random.IntN(3000), alphabet)))
	}
}

// TestUnusualText checks that usual text is searched quickly after text with other frequencies of
// bytes, from which a method was learned.
func TestUnusualText(t *testing.T) {
	f := NewFinder(Set{Literals: []string{"handler("}, Fold: true})
	var s State
	slowly := func(line string) (n int) {
		buf := []byte(strings.Repeat(line+"\n", 3*minSample/len(line)))
		for range 10 {
			if start, _, ok := f.Find(&s, buf, 0); start >= 0 {
				t.Fatalf("found at %d of %q", start, line)
			} else if !ok {
				n++
			}
		}
		return n
	}
	// The byte that is rare in the first text is frequent in the second.
	for range 6 {
		slowly("HHHHHH anan (((( elel HHHHHH rrrr")
		if n := slowly("do did add dad odd deed"); n > 1 {
			t.Errorf("usual text was searched slowly %d times of 10", n)
		}
	}
}

// TestLearning compares finders with naive in text of which a method is learned in the middle of a
// line, in a literal: the part of the literal that was looked for is frequent behind.
func TestLearning(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 3))
	pick := func(parts ...string) string { return parts[random.IntN(len(parts))] }
	for range 500 {
		first, last := pick("Handler", "unlock", "Group"), pick("_done", "_wait", ".line")
		set := Set{Literals: []string{first + last, pick("x", "_", "q") + first}}
		line := strings.Repeat(".", random.IntN(8))
		line += strings.Repeat(fmt.Sprintf("%-8.4s", first), enoughMisses-2+random.IntN(4))
		line += ".." + first + last + "\n"
		rest := strings.Repeat(last+" or "+last[1:]+last[:1]+" ne\n", minSample/10)
		compare(t, set, []byte(line+rest))
	}
}
