package glob

import (
	"io/fs"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// reference returns a regular expression for an alternative whose braces have been expanded and whose classes are
// normalized. Every path that it is asked about has a slash in front.
func reference(a string) *regexp.Regexp {
	var out strings.Builder
	out.WriteString(`(?s)\A`)
	for a = "/" + a; a != ""; {
		switch rest, deep := strings.CutPrefix(a, "/**"); {
		case deep && (rest == "" || rest[0] == '/'):
			out.WriteString("(?:/[^/]*)*")
			a = rest
		case a[0] == '*':
			out.WriteString("[^/]*")
			a = a[1:]
		case a[0] == '?':
			out.WriteString("[^/]")
			a = a[1:]
		case a[0] == '[':
			end := itemEnd(a, 0)
			out.WriteString(a[:end])
			a = a[end:]
		default:
			if a[0] == '\\' {
				a = a[1:]
			}
			_, size := utf8.DecodeRuneInString(a)
			out.WriteString(regexp.QuoteMeta(a[:size]))
			a = a[size:]
		}
	}
	return regexp.MustCompile(out.String() + `\z`)
}

// witness returns a path that an alternative matches.
func witness(a string) string {
	var out strings.Builder
	for i := 0; i < len(a); {
		end := itemEnd(a, i)
		switch a[i] {
		case '*', '?':
			out.WriteByte('x')
		case '[':
			out.WriteRune(member(a[i+1 : end-1]))
		case '\\':
			out.WriteString(a[i+1 : end])
		default:
			out.WriteByte(a[i])
		}
		i = end
	}
	return out.String()
}

// member returns a character of a normalized class, if possible not a dot, and an unlikely one if the class is negated.
func member(class string) rune {
	if class[0] == '^' {
		return '\U00012345'
	}
	quoted, found := false, '.'
	for _, r := range class {
		switch {
		case r == '\\' && !quoted:
			quoted = true
			continue
		case r != '.' && (r != '-' || quoted):
			found = r
		}
		quoted = false
	}
	return found
}

func checkPattern(t *testing.T, pattern string, r *rand.Rand) {
	p, err := Compile(pattern, Options{})
	if err != nil {
		return
	}
	var expressions []*regexp.Regexp
	for _, a := range p.alternatives {
		expressions = append(expressions, reference(a.pattern))
		if path := witness(a.pattern); !p.Match(path) || !fs.ValidPath(path) && utf8.ValidString(path) || path == "." {
			t.Errorf("%q: its alternative %q matches no path, not even %q", pattern, a.pattern, path)
		}
	}
	words := []string{"a", "b", "A", ".", "é", "[", "]", "{", "}", ",", `\`, "*", "?", "!", "-", "^", "/", "/", ".x"}
	for range 20 {
		var out strings.Builder
		for range 1 + r.IntN(6) {
			out.WriteString(words[r.IntN(len(words))])
		}
		path := strings.Trim(out.String(), "/")
		if path == "" || strings.Contains(path, "//") {
			continue
		}
		want := false
		for _, e := range expressions {
			want = want || e.MatchString("/"+path)
		}
		if got := p.Match(path); got != want {
			t.Errorf("%q and %q: %v, want %v", pattern, path, got, want)
		}
	}
	folded, err := Compile(pattern, Options{IgnoreCase: true})
	if err != nil {
		t.Fatalf("%q does not compile without case: %v", pattern, err)
	}
	for _, a := range folded.alternatives {
		path := witness(a.pattern)
		for _, path := range []string{path, strings.Map(unicode.SimpleFold, path)} {
			if !folded.Match(path) {
				t.Errorf("%q does not match %q without case", pattern, path)
			}
		}
	}
}

func TestRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	parts := []string{
		"a", "b", "A", ".", "é", "/", "/", "*", "*", "**", "**/", "/**", "?", "[ab]", "[!a]", "[^b]", "[a-c]", "[.-0]", "[-a]", `[\]]`, "[./]", "[+-9]",
		"{a,b}", "{a,b/A}", "{*.x,a}", "{,a}", "{", "}", ",", `\`, `\*`, "!", ".x", "..",
	}
	for range 20_000 {
		var pattern strings.Builder
		for range 1 + r.IntN(6) {
			pattern.WriteString(parts[r.IntN(len(parts))])
		}
		checkPattern(t, pattern.String(), r)
	}
}

func FuzzCompile(f *testing.F) {
	for _, pattern := range []string{"**/{a,b}*[!c]", `\{a[\]]**`, "a/{b,**/c}/?", "[a-z/.]x", "{.,x}.", "**/*~"} {
		f.Add(pattern, uint64(1))
	}
	f.Fuzz(func(t *testing.T, pattern string, seed uint64) {
		if len(pattern) > 50 || !utf8.ValidString(pattern) { // regular expressions are of valid UTF-8
			t.Skip("not a short pattern of UTF-8")
		}
		checkPattern(t, pattern, rand.New(rand.NewPCG(seed, 2)))
	})
}
