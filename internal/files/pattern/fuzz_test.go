package pattern

import (
	"strings"
	"testing"
)

// follow is run without its sets: it tries all ways through a program, and remembers those that
// fail.
func follow(prog, text string, narrow bool) bool {
	type place struct{ p, i int }
	failed := map[place]bool{}
	var try func(p, i int) bool
	step := func(p, i int) bool {
		if p == len(prog) {
			return i == len(text)
		}
		c, size := rune(-1), 0
		if i < len(text) {
			c, size = unit(text, i, narrow)
		}
		switch prog[p] {
		case opAny:
			return size > 0 && c != '/' && try(p+1, i+size)
		case opStar:
			return try(p+1, i) || size > 0 && c != '/' && try(p, i+size)
		case opLine:
			return try(p+1, i) || size > 0 && !isLineEnd(c) && try(p, i+size)
		case opAll:
			return try(p+1, i) || size > 0 && try(p, i+size)
		case opTail:
			return size == 0 || c == '/' && try(p+1, i+size)
		case opDeep:
			if size == 0 {
				return p+2 == len(prog) || prog[p+2] == opAll && try(p+2, i)
			}
			slash := strings.IndexByte(text[i:], '/')
			return try(p+2, i) || slash >= 0 && try(p, i+slash+1)
		case opClass:
			in, n := inClass(prog[p:], c)
			return size > 0 && in && try(p+n, i+size)
		case opQuote:
			p++
		}
		want, n := unit(prog, p, narrow)
		return size > 0 && c == want && try(p+n, i+size)
	}
	try = func(p, i int) bool {
		at := place{p, i}
		if failed[at] {
			return false
		}
		ok := step(p, i)
		failed[at] = !ok
		return ok
	}
	return try(0, 0)
}

// checkAlternatives compares a compiled pattern with the reference.
func checkAlternatives(t *testing.T, alternatives []Program, path string, narrow bool) {
	for _, a := range alternatives {
		text := path
		if a.utf16 {
			text = units(path)
		}
		want := strings.HasPrefix(text, a.prefix) && follow(a.code, text[len(a.prefix):], narrow)
		if got := matches(new(Work), &a, text, narrow); got != want {
			t.Errorf("%q, program %q, and %q: got %v", a.prefix, a.code, text, got)
		}
	}
}

// FuzzPattern compiles a pattern in every syntax, and compares the matcher with the reference.
func FuzzPattern(f *testing.F) {
	for _, seed := range [][2]string{
		{"**/{a,b}*[!c]", "x/ab"},
		{`\{a[\]]**`, "{a]b"},
		{"a/{b,**/c}/?", "a/x/c/d"},
		{"[a-z/.]x", ".x"},
		{"**/*~", "a/b~"}, // paths
		{"**/a*/b", "x/aa/a/b"},
		{`a/**\/b**/*c`, "a/x/b/cc"},
		{"**/*a*b/**/?[!a]c/**", "b/aab/b/a/xbc/c"},
		{"*a*b*[ab]", "aababab"},
		{"**a/**", "a/b"}, // git
		{"[[:alpha:]-z]", "z"},
		{"/a/*[!]", "a"},
		{"[--a]", "."},
		{`[\`, "["},
		{"{a,b}.{c,{d,}}", "b.d"},
		{`\!a?[!b-d]`, "!axe"},
		{"[]-]", "-"},
		{"*{.a,}", "x.a"},
		{"é*", "éa"},
		{" a ", " a"},
		{"{**/a,b}", "x/a"}, // ripgrep
		{"a*b?c", "axxbyc"},
		{"??", "😀"},
		{"*", "a\nb"},
		{"**a*", "ba"},
		{`\*`, `\x`}, // gemini
		{"a!(b|c)d", "axd"},
		{"[]a]", "]"},
		{"?(", "a("},
		{"@(a|?(b))c", "bc"},
		{"${a,b}", "${a,b}"},
		{"[[:graph:]^]", " "},
		{"{a},b}", "{a}"},
		{"*\u00e9\x08", "x\u00e9\x08"}, // minimatch
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, pattern, path string) {
		if len(pattern) > 60 || len(path) > 60 {
			t.Skip("long")
		}
		ctx := t.Context()
		for _, s := range []Syntax{Path, Toolkit, Gemini, Minimatch} {
			p, err := NewCompiler(ctx).Compile(s, pattern, false)
			if err != nil {
				continue
			}
			checkAlternatives(t, p.alternatives, path, false)
			if _, err := NewCompiler(ctx).Compile(s, pattern, s == Path); err != nil {
				t.Errorf("%q does not compile ignoring case: %v", pattern, err)
			}
			if s != Minimatch || pattern == "" || pattern[0] == '#' {
				continue
			}
			if n, err := NewCompiler(ctx).Compile(s, "!"+pattern, false); err != nil || n.Match(path) == p.Match(path) {
				t.Errorf("%q and its negation agree about %q: %v", pattern, path, err)
			}
		}
		if l, err := CompileList(ctx, []string{pattern}); err == nil {
			for _, g := range l.globs {
				checkAlternatives(t, g.alternatives, path, true)
			}
		}
		if p, ok := Gitignore(pattern); ok {
			checkAlternatives(t, []Program{p}, path, true)
		}
		if s := Slashed(pattern); len(s) != len(pattern) {
			t.Errorf("%q becomes %q", pattern, s)
		}
	})
}
