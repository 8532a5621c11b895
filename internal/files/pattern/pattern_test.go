package pattern_test

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"gander/internal/files/pattern"
	"gander/internal/files/text"
	"gander/internal/testkit"
	"gander/internal/testkit/tooltest"
)

// match reports whether a pattern matches a path.
func match(t *testing.T, s pattern.Syntax, glob string, fold bool, path string) bool {
	t.Helper()
	p, err := pattern.NewCompiler(t.Context()).Compile(s, glob, fold)
	if err != nil {
		t.Fatalf("%q: %v", glob, err)
	}
	return pattern.Match(new(pattern.Work), p, path)
}

// TestMatch checks files whose lines have fields separated by tabs: a pattern, paths that it
// matches, paths that it does not match, and "fold" if case is ignored. The paths of minimatch.txt
// are from the npm package minimatch 10.2.6 with the option dot. Most of its patterns are random,
// without the documented differences.
func TestMatch(t *testing.T) {
	for file, syntax := range map[string]pattern.Syntax{
		"path.txt": pattern.Path, "minimatch.txt": pattern.Minimatch,
	} {
		data, err := os.ReadFile("testdata/" + file)
		testkit.Must(t, err)
		for line := range strings.Lines(string(data)) {
			fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			fold := len(fields) > 3
			for i, paths := range fields[1:3] {
				for path := range strings.FieldsSeq(paths) {
					if fold {
						path = text.Fold(path)
					}
					if got := match(t, syntax, fields[0], fold, path); got != (i == 0) {
						t.Errorf("%s: %q and %q: got %v", file, fields[0], path, got)
					}
				}
			}
		}
	}
	if !match(t, pattern.Path, "?", false, "\xff") {
		t.Error("a byte that is not UTF-8 is no unit")
	}
}

func TestErrors(t *testing.T) {
	check := func(s pattern.Syntax, glob, want string) {
		t.Helper()
		_, err := pattern.NewCompiler(t.Context()).Compile(s, glob, false)
		if got := fmt.Sprint(err); got != want {
			t.Errorf("%.100q\ngot  %s\nwant %s", glob, got, want)
		}
	}
	syntaxes := map[string]pattern.Syntax{"path": pattern.Path, "minimatch": pattern.Minimatch}
	for heading, globs := range tooltest.Rows(t, "errors.txt") {
		syntax, want, _ := strings.Cut(heading, " ")
		for glob := range strings.SplitSeq(globs, "\n") {
			check(syntaxes[syntax], glob, want)
		}
	}
	check(pattern.Path, "", "it is empty")
	check(pattern.Path, "a\x00", "it contains a NUL")
	check(pattern.Path, strings.Repeat("a", 4097), "it is longer than 4096 bytes")
	check(pattern.Path, strings.Repeat("{a,b}", 30), pattern.ErrTooLarge.Error())
	check(pattern.Path, strings.Repeat("{,}", 500), pattern.ErrTooLarge.Error())
}

func TestMatchAllocatesNothing(t *testing.T) {
	c := pattern.NewCompiler(t.Context())
	p, err := c.Compile(pattern.Path, "**/{.ssh,*.[pk]em}/**", false)
	testkit.Must(t, err)
	if n := testing.AllocsPerRun(100, func() {
		pattern.Match(new(pattern.Work), p, "home/user/project/src/main.go")
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestSlashed(t *testing.T) {
	for glob, want := range map[string]string{
		`sec\**`: "sec/**", `**\*.pem`: "**/*.pem", `src\a\b.go`: "src/a/b.go",
		`\\srv\share`: "//srv/share",
		`a\[b\]`:      `a\[b\]`, `\!a`: `\!a`, `a\!b`: "a/!b", `{a\,b,c\d}`: `{a\,b,c/d}`, `a\,b`: "a/,b",
		`[\]]\x`: `[\]]/x`, `a\`: "a/", `a[\b`: `a[/b`, `\{a\}`: `\{a\}`,
	} {
		if got := pattern.Slashed(glob); got != want {
			t.Errorf("%s: got %s, want %s", glob, got, want)
		}
	}
}

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
