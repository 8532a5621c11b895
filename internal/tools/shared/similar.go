package shared

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"

	"gander/internal/files/text"
)

const (
	// maxCompared is the maximum number of words that Similar examines.
	maxCompared = 20_000
	// maxCells is the maximum number of pairs of letters that Similar compares.
	maxCells = 32 << 20
)

// Similar returns at most limit words that resemble word, best match first. It returns none if ctx
// ends, or if there are too many words to compare: the result must not depend on their order.
func Similar(ctx context.Context, word string, words iter.Seq[string], limit int) []string {
	type match struct {
		word     string
		distance int
	}
	var matches []match // at most limit
	folded := []rune(text.Fold(word))
	compared, cells := 0, 0
	for w := range words {
		letters := []rune(text.Fold(w))
		compared++
		cells += len(folded)
		if comparable(folded, letters) {
			cells += len(folded) * len(letters)
		}
		if compared > maxCompared || cells > maxCells || ctx.Err() != nil {
			return nil
		}
		if d, ok := distance(folded, letters); ok {
			m := match{w, d}
			at, _ := slices.BinarySearchFunc(matches, m, func(a, b match) int {
				return cmp.Or(a.distance-b.distance, strings.Compare(a.word, b.word))
			})
			matches = slices.Insert(matches, at, m)
			matches = matches[:min(limit, len(matches))]
		}
	}
	if ctx.Err() != nil {
		return nil
	}
	var best []string
	for _, m := range matches {
		best = append(best, m.word)
	}
	return best
}

// maxDistance is the maximum distance of words that resemble each other.
func maxDistance(a, b []rune) int { return (min(len(a), len(b)) + 1) / 3 }

// comparable reports whether words of these lengths can resemble each other without one containing
// the other.
func comparable(a, b []rune) bool {
	return max(len(a), len(b))-min(len(a), len(b)) <= maxDistance(a, b)
}

// distance returns the number of letters that must be inserted, removed, replaced or swapped with
// their neighbors to turn one word into the other. similar reports whether the words resemble each
// other: the distance is small for their length, or one word contains the other.
func distance(a, b []rune) (n int, similar bool) {
	limit := maxDistance(a, b)
	if contains(a, b) || contains(b, a) {
		return limit + max(len(a), len(b)) - min(len(a), len(b)), true
	}
	if !comparable(a, b) {
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

// contains reports whether word contains part, which must have at least three letters.
func contains(word, part []rune) bool {
	return len(part) >= 3 && strings.Contains(string(word), string(part))
}
