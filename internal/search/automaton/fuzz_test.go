package automaton

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gander/internal/search/syntax"
)

// FuzzSpans compares the matches with Go's regexp, for patterns and lines that mean the same to it.
func FuzzSpans(f *testing.F) {
	for _, pattern := range spanPatterns() {
		f.Add(pattern, "aaabcabczyx ab")
	}
	f.Fuzz(func(t *testing.T, pattern, line string) {
		pattern, line = keep(pattern, `abcxyz.*+?|()^$[]{}1239,-`), keep(line, "abcxyz -19")
		re, err := regexp.Compile(pattern)
		if err != nil || len(pattern) > 100 || len(line) > 1000 {
			return
		}
		n, err := syntax.Parse(t.Context(), pattern, syntax.Options{})
		if err != nil {
			return // braces and brackets can be characters to Go
		}
		p, err := Compile(t.Context(), n, 1<<16)
		if err != nil {
			return
		}
		var want []Span
		for _, m := range re.FindAllStringIndex(line, -1) {
			want = append(want, Span{Start: int64(m[0]), End: int64(m[1])})
		}
		s := NewSpanner(NewDFA(p, Limits{}))
		if got := all(t, s, &counted{text: []byte(line)}, math.MaxInt); !slices.Equal(got, want) {
			t.Errorf("%q in %q: got %v, want %v", pattern, line, got, want)
		}
	})
}

// keep returns text without characters that are not in chars.
func keep(text, chars string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(chars, r) {
			return r
		}
		return -1
	}, text)
}
