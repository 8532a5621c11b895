package pattern_test

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"gander/internal/files/pattern"
)

// hostile returns lists of patterns that cost much time or memory without bounds.
func hostile() map[string][]string {
	return map[string][]string{
		"negations":              {strings.Repeat("!(a)", 40)},
		"negations of choices":   {strings.Repeat("!(a|b|c|d)", 14)},
		"stars and negations":    {strings.Repeat("*!(a)*", 12)},
		"ranges":                 slices.Repeat([]string{"{1..80000}"}, 400),
		"long excludes":          slices.Repeat([]string{"**/" + strings.Repeat("*a", 20_000)}, 20),
		"many patterns":          slices.Repeat([]string{"**/some*name*.log"}, 100_000),
		"deep braces":            {strings.Repeat("{", 4000)},
		"deep braces and ends":   {strings.Repeat("{a,", 1000) + "b" + strings.Repeat("}", 1000)},
		"nested braces":          {strings.Repeat("{{a,b},", 300) + "c" + strings.Repeat("}", 300)},
		"products":               {strings.Repeat("{a,b}", 60)},
		"empty products":         {strings.Repeat("{,}", 1300)},
		"groups":                 {strings.Repeat("@(a|b)", 60)},
		"deep groups":            {strings.Repeat("@(", 10_000) + "a" + strings.Repeat(")", 10_000)},
		"open groups":            {strings.Repeat("@(", 30_000)},
		"half groups":            {strings.Repeat("{a},b", 10_000)},
		"classes":                {"*[" + strings.Repeat("a-zA-Z", 600) + "]*"},
		"a huge class":           {"[" + strings.Repeat("\u00e9\u4e00", 10_000) + "]*"},
		"named classes":          {strings.Repeat("[[:alpha:][:punct:]]", 2000)},
		"open classes":           {strings.Repeat("[", 60_000)},
		"open named classes":     {strings.Repeat("[[:", 20_000)},
		"stars":                  {strings.Repeat("*a", 2000)},
		"components":             {strings.Repeat("**/", 1300) + "b"},
		"components and classes": {strings.Repeat("**/*[!b]*/", 400) + "b"},
	}
}

// TestHostile checks that the time and memory to compile and match any list of patterns are
// bounded, in every syntax.
func TestHostile(t *testing.T) {
	long := strings.Repeat(strings.Repeat("a", 250)+"/", 16)
	paths := slices.Repeat([]string{"src/main.go"}, 1000)
	paths = append(paths, long+"c", strings.Repeat("a/", 5000)+"c")
	for name, list := range hostile() {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer cancel()
			for syntax := pattern.Path; syntax <= pattern.Minimatch; syntax++ {
				c := pattern.NewCompiler(ctx)
				w := pattern.NewWork(ctx)
				for _, p := range list {
					compiled, err := c.Compile(syntax, p, false)
					if err != nil {
						break
					}
					for _, path := range paths {
						pattern.Match(&w, compiled, path)
					}
				}
			}
			if l, err := pattern.CompileList(ctx, list); err == nil {
				for _, path := range paths {
					l.Match([]byte(path), false)
				}
			}
			w := pattern.NewWork(ctx)
			for _, p := range list[:min(len(list), 1000)] {
				c := pattern.NewCompiler(ctx)
				if p, err := c.Compile(pattern.Ignore, p[:min(len(p), 4096)], false); err == nil {
					pattern.Match(&w, p, []byte(long))
				}
			}
			if took := time.Since(start); took > time.Minute { // without bounds: many minutes
				t.Errorf("it took %v", took)
			}
			runtime.ReadMemStats(&after)
			if n := after.TotalAlloc - before.TotalAlloc; n > 400<<20 {
				t.Errorf("it allocated %d MiB", n>>20)
			}
		})
	}
}
