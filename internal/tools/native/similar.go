package native

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"gander/internal/files/text"
)

// similar returns the words that resemble word, at most so many, the most similar first.
func similar(word string, words iter.Seq[string], most int) []string {
	type found struct {
		word     string
		distance int
	}
	var near []found
	closest := func() []found {
		slices.SortFunc(near, func(a, b found) int { return cmp.Or(a.distance-b.distance, strings.Compare(a.word, b.word)) })
		return near[:min(most, len(near))]
	}
	folded := []rune(text.Fold(word))
	for w := range words {
		if d, ok := distance(folded, []rune(text.Fold(w))); ok {
			near = append(near, found{w, d})
		}
		if len(near) > 64*most {
			near = closest()
		}
	}
	var result []string
	for _, f := range closest() {
		result = append(result, f.word)
	}
	return result
}

// distance returns how many letters must be inserted, removed, replaced or swapped with their neighbours to turn one word
// into the other, and whether they resemble each other: that number is small for their length, or one contains the other.
func distance(a, b []rune) (n int, similar bool) {
	most := (min(len(a), len(b)) + 1) / 3
	if contains(a, b) || contains(b, a) {
		return most + max(len(a), len(b)) - min(len(a), len(b)), true
	}
	if len(a)-len(b) > most || len(b)-len(a) > most {
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
