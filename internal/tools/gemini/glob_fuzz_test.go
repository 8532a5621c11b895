package gemini

import (
	"testing"
	"unicode/utf16"
)

// globPlainly matches a glob by trying all possibilities.
func globPlainly(glob, name []uint16) bool {
	end := func(c uint16) bool { return c == '\n' || c == '\r' || c == 0x2028 || c == 0x2029 }
	switch {
	case len(glob) == 0:
		return len(name) == 0
	case glob[0] == '*':
		return globPlainly(glob[1:], name) || len(name) > 0 && !end(name[0]) && globPlainly(glob, name[1:])
	case len(name) == 0:
		return false
	case glob[0] == '?':
		return !end(name[0]) && globPlainly(glob[1:], name[1:])
	default:
		return glob[0] == name[0] && globPlainly(glob[1:], name[1:])
	}
}

func FuzzGlob(f *testing.F) {
	for _, seed := range [][2]string{{"*.md", "a.md"}, {"a*b?c", "axxbyc"}, {"??", "😀"}, {"*", "a\nb"}, {"**a*", "ba"}, {"", ""}, {"[a]", "a"}, {`\*`, `\x`}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, glob, name string) {
		if len(glob) > 12 || len(name) > 24 {
			t.Skip("too long to try all possibilities")
		}
		g, n := utf16.Encode([]rune(glob)), utf16.Encode([]rune(name))
		if got, want := newGlob(glob).match(n), globPlainly(g, n); got != want {
			t.Errorf("%q and %q: got %v", glob, name, got)
		}
	})
}
