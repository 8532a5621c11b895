package filesystem

import (
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"gander/tool"
)

// TestHostilePatterns checks that patterns which upstream expands or matches in exponential time are rejected
// immediately, with their construct named.
func TestHostilePatterns(t *testing.T) {
	files := map[string]string{}
	for i := range 200 {
		files[strings.Repeat("a", 1+i)] = ""
	}
	tools := open(t, write(t, files))
	long := "**/" + strings.Repeat("*a", 20_000)
	for want, patterns := range map[string][]string{
		`pattern "!(a)": !(...) is not supported; use @(...), ?(...) or braces`:                    {"x" + strings.Repeat("!(a)", 40)},
		`pattern "!(a|b|c|d)": !(...) is not supported; use @(...), ?(...) or braces`:              {"x" + strings.Repeat("!(a|b|c|d)", 14)},
		`pattern "!(a)": !(...) is not supported; use @(...), ?(...) or braces `:                   {strings.Repeat("*!(a)*", 12)},
		`pattern "{1..80000}": ranges in braces are not supported; list the alternatives`:          slices.Repeat([]string{"{1..80000}"}, 400),
		"patterns: too large together once their braces are expanded; use fewer or shorter ones":   slices.Repeat([]string{long}, 20),
		"patterns: too large together once their braces are expanded; use fewer or shorter ones ":  {strings.Repeat("{a,b}", 40)},
		"patterns: too large together once their braces are expanded; use fewer or shorter ones  ": {strings.Repeat("@(a|b)", 40)},
	} {
		for name, args := range map[string]map[string]any{
			"search_files":   {"path": ".", "pattern": "**", "excludePatterns": patterns},
			"directory_tree": {"path": ".", "excludePatterns": patterns},
		} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			_, failure := call(t, tools[name], args, 1<<20)
			if failure == nil || failure.Kind != tool.BadArguments || failure.Message != strings.TrimRight(want, " ") {
				t.Errorf("%s: got %v, want %s", name, failure, want)
			}
			runtime.ReadMemStats(&after)
			if took, n := time.Since(start), after.TotalAlloc-before.TotalAlloc; took > time.Minute || n > 64<<20 {
				t.Errorf("%s of %.20s: %v and %d MiB", name, patterns, took, n>>20)
			}
		}
	}
}
