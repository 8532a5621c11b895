// Package similar finds the words that resemble a misspelled one.
package similar

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"

	"gander/internal/files/text"
)

const (
	maxCompared = 20_000   // words
	maxCells    = 32 << 20 // pairs of letters
)

// Words returns at most limit words that resemble word, best match first. It returns none if ctx
// ends, or if there are too many words to compare: the result must not depend on their order.
func Words(ctx context.Context, word string, words iter.Seq[string], limit int) []string {
	type match struct {
		word       string
		difference int
	}
	var matches []match
	folded := []rune(text.Alike(word))
	compared, cells := 0, 0
	for w := range words {
		letters := []rune(text.Alike(w))
		compared++
		cells += len(folded) * (len(letters) + 1)
		if compared > maxCompared || cells > maxCells || ctx.Err() != nil {
			return nil
		}
		if n, ok := difference(folded, letters); ok {
			matches = append(matches, match{w, n})
		}
	}
	if ctx.Err() != nil {
		return nil
	}
	slices.SortFunc(matches, func(a, b match) int {
		return cmp.Or(a.difference-b.difference, strings.Compare(a.word, b.word))
	})
	var best []string
	for _, m := range matches[:min(limit, len(matches))] {
		best = append(best, m.word)
	}
	return best
}

// difference returns how much two words differ. It reports whether they resemble each other: they
// differ little for their length, or one contains the other.
func difference(a, b []rune) (n int, similar bool) {
	shorter, longer := a, b
	if len(a) > len(b) {
		shorter, longer = b, a
	}
	limit, more := (len(shorter)+1)/3, len(longer)-len(shorter)
	switch {
	case len(shorter) >= 3 && strings.Contains(string(longer), string(shorter)):
		return limit + more, true
	case more > limit:
		return 0, false
	}
	n = distance(a, b)
	return n, n <= limit
}

// distance returns the number of letters that must be inserted, removed, replaced or swapped with
// their neighbors to turn one word into the other.
func distance(a, b []rune) int {
	// Element j of a row is the distance between the letters of a so far and the first j letters of b.
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range a {
		row[0] = i + 1
		for j := range b {
			change := 1
			if a[i] == b[j] {
				change = 0
			}
			row[j+1] = min(last[j]+change, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && areSwapped(a[i-1:], b[j-1:]) {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

// areSwapped reports whether two words begin with the same two letters in a different order.
func areSwapped(a, b []rune) bool { return a[0] == b[1] && a[1] == b[0] }
