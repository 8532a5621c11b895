package literal

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gander/internal/engine/search/syntax"
)

// TestExtract: the literals that patterns must contain. A leading ~ folds a literal, = is for exact sets.
func TestExtract(t *testing.T) {
	for _, c := range []struct{ pattern, want string }{
		{`foo`, "=foo"},
		{`foo|bar`, "=foo bar"},
		{`(?i)foo`, "=~foo"},
		{`(?i)risk`, "=~risk ~ris\u212a ~ri\u017fk ~ri\u017f\u212a"},
		{`\bfoo\b`, "foo"},
		{`^foo$`, "foo"},
		{`\w+Handler`, "Handler"},
		{`func \w+Handler\(`, "Handler("},
		{`x[ab]y`, "=xay xby"},
		{`fo{2}`, "=foo"},
		{`[qxéz]{2}`, "q x z é"},
		{`ab+c`, "ab"},
		{`(ab)+`, "ab"},
		{`colou?r`, "=color colour"},
		{`Foo(?i)bar`, "~foobar"},
		{`(foo|bar)\d+quux`, "quux"},
		{`a*`, ""},
		{`foo|a*`, ""},
		{`.*`, ""},
		{`\d+`, ""},
		{`(?-u:\xff)é`, "=\xffé"},
	} {
		n, err := syntax.Parse(c.pattern, false)
		if err != nil {
			t.Fatal(err)
		}
		s := Extract(n)
		var got []string
		for _, l := range s.Literals {
			if l.Fold {
				got = append(got, "~"+l.Text)
			} else {
				got = append(got, l.Text)
			}
		}
		text := strings.Join(got, " ")
		if s.Exact && len(got) > 0 {
			text = "=" + text
		}
		if text != c.want {
			t.Errorf("%s: %q, want %q", c.pattern, text, c.want)
		}
	}
}

// naive returns where the first literal begins, by trying everywhere.
func naive(literals []Literal, buf []byte) int {
	for at := range buf {
		for _, l := range literals {
			if l.matches(buf[at:]) {
				return at
			}
		}
	}
	return -1
}

// compare checks a finder against trying everywhere.
func compare(t *testing.T, literals []Literal, buf []byte) {
	t.Helper()
	f := NewFinder(Set{Literals: literals})
	if f == nil {
		return
	}
	onlyTable := *f
	onlyTable.needles = nil
	for _, f := range []*Finder{f, &onlyTable} {
		var c Cursor
		for at := 0; at < len(buf); {
			start, end, ok := f.Find(&c, buf, at)
			if !ok {
				break
			}
			want := naive(literals, buf[at:])
			if want >= 0 {
				want += at
			}
			if start != want {
				t.Fatalf("%v in %q from %d: found at %d, want %d", literals, buf, at, start, want)
			}
			if start < 0 {
				break
			}
			if !slices.ContainsFunc(literals, func(l Literal) bool { return l.matches(buf[start:]) && end-start == len(l.Text) }) {
				t.Fatalf("%v in %q: wrong end %d", literals, buf, end)
			}
			at = start + 1
		}
	}
}

// TestFinder: finders find what trying everywhere finds, in text where their needles are rare, common or alone.
func TestFinder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	text := func(n int, alphabet string) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = alphabet[random.IntN(len(alphabet))]
		}
		return string(b)
	}
	for range 3000 {
		alphabet := []string{"ab", "abAB", "abcdefgh \n", "xQé"}[random.IntN(4)]
		var literals []Literal
		for range 1 + random.IntN(12)*random.IntN(2) {
			l := Literal{Text: text(1+random.IntN(8), alphabet), Fold: random.IntN(3) == 0}
			if l.Fold {
				l.Text = strings.ToLower(l.Text)
			}
			literals = append(literals, l)
		}
		compare(t, literals, []byte(text(random.IntN(3000), alphabet)))
	}
}

func FuzzFinder(f *testing.F) {
	f.Add("foo bar", false, []byte("a foo\nBAR bar"))
	f.Add("aaaaab aaaaac", true, bytes.Repeat([]byte("aA"), 100))
	f.Fuzz(func(t *testing.T, words string, fold bool, buf []byte) {
		var literals []Literal
		for _, w := range strings.Fields(words) {
			if fold {
				w = string(bytes.ToLower([]byte(strings.Map(func(r rune) rune {
					if r > 0x7F {
						return -1
					}
					return r
				}, w))))
			}
			if w != "" && len(w) <= maxLength {
				literals = append(literals, Literal{w, fold})
			}
		}
		if len(literals) > 0 && len(literals) <= maxSet && len(buf) < 1<<14 {
			compare(t, literals, buf)
		}
	})
}
