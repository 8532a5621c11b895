package pattern

import (
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"gander/internal/files/text"
)

// follow is run without its sets: it tries all paths through the code, and remembers those that
// fail.
func follow(prog *program, text []rune) bool {
	type place struct{ p, i int }
	code, failed := prog.code, map[place]bool{}
	var try func(p, i int) bool
	step := func(p, i int) bool {
		if p == len(code) {
			return i == len(text)
		}
		c, more := end, i < len(text)
		if more {
			c = text[i]
		}
		switch code[p] {
		case opAny:
			return more && c != '/' && try(p+1, i+1)
		case opStar:
			return try(p+1, i) || more && c != '/' && try(p, i+1)
		case opInLine:
			return more && !isLineEnd(c) && try(p+1, i+1)
		case opLine:
			return try(p+1, i) || more && !isLineEnd(c) && try(p, i+1)
		case opAll:
			return try(p+1, i) || more && try(p, i+1)
		case opDeep:
			if !more {
				return p+2 == len(code) || code[p+2] == opAll && try(p+2, i)
			}
			slash := slices.Index(text[i:], '/')
			return try(p+2, i) || slash >= 0 && try(p, i+slash+1)
		}
		if class := opClass - code[p]; class >= 0 {
			contains := func(s span) bool { return s.low <= c && c <= s.high }
			return more && slices.ContainsFunc(prog.classes[class], contains) && try(p+1, i+1)
		}
		return more && c == code[p] && try(p+1, i+1)
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

// checkAlternatives compares a compiled pattern with the reference. It returns how many alternatives
// match.
func checkAlternatives(t *testing.T, alternatives []program, path string) (matching int) {
	for i, a := range alternatives {
		rest, ok := strings.CutPrefix(path, a.prefix)
		want := ok && follow(&a, split(a.units, nil, rest))
		got := Match(new(Work), &Pattern{alternatives: alternatives[i : i+1]}, path)
		if got != want {
			t.Errorf("%q, code %d, and %q: got %v", a.prefix, a.code, path, got)
		}
		if got {
			matching++
		}
	}
	return matching
}

// TestLastByte generates globs and names whose characters fold to others, to lose no name by its
// last byte.
func TestLastByte(t *testing.T) {
	parts := []string{
		"a", "A", "k", "K", "\u212a", "\u017f", "s", "S", "*", "?", "[ab]", "[!a]", `\*`, `\a`, ".",
		"\ufb01", "fi", "\u00e9", "e\u0301", "\x80", "\u0130", "i",
	}
	r := rand.New(rand.NewPCG(1, 2))
	generate := func(n int) (s string) {
		for range 1 + r.IntN(n) {
			s += parts[r.IntN(len(parts))]
		}
		return s
	}
	matches := 0
	for range 100_000 {
		glob, name := text.Plain(generate(4)), generate(3)
		p, err := NewCompiler(t.Context()).Compile(Path, glob, true)
		if err != nil {
			continue
		}
		for _, form := range []string{text.Alike(name), text.Fold(name)} {
			matches += checkAlternatives(t, p.alternatives, form)
		}
	}
	if matches < 1000 {
		t.Errorf("only %d names matched", matches)
	}
}

// FuzzPattern compiles a pattern in every syntax, and compares the matcher with the reference.
func FuzzPattern(f *testing.F) {
	for _, file := range []string{"path.txt", "seeds.txt"} {
		data, err := os.ReadFile("testdata/" + file)
		if err != nil {
			f.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			f.Add(fields[0], fields[1])
		}
	}
	f.Fuzz(func(t *testing.T, pattern, path string) {
		if len(pattern) > 60 || len(path) > 60 {
			t.Skip("long")
		}
		ctx := t.Context()
		for _, s := range []Syntax{Path, Toolkit, Gemini, Minimatch, Ignore} {
			p, err := NewCompiler(ctx).Compile(s, pattern, false)
			if err != nil {
				continue
			}
			checkAlternatives(t, p.alternatives, path)
			if _, err := NewCompiler(ctx).Compile(s, pattern, s == Path); err != nil {
				t.Errorf("%q does not compile ignoring case: %v", pattern, err)
			}
			if s != Minimatch || pattern == "" || pattern[0] == '#' {
				continue
			}
			n, err := NewCompiler(ctx).Compile(s, "!"+pattern, false)
			if err != nil || Match(new(Work), n, path) == Match(new(Work), p, path) {
				t.Errorf("%q and its negation agree about %q: %v", pattern, path, err)
			}
		}
		if l, err := CompileList(ctx, []string{pattern}); err == nil {
			for _, g := range l.globs {
				checkAlternatives(t, g.alternatives, path)
			}
		}
		if s := Slashed(pattern); len(s) != len(pattern) {
			t.Errorf("%q becomes %q", pattern, s)
		}
	})
}

// TestLimits checks the documented maximums: the length of a pattern, and 160 KiB for the
// alternatives that its braces stand for.
func TestLimits(t *testing.T) {
	for _, tt := range []struct {
		syntax Syntax
		length int
	}{{Path, 4096}, {Minimatch, 65_536}} {
		for size, fits := range map[int]bool{tt.length: true, tt.length + 1: false} {
			c := NewCompiler(t.Context())
			_, err := c.Compile(tt.syntax, strings.Repeat("a", size), false)
			if (err == nil) != fits {
				t.Errorf("syntax %v, %d bytes: %v", tt.syntax, size, err)
			}
		}
	}
	for kibibytes, fits := range map[int]bool{140: true, 170: false} {
		text := strings.Repeat("x", 1015) + "{" + strings.Repeat("a,", kibibytes-1) + "a}"
		_, err := NewCompiler(t.Context()).Compile(Path, text, false)
		if errors.Is(err, ErrTooLarge) == fits {
			t.Errorf("alternatives of %d KiB: %v", kibibytes, err)
		}
	}
}
