package pattern_test

import (
	"strings"
	"testing"

	"gander/internal/files/pattern"
	"gander/internal/files/text"
)

type options uint8

const (
	plain    options = iota
	fold             // ignoring case
	anyDepth         // without a slash at any depth
)

func compile(t testing.TB, glob string, o options) *pattern.Pattern {
	t.Helper()
	if o == anyDepth && !strings.Contains(glob, "/") {
		glob = "**/" + glob
	}
	p, err := pattern.NewCompiler(t.Context()).Compile(pattern.Path, glob, o == fold)
	if err != nil {
		t.Fatalf("%q: %v", glob, err)
	}
	return p
}

func TestPath(t *testing.T) {
	for _, tt := range []struct {
		pattern      string
		options      options
		match, other string // paths that it matches, and some that it does not
	}{
		{"a", plain, "a", "b aa a/b b/a A"},
		{"a/b", plain, "a/b", "a b a/b/c x/a/b"},
		{"*", plain, "a .a é a.b", "a/b"},
		{"*.go", plain, "a.go .go", "a/b.go a.goo"},
		{"a*b", plain, "ab axb axxb", "a/b axbx"},
		{"?", plain, "a é 😀 \xff", "ab a/b"},
		{"a?b", plain, "axb", "a/b ab"},

		{"**", plain, "a a/b .a/.b", ""},
		{"**/a", plain, "a x/a x/y/a", "a/b xa"},
		{"a/**", plain, "a/b a/b/c", "a ab ab/c b/a"},
		{"a/**/b", plain, "a/b a/x/b a/x/y/b", "a/bb ab"},
		{"**/a/**", plain, "a/b x/a/b/c", "a x/a x ab"},
		{"a**b", plain, "ab axb", "a/b"},
		{"a/**b", plain, "a/b a/xb", "a/x/b"},
		{"**/**/a", plain, "a x/y/a", "b"},

		{"[ab]", plain, "a b", "c ab"},
		{"[a-cx]y", plain, "ay cy xy", "dy y"},
		{"[!a]", plain, "b é", "a"},
		{"[^a-c]", plain, "d ^", "a b"},
		{"[-a]", plain, "- a", "b"},
		{"[a-]", plain, "- a", "b"},
		{`[\]]`, plain, "]", "a"},
		{`[\-\\]`, plain, `- \`, "a"},
		{"[{,}]", plain, "{ , }", "a"},
		{"a[!b]c", plain, "axc", "abc a/c"},
		{"a[.-9]c", plain, "a.c a5c", "a/c"},
		{"a[/x]c", plain, "axc", "a/c"},

		{"{a,b}", plain, "a b", "c {a,b}"},
		{"{a,b/**}", plain, "a b/c", "b a/c"},
		{"{,a}b", plain, "b ab", "a"},
		{"x{,/**}", plain, "x x/y", "xy"},
		{"{a,{b,c{d,e}}}", plain, "a b cd ce", "c d"},
		{"{**/a,b}/c", plain, "a/c x/a/c b/c", "x/b/c"},

		{`\*\?\{\[\!`, plain, "*?{[!", "a"},
		{`a\é`, plain, "aé", `a\é`},
		{`a\/b`, plain, "a/b", `a\/b`},
		{`\!a`, plain, "!a", "a"},
		{"~a", plain, "~a", "a"},
		{"*~", plain, "a~", "~a"},
		{"a/~", plain, "a/~", "~"},
		{"...", plain, "...", ".."},
		{".*", plain, ".a ..a", "a"},
		{"cc:/a", plain, "cc:/a", "a"},

		{"*.Go", fold, "a.go A.GO", "a.goo"},
		{"É[à-ü]", fold, "éÀ ÉÜ", "ea"},
		{"[A-z]", fold, "a B _", "1"},
		{"[!a-z]", fold, "1 _", "a A"},
		{"[K]", fold, "k K \u212a", "x"},
		{"ß\u017f", fold, "ßs ẞS", "sss"},
		{"[ab]*.X", fold, "A.x bb.X", "c.x"},

		{"*.go", anyDepth, "a.go x/y/a.go", "a.goo"},
		{"a", anyDepth, "a x/a", "a/x"},
		{"{a,b}", anyDepth, "a x/b", "x/c"},
		{"a/*.go", anyDepth, "a/b.go", "x/a/b.go"},
		{"**", anyDepth, "a a/b", ""},
	} {
		p := compile(t, tt.pattern, tt.options)
		for _, path := range strings.Fields(tt.match) {
			if !pattern.Match(new(pattern.Work), p, spelled(path, tt.options)) {
				t.Errorf("%s does not match %s", tt.pattern, path)
			}
		}
		for _, path := range strings.Fields(tt.other) {
			if pattern.Match(new(pattern.Work), p, spelled(path, tt.options)) {
				t.Errorf("%s matches %s", tt.pattern, path)
			}
		}
	}
}

func TestPathErrors(t *testing.T) {
	const (
		malformed = `every "[" needs a character and a "]", every "{" a "}", ` +
			`and every "\" a character after it`
		backslash = `a backslash quotes the character after it; separate directories with "/"`
		absolute  = "it is absolute, and only relative paths are matched"
		empty     = `no path has an empty component, as "a/", "a//b" and "{a,}" have`
		home      = `"~" does not stand for a home directory; write the path in full`
		dot       = `no path has a component "."`
		dots      = `no path has a component ".."`
	)
	for glob, want := range map[string]string{
		"":                          "it is empty",
		"a\x00":                     "it contains a NUL",
		"!a":                        `"!" does not negate; write "\!" for a name that begins with it`,
		"[a":                        malformed,
		"[]":                        malformed,
		"[]a]":                      malformed,
		"[!]":                       malformed,
		"**/{a":                     malformed,
		"a}":                        malformed,
		`a\`:                        malformed,
		"[/]":                       malformed,
		"[z-a]":                     "the range z-a is reversed",
		"/a":                        absolute,
		"{a,/b}":                    absolute,
		"C:/a":                      absolute,
		"c:":                        absolute,
		"//s/s":                     absolute,
		`C:\a\**`:                   backslash,
		`\\s\s\**`:                  backslash,
		`a\b`:                       backslash,
		`a/b\c.*`:                   backslash,
		"~":                         home,
		"~/.ssh":                    home,
		"{~/a,b}":                   home,
		".":                         dot,
		"./a":                       dot,
		"a/./b":                     dot,
		"a/.":                       dot,
		`\.`:                        dot,
		"..":                        dots,
		"../x":                      dots,
		"a/../b":                    dots,
		"**/..":                     dots,
		"{.,a}{.,b}":                dots,
		"{sub/../a,c}":              dots,
		"a/":                        empty,
		"a//b":                      empty,
		`a\/`:                       empty,
		"**/":                       empty,
		"{a,}":                      empty,
		"{}":                        empty,
		"{a/,c/}":                   empty,
		"{a,b/}/c":                  empty,
		strings.Repeat("{a,b}", 30): "its braces stand for too many alternatives",
		strings.Repeat("{,}", 500):  "its braces stand for too many alternatives",
		strings.Repeat("a", 4097):   "it is longer than 4096 bytes",
	} {
		_, err := pattern.NewCompiler(t.Context()).Compile(pattern.Path, glob, false)
		if err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

func spelled(path string, o options) string {
	if o == fold {
		return text.Fold(path)
	}
	return path
}

func TestMatchAllocatesNothing(t *testing.T) {
	p := compile(t, "**/{.ssh,*.[pk]em}/**", plain)
	if n := testing.AllocsPerRun(100, func() { pattern.Match(new(pattern.Work), p, "home/user/project/src/main.go") }); n != 0 {
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
