package match

import (
	"slices"
	"testing"

	"gander/internal/search/automaton"
)

func TestSpans(t *testing.T) {
	for _, c := range []struct {
		pattern, line string
		want          []Span
	}{
		{`a|ab`, "abab", []Span{{Start: 0, End: 1}, {Start: 2, End: 3}}},
		{`ab|a`, "aab", []Span{{Start: 0, End: 1}, {Start: 1, End: 3}}},
		{`a*`, "baac", []Span{{Start: 0, End: 0}, {Start: 1, End: 3}, {Start: 4, End: 4}}},
		{`a+?`, "aa", []Span{{Start: 0, End: 1}, {Start: 1, End: 2}}},
		{`(?U)a+`, "aa", []Span{{Start: 0, End: 1}, {Start: 1, End: 2}}},
		{`(|a)+`, "aa", []Span{{Start: 0, End: 0}, {Start: 1, End: 1}, {Start: 2, End: 2}}},
		{`aa`, "aaaaa", []Span{{Start: 0, End: 2}, {Start: 2, End: 4}}},
		{`.`, "é\xff中", []Span{{Start: 0, End: 2}, {Start: 3, End: 6}}},
		{`(?-u:\xe9)`, "\xe9é", []Span{{Start: 0, End: 1}}},
		{`$`, "a\r", []Span{{Start: 2, End: 2}}},
		{`\b`, "a é", []Span{{Start: 0, End: 0}, {Start: 1, End: 1}, {Start: 2, End: 2}, {Start: 4, End: 4}}},
		{`\x61?\B `, "1_ a- \t", []Span{{Start: 5, End: 6}}},
		{`[^ab]?\b{3}-`, "_b-A", []Span{{Start: 2, End: 3}}},
	} {
		m, err := Compile(t.Context(), c.pattern, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := m.NewSearcher(automaton.Limits{}).Spans(nil, []byte(c.line)); !slices.Equal(got, c.want) {
			t.Errorf("%s in %q: %v, want %v", c.pattern, c.line, got, c.want)
		}
	}
}
