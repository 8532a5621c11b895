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
	// maxCompared is the maximum number of words that Similar looks at.
	maxCompared = 20_000
	// maxCells is the maximum number of pairs of letters that Similar compares.
	maxCells = 32 << 20
)

// Similar returns at most limit words that resemble word, the best match first. It returns none if
// ctx ends, or if there are more words than it compares, so that the result does not depend on
// their order.
func Similar(ctx context.Context, word string, words iter.Seq[string], limit int) []string {
	type found struct {
		word     string
		distance int
	}
	var near []found
	sorted := func() []found {
		slices.SortFunc(near, func(a, b found) int {
			return cmp.Or(a.distance-b.distance, strings.Compare(a.word, b.word))
		})
		return near[:min(limit, len(near))]
	}
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
			near = append(near, found{w, d})
		}
		if len(near) > 64*limit {
			near = sorted()
		}
	}
	if ctx.Err() != nil {
		return nil
	}
	var result []string
	for _, f := range sorted() {
		result = append(result, f.word)
	}
	return result
}

// comparable reports whether words of these lengths can resemble each other without one containing
// the other.
func comparable(a, b []rune) bool {
	most := (min(len(a), len(b)) + 1) / 3
	return len(a)-len(b) <= most && len(b)-len(a) <= most
}

// distance returns the number of letters that must be inserted, removed, replaced or swapped with
// their neighbours to turn one word into the other. similar reports whether that number is small
// for their length, or one word contains the other.
func distance(a, b []rune) (n int, similar bool) {
	most := (min(len(a), len(b)) + 1) / 3
	if contains(a, b) || contains(b, a) {
		return most + max(len(a), len(b)) - min(len(a), len(b)), true
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
	return last[len(b)], last[len(b)] <= most
}

// contains reports whether part, which must have three letters, is a part of word.
func contains(word, part []rune) bool {
	return len(part) >= 3 && strings.Contains(string(word), string(part))
}
