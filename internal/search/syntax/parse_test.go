package syntax

import (
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode"
)

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		pattern string
		offset  int
		message string
	}{
		{`{`, 0, "nothing to repeat"},
		{`interface{}`, 10, "a number must follow"},
		{`foo{bar}`, 4, "a number must follow"},
		{`a{,3}`, 2, "a number must follow"},
		{`a{1`, 1, `without "}"`},
		{`a{3,2}`, 1, "the smaller number comes first"},
		{`a{99999999999}`, 2, "too large"},
		{`a|*`, 2, "nothing to repeat"},
		{`(?i)*`, 4, "nothing to repeat"},
		{`\Q.\E`, 0, "unknown escape"},
		{`ab\0`, 2, "back-references"},
		{`(a)\1`, 3, "back-references"},
		{`a(?=b)`, 1, "look-around"},
		{`(?!b)`, 0, "look-around"},
		{`x(?<=b)`, 1, "look-around"},
		{`(?<!b)`, 0, "look-around"},
		{`(?>a)`, 2, "unknown flag"},
		{`(?-)`, 3, "no flag"},
		{`(?x)a b`, 2, "flags x, R and -u are not supported"},
		{`(?-u)\w`, 3, "flags x, R and -u are not supported"},
		{`(?<n`, 0, "needs a"},
		{`[a~~b]`, 2, "not supported"},
		{`(`, 0, `"(" without ")"`},
		{`a)`, 1, `")" without "("`},
		{`a[`, 1, `without "]"`},
		{`[a-\d]`, 3, "cannot end a range"},
		{`[\d-a]`, 1, "cannot begin a range"},
		{`[z-a]`, 1, "ends before it begins"},
		{`[\b]`, 1, "cannot be in a class"},
		{`\h`, 0, "unknown escape"},
		{`\Z`, 0, "unknown escape"},
		{`\e`, 0, "unknown escape"},
		{`\cA`, 0, "unknown escape"},
		{`é\é`, 2, "unknown escape"},
		{`a\`, 1, "nothing to escape"},
		{`\x4`, 1, "hexadecimal"},
		{`\x{}`, 1, "no character"},
		{`\u{110000}`, 1, "no character"},
		{`\b{foo}`, 3, "a number must follow"},
		{`\p{Foo}`, 0, "unknown property"},
		{`\p{^Greek}`, 0, "unknown property"},
		{`\p{Greek`, 0, "unknown property"},
		{`a\n`, 1, "line feed"},
		{"a\nb", 1, "line feed"},
		{"a\xff", 1, "UTF-8"},
		{strings.Repeat("(", 251) + strings.Repeat(")", 251), 250, "too deep"},
	} {
		_, err := Parse(t.Context(), c.pattern, Options{})
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Offset != c.offset || !strings.Contains(e.Message, c.message) {
			t.Errorf("%q: %v, want %q at byte %d", c.pattern, err, c.message, c.offset)
		}
	}
}

// TestClasses determines the characters that a pattern matches.
func TestClasses(t *testing.T) {
	const among = "\x00\t\r !&-/09?@AKMZ[]^_abkmsz{}~\u00a0µßéÉſσςΣλٓ٣中ẞ\u200d\u2028\u212a"
	for _, c := range []struct{ pattern, want string }{
		{`[a&&b]`, ""},
		{`[a-z&&[^b-m]]`, "asz"},
		{`[a-z--b]`, "akmsz"},
		{`[a&&&b]`, ""},
		{`[[a-c]k]`, "abk"},
		{`[^[a-z]]`, "\x00\t\r !&-/09?@AKMZ[]^_{}~\u00a0µßéÉſσςΣλٓ٣中ẞ\u200d\u2028\u212a"},
		{`[a-c--[b]k]`, "a"},
		{`[]a]`, "]a"},
		{`[-a]`, "-a"},
		{`[a-]`, "-a"},
		{`[--a]`, "-a"},
		{`[[:alpha:]&&[:upper:]]`, "AKMZ"},
		{`[[:upper:]]`, "AKMZ"},
		{`[[:^ascii:]é]`, "\u00a0µßéÉſσςΣλٓ٣中ẞ\u200d\u2028\u212a"},
		{`(?i)k`, "Kk\u212a"},
		{`(?i)s`, "sſ"},
		{`(?i)[σ]`, "σςΣ"},
		{`(?i)ß`, "ßẞ"},
		{`\d`, "09٣"},
		{`\D`, "\x00\t\r !&-/?@AKMZ[]^_abkmsz{}~\u00a0µßéÉſσςΣλٓ中ẞ\u200d\u2028\u212a"},
		{`\w`, "09AKMZ_abkmszµßéÉſσςΣλٓ٣中ẞ\u200d\u212a"},
		{`\s`, "\t\r \u00a0\u2028"},
		{`\p{Greek}`, "σςΣλ"},
		{`\p{Script=greek}`, "σςΣλ"},
		{`\p{Zl}`, "\u2028"},
		{`\P{Any}`, ""},
		{`\p{gc=Nd}`, "09٣"},
		{`\p{Decimal_Number}`, "09٣"},
		{`\PL`, "\x00\t\r !&-/09?@[]^_{}~\u00a0ٓ٣\u200d\u2028"},
		{`\x41`, "A"},
		{`\x{3c3}`, "σ"},
		{`\u0041`, "A"},
		{`\u{41}`, "A"},
		{`\/`, "/"},
		{`\_`, "_"},
		{`\ `, " "},
		{`\&`, "&"},
		{`(?i)[[:^upper:]b]`, "\x00\t\r !&-/09?@[]^_b{}~B\u00a0µßéÉσςΣλٓ٣中ẞ\u200d\u2028"},
		{`a|b|c`, "ab"},
		{`\n|a`, "a"},
	} {
		n, err := Parse(t.Context(), c.pattern, Options{})
		if err != nil {
			t.Errorf("%q: %v", c.pattern, err)
			continue
		}
		got := ""
		for _, r := range among {
			if n.Set.Contains(r) {
				got += string(r)
			}
		}
		if want := sorted(c.want, among); n.Op != Class || got != want {
			t.Errorf("%q matches %q, want %q", c.pattern, got, want)
		}
	}
}

// sorted returns the characters of s in the order of among.
func sorted(s, among string) string {
	out := ""
	for _, r := range among {
		if strings.ContainsRune(s, r) {
			out += string(r)
		}
	}
	return out
}

// TestPerlClasses compares the classes with the tables of package unicode.
func TestPerlClasses(t *testing.T) {
	for class, tables := range map[string][]*unicode.RangeTable{
		digits: {unicode.Nd}, spaces: {unicode.White_Space},
		words: {
			unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc, unicode.Other_Alphabetic,
			unicode.Join_Control,
		},
	} {
		s := goClass(class)
		for r := range rune(unicode.MaxRune + 1) {
			if s.Contains(r) != unicode.In(r, tables...) {
				t.Errorf("%s: %U", class, r)
			}
		}
	}
}

// TestFold compares fold with folding each character.
func TestFold(t *testing.T) {
	all := Set{{0, unicode.MaxRune}}.fold()
	if !slices.Equal(all, Set{{0, unicode.MaxRune}}) {
		t.Errorf("folding everything gives %v", all)
	}
	for r := rune(0); r < 0x1F000; r++ {
		want := Set{{r, r}}
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			want = append(want, Range{f, f})
		}
		if got := (Set{{r, r}}).fold(); !slices.Equal(got, want.canonical()) {
			t.Fatalf("%U folds to %v, want %v", r, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for s := range strings.FieldsSeq(`a|b*?c{2,3} [^a-z&&[\w--\d]] (?i-s:\xff)\b{start} (?U)a#b ` +
		`\p{sc=Greek}\u{41} (?<n>a)(?m:$) { [] \`) {
		f.Add(s, false)
	}
	f.Fuzz(func(t *testing.T, pattern string, ignoreCase bool) {
		n, err := Parse(t.Context(), pattern, Options{IgnoreCase: ignoreCase})
		if err == nil {
			check(t, n)
			return
		}
		if e, ok := errors.AsType[*Error](err); !ok || e.Offset < 0 || e.Offset > len(pattern) {
			t.Errorf("%q: error %v", pattern, err)
		}
	})
}

// check checks that sets are canonical and hold no line feed.
func check(t *testing.T, n *Node) {
	for i, r := range n.Set {
		disordered := r.Low > r.High || i > 0 && n.Set[i-1].High+1 >= r.Low
		if disordered || r.Low <= '\n' && r.High >= '\n' {
			t.Errorf("bad set %v", n.Set)
		}
	}
	for _, sub := range n.Subs {
		check(t, sub)
	}
}

// TestMemory checks that parsing a pattern allocates little, because many are parsed at once.
func TestMemory(t *testing.T) {
	for _, item := range []string{`\w`, `\W`, `\pL`, `\PL`, `[\w-]`, `[^\w-]`, `[\w&&\W]`, `[[\w]]`} {
		for _, flags := range []string{"", "(?i)"} {
			pattern := flags + strings.Repeat(item, 8000/len(item))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := Parse(t.Context(), pattern, Options{})
			runtime.ReadMemStats(&after)
			allocated := (after.TotalAlloc - before.TotalAlloc) >> 10
			if err == nil || allocated > 32<<10 {
				t.Errorf("%.20s: got %.80v, and %d KiB were allocated", pattern, err, allocated)
			}
		}
	}
}
