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
		word     string
		distance int
	}
	var matches []match
	folded := []rune(text.Fold(word))
	compared, cells := 0, 0
	for w := range words {
		letters := []rune(text.Fold(w))
		compared++
		cells += len(folded) * (len(letters) + 1)
		if compared > maxCompared || cells > maxCells || ctx.Err() != nil {
			return nil
		}
		if d, ok := distance(folded, letters); ok {
			matches = append(matches, match{w, d})
		}
	}
	if ctx.Err() != nil {
		return nil
	}
	slices.SortFunc(matches, func(a, b match) int {
		return cmp.Or(a.distance-b.distance, strings.Compare(a.word, b.word))
	})
	var best []string
	for _, m := range matches[:min(limit, len(matches))] {
		best = append(best, m.word)
	}
	return best
}

// distance returns the number of letters that must be inserted, removed, replaced or swapped with
// their neighbors to turn one word into the other. similar reports whether the words resemble each
// other: the distance is small for their length, or one word contains the other.
func distance(a, b []rune) (n int, similar bool) {
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
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)], last[len(b)] <= limit
}
