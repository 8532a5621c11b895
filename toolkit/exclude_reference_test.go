package toolkit

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// randomGlob returns a glob of parts that have a meaning in globs, and letters.
func randomGlob(r *rand.Rand) string {
	parts := []string{
		"a", "b", "A", ".", "é", "漢", "\ufffd", "/", "/", "*", "*", "**", "**/", "/**", "?", "[ab]",
		"[!a]", "[^b]", "[a-c]", "[]", "[-a]", `[\]]`, "{a,b}", "{a,b/A}", "{*.x,a}", "{,a}", "{", "}",
		",", "[", "]", `\`, "!", ".txt",
	}
	glob := ""
	for range 1 + r.IntN(6) {
		glob += parts[r.IntN(len(parts))]
	}
	return glob
}

// referenceExcludes reports whether a glob excludes path, by exhaustive search.
func referenceExcludes(globs []string, path string) bool {
	return slices.ContainsFunc(globs, func(glob string) bool {
		inverts := false
		for strings.HasPrefix(glob, "!") {
			glob, inverts = glob[1:], !inverts
		}
		patterns, _ := alternatives(glob, false)
		for _, tried := range []string{path, path + "/"} {
			matches := func(p string) bool { return matchesFrom(p, tried, true) }
			if inverts != slices.ContainsFunc(patterns, matches) {
				return true
			}
		}
		return false
	})
}

// alternatives expands the braces of a glob, up to the end of the glob or, within braces, up to the
// next comma or their end. Braces without an end are kept and match nothing.
func alternatives(p string, within bool) (all []string, rest string) {
	all = []string{""}
	add := func(more []string) {
		var product []string
		for _, a := range all {
			for _, b := range more {
				product = append(product, a+b)
			}
		}
		all = product
	}
	for p != "" && !(within && (p[0] == ',' || p[0] == '}')) {
		size := 1
		switch p[0] {
		case '\\':
			size = min(2, len(p))
		case '[':
			_, size, _ = matchClass(p, 0)
		case '{':
			var group []string
			inner := p[1:]
			for ended := false; !ended; {
				var more []string
				if more, inner = alternatives(inner, true); inner == "" {
					add([]string{p})
					return all, ""
				}
				group = append(group, more...)
				ended, inner = inner[0] == '}', inner[1:]
			}
			add(group)
			p = inner
			continue
		}
		add([]string{p[:size]})
		p = p[size:]
	}
	return all, p
}

// matchClass matches a character with the class at the start of p. An empty class or one without an
// end is not valid.
func matchClass(p string, c rune) (in bool, size int, ok bool) {
	rest := p[1:]
	negated := strings.HasPrefix(rest, "!") || strings.HasPrefix(rest, "^")
	if negated {
		rest = rest[1:]
	}
	var members []rune
	for rest != "" && rest[0] != ']' {
		r, n := utf8.DecodeRuneInString(rest)
		if r == '\\' && len(rest) > 1 {
			rest = rest[1:]
			r, n = utf8.DecodeRuneInString(rest)
		}
		rest = rest[n:]
		after, ranged := strings.CutPrefix(rest, "-")
		if high, n := utf8.DecodeRuneInString(after); ranged && high != ']' && n > 0 {
			for ; r < high; r++ {
				members = append(members, r)
			}
			rest = rest[1+n:]
		}
		members = append(members, r)
	}
	if rest == "" || len(members) == 0 {
		return false, len(p) - len(rest) + min(len(rest), 1), false
	}
	return slices.Contains(members, c) != negated, len(p) - len(rest) + 1, true
}

// matchesFrom matches the rest of a pattern with the rest of a path. begins reports whether a
// segment of the pattern begins.
func matchesFrom(p, path string, begins bool) bool {
	c, size := utf8.DecodeRuneInString(path)
	switch {
	case p == "":
		return path == ""
	case begins && p == "**":
		return true
	case begins && path == "" && strings.HasPrefix(p, "**/"):
		for strings.HasPrefix(p, "**/") {
			p = p[3:]
		}
		return p == "" || p == "**" // x/**/* does not match x/
	case begins && strings.HasPrefix(p, "**/"):
		_, after, more := strings.Cut(path, "/")
		return matchesFrom(p[3:], path, true) ||
			more && (matchesFrom(p[3:], after, true) || matchesFrom(p, after, true))
	case p[0] == '*':
		return matchesFrom(p[1:], path, false) ||
			size > 0 && c != '/' && matchesFrom(p, path[size:], false)
	case path == "" || p[0] == '{':
		return false
	case p[0] == '?':
		return c != '/' && matchesFrom(p[1:], path[size:], false)
	case p[0] == '[':
		in, n, ok := matchClass(p, c)
		return ok && in && matchesFrom(p[n:], path[size:], false)
	case p[0] == '\\' && len(p) == 1:
		return false
	case p[0] == '\\':
		p = p[1:]
	}
	want, n := utf8.DecodeRuneInString(p)
	return want == c && matchesFrom(p[n:], path[size:], c == '/')
}

func checkGlob(t *testing.T, r *rand.Rand, glob string) {
	x, err := compile(t.Context(), []string{glob})
	if err != nil {
		return
	}
	parts := strings.Split("a b A . é 漢 / / ] [ { } , \\ * ! - .txt", " ")
	for range 20 {
		path := ""
		for range 1 + r.IntN(6) {
			path += parts[r.IntN(len(parts))]
		}
		if path = strings.Trim(path, "/"); path == "" || strings.Contains(path, "//") {
			continue
		}
		if got, want := x.match(t.Context(), path), referenceExcludes([]string{glob}, path); got != want {
			t.Fatalf("%q and %q: got %v, want %v", glob, path, got, want)
		}
	}
}

// TestGlobReference compares random globs with the reference.
func TestGlobReference(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 8000 {
		checkGlob(t, r, randomGlob(r))
	}
}
