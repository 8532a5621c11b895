package similar

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestSimilar(t *testing.T) {
	words := []string{"main.go", "Main_test.go", "mian", "other", "x", "maine.go", "strings.go"}
	for word, want := range map[string][]string{
		"main.g": {"maine.go", "main.go"}, "MIAN.go": {"main.go", "maine.go"}, "zzz": nil, "": nil,
		"strngs.go": {"strings.go"}, "string": {"strings.go"},
	} {
		if got := Words(t.Context(), word, slices.Values(words), 2); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", word, got, want)
		}
	}
}

// TestSimilarIsBounded checks that the result is empty beyond the bounds of the number of words and
// letters, or after the end of the context.
func TestSimilarIsBounded(t *testing.T) {
	many := func(name string, count *int) func(func(string) bool) {
		return func(yield func(string) bool) {
			for *count = 0; *count < 120_000; *count++ {
				if !yield(fmt.Sprintf("%s%06d", name, *count)) {
					return
				}
			}
		}
	}
	for _, tt := range []struct {
		word, name string
		most       int
	}{
		{"misspelt", "mispelt", maxCompared},
		{strings.Repeat("long", 60), strings.Repeat("lnog", 60), 600},
	} {
		count := 0
		if got := Words(t.Context(), tt.word, many(tt.name, &count), 5); got != nil || count > tt.most {
			t.Errorf("%d words are compared, with the result %q", count, got)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := Words(ctx, "a", slices.Values([]string{"a"}), 1); got != nil {
		t.Errorf("after the context has ended: %q", got)
	}
}
