package filesystem

import (
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"gander/internal/testkit/tooltest"
)

// TestHostilePatterns checks that patterns with exponential time in the original are rejected
// immediately, with the name of the construct.
func TestHostilePatterns(t *testing.T) {
	files := map[string]string{}
	for i := range 200 {
		files[strings.Repeat("a", 1+i)] = ""
	}
	tools := open(t, write(t, files))
	const negated = ": !(...) is not supported; use @(...), ?(...) or braces"
	const tooLarge = "patterns: too large together once their braces are expanded; " +
		"use fewer or shorter ones"
	for _, tt := range []struct {
		message  string
		patterns []string
	}{
		{`pattern "!(a)"` + negated, []string{"x" + strings.Repeat("!(a)", 40)}},
		{`pattern "!(a|b|c|d)"` + negated, []string{"x" + strings.Repeat("!(a|b|c|d)", 14)}},
		{`pattern "!(a)"` + negated, []string{strings.Repeat("*!(a)*", 12)}},
		{
			`pattern "{1..80000}": ranges in braces are not supported; list the alternatives`,
			slices.Repeat([]string{"{1..80000}"}, 400),
		},
		{tooLarge, slices.Repeat([]string{"**/" + strings.Repeat("*a", 20_000)}, 20)},
		{tooLarge, []string{strings.Repeat("{a,b}", 40)}},
		{tooLarge, []string{strings.Repeat("@(a|b)", 40)}},
		{tooLarge, []string{"*", strings.Repeat("x", 70_000)}},
	} {
		for name, args := range map[string]map[string]any{
			"search_files":   {"path": ".", "pattern": "**", "excludePatterns": tt.patterns},
			"directory_tree": {"path": ".", "excludePatterns": tt.patterns},
		} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			_, failure := call(t, tools[name], args, 1<<20)
			got := tooltest.Describe(failure)
			if got != "bad_arguments: "+tt.message {
				t.Errorf("%s: got %s, want %s", name, got, tt.message)
			}
			runtime.ReadMemStats(&after)
			took, n := time.Since(start), after.TotalAlloc-before.TotalAlloc
			if took > time.Minute || n > 64<<20 {
				t.Errorf("%s of %.20s: %v and %d MiB", name, tt.patterns, took, n>>20)
			}
		}
	}
}
