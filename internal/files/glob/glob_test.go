package glob_test

import (
	"fmt"
	"strings"
	"testing"

	"gander/internal/files/glob"
)

func compile(t testing.TB, pattern string, o glob.Options) *glob.Pattern {
	t.Helper()
	p, err := glob.Compile(pattern, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestMatch(t *testing.T) {
	fold, anyDepth, absolute := glob.Options{IgnoreCase: true}, glob.Options{AnyDepth: true}, glob.Options{Absolute: true}
	for _, tt := range []struct {
		pattern      string
		options      glob.Options
		match, other string // paths that it matches, and some that it does not
	}{
		{"a", glob.Options{}, "a", "b aa a/b b/a A"},
		{"a/b", glob.Options{}, "a/b", "a b a/b/c x/a/b"},
		{"*", glob.Options{}, "a .a é a.b", "a/b"},
		{"*.go", glob.Options{}, "a.go .go", "a/b.go a.goo"},
		{"a*b", glob.Options{}, "ab axb axxb", "a/b axbx"},
		{"?", glob.Options{}, "a é 😀 \xff", "ab a/b"},
		{"a?b", glob.Options{}, "axb", "a/b ab"},

		{"**", glob.Options{}, "a a/b .a/.b", ""},
		{"**/a", glob.Options{}, "a x/a x/y/a", "a/b xa"},
		{"a/**", glob.Options{}, "a a/b a/b/c", "ab ab/c b/a"},
		{"a/**/b", glob.Options{}, "a/b a/x/b a/x/y/b", "a/bb ab"},
		{"**/a/**", glob.Options{}, "a x/a a/b x/a/b/c", "x ab"},
		{"a**b", glob.Options{}, "ab axb", "a/b"},
		{"a/**b", glob.Options{}, "a/b a/xb", "a/x/b"},
		{"**/**/a", glob.Options{}, "a x/y/a", "b"},

		{"[ab]", glob.Options{}, "a b", "c ab"},
		{"[a-cx]y", glob.Options{}, "ay cy xy", "dy y"},
		{"[!a]", glob.Options{}, "b é", "a"},
		{"[^a-c]", glob.Options{}, "d ^", "a b"},
		{"[-a]", glob.Options{}, "- a", "b"},
		{"[a-]", glob.Options{}, "- a", "b"},
		{`[\]]`, glob.Options{}, "]", "a"},
		{`[\-\\]`, glob.Options{}, `- \`, "a"},
		{"[{,}]", glob.Options{}, "{ , }", "a"},
		{"a[!b]c", glob.Options{}, "axc", "abc a/c"},
		{"a[.-9]c", glob.Options{}, "a.c a5c", "a/c"},
		{"a[/x]c", glob.Options{}, "axc", "a/c"},

		{"{a,b}", glob.Options{}, "a b", "c {a,b}"},
		{"{a,b/**}", glob.Options{}, "a b b/c", "a/c"},
		{"{,a}b", glob.Options{}, "b ab", "a"},
		{"x{,/**}", glob.Options{}, "x x/y", "xy"},
		{"{a,{b,c{d,e}}}", glob.Options{}, "a b cd ce", "c d"},
		{"{**/a,b}/c", glob.Options{}, "a/c x/a/c b/c", "x/b/c"},

		{`\*\?\{\[\!`, glob.Options{}, "*?{[!", "a"},
		{`a\é`, glob.Options{}, "aé", `a\é`},
		{`a\/b`, glob.Options{}, "a/b", `a\/b`},
		{`\!a`, glob.Options{}, "!a", "a"},
		{"~a", glob.Options{}, "~a", "a"},
		{"*~", glob.Options{}, "a~", "~a"},
		{"a/~", glob.Options{}, "a/~", "~"},
		{"...", glob.Options{}, "...", ".."},
		{".*", glob.Options{}, ".a ..a", "a"},
		{"cc:/a", glob.Options{}, "cc:/a", "a"},

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

		{"/a/**", absolute, "/a /a/b", "a a/b"},
		{"a/b", absolute, "a/b", "/a/b"},
		{"C:/a/*", absolute, "C:/a/b", "C:/a C:/a/b/c"},
		{"//server/share/**", absolute, "//server/share //server/share/a", "/server/share"},
	} {
		p := compile(t, tt.pattern, tt.options)
		for _, path := range strings.Fields(tt.match) {
			if !p.Match(path) {
				t.Errorf("%s does not match %s", tt.pattern, path)
			}
		}
		for _, path := range strings.Fields(tt.other) {
			if p.Match(path) {
				t.Errorf("%s matches %s", tt.pattern, path)
			}
		}
	}
}

// TestCompileError has patterns that are not well-formed or can match nothing.
func TestCompileError(t *testing.T) {
	const (
		malformed = `every "[" needs a character and a "]", every "{" a "}", and every "\" a character after it`
		backslash = `a backslash quotes the character after it; separate directories with "/"`
		absolute  = "it is absolute, and only relative paths are matched"
		empty     = `no path has an empty component, as "a/", "a//b" and "{a,}" have`
		home      = `"~" does not stand for a home directory; write the path in full`
		dot       = `no path has a component "."`
		dots      = `no path has a component ".."`
	)
	for pattern, want := range map[string]string{
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
		"[/]":                       "a class that holds only a slash matches nothing",
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
		"[.]":                       dot,
		"[..]/a":                    dot,
		"..":                        dots,
		"../x":                      dots,
		"a/../b":                    dots,
		"**/..":                     dots,
		`.[\.]/a`:                   dots,
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
		_, err := glob.Compile(pattern, glob.Options{})
		if want = fmt.Sprintf("glob %.100q: %s", pattern, want); err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
	for _, pattern := range []string{"/", "/a/", "/../a", "/a//b", "///a", "C:", "C:/", "C:/../a", `C:\a`, "C://a", "//", "", "."} {
		if _, err := glob.Compile(pattern, glob.Options{Absolute: true}); err == nil {
			t.Errorf("%q is accepted for absolute paths", pattern)
		}
	}
}

func TestUnchecked(t *testing.T) {
	p := glob.Unchecked("a/", "[", "b[^x]", "/c")
	for path, want := range map[string]bool{"a/": true, "a": false, "[": false, "b/": true, "bx": false, "/c": true, "c": false} {
		if p.Match(path) != want {
			t.Errorf("%q: %v", path, !want)
		}
	}
}

func TestMatchAllocatesNothing(t *testing.T) {
	p := compile(t, "**/{.ssh,*.[pk]em}/**", glob.Options{})
	if n := testing.AllocsPerRun(100, func() { p.Match("home/user/project/src/main.go") }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkMatch(b *testing.B) {
	for _, pattern := range []string{"id_rsa*", "*.pem", ".ssh", "**/*.pem", "**/.ssh/**", "**/node_modules/**", "src/**/*_test.go", "**/*.{js,ts,jsx,tsx}"} {
		for _, o := range []glob.Options{{}, {IgnoreCase: true}} {
			b.Run(fmt.Sprintf("%s/fold=%v", strings.ReplaceAll(pattern, "/", ":"), o.IgnoreCase), func(b *testing.B) {
				p := compile(b, pattern, o)
				path := "src/components/deep/button_test.go"
				if !strings.Contains(pattern, "/") {
					path = "button_test.go"
				}
				b.ReportAllocs()
				for b.Loop() {
					p.Match(path)
				}
			})
		}
	}
}
