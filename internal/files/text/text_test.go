package text

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"gander/internal/testkit/node"
)

// TestDecodeUTF16 checks lone surrogates, an incomplete unit, and a file that is empty by now.
func TestDecodeUTF16(t *testing.T) {
	for in, want := range map[string]string{
		"":                                     "",
		"\xff":                                 "\ufffd",
		"\xff\xfea\x00\n\x00=\xd8\x00\xde":     "a\n😀",
		"\xfe\xff\x00a\xd8=\xde\x00\xd8=\x00b": "a😀\ufffdb",
		"\xff\xfea\x00x":                       "a\ufffd",
	} {
		got, err := DecodeUTF16(strings.NewReader(in))
		if string(got) != want || err != nil {
			t.Errorf("%q: got %q, %v", in, got, err)
		}
	}
}

func TestQuoteAsNode(t *testing.T) {
	var characters []string
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if utf8.ValidRune(r) && (r < 0x3000 || r%97 == 0 || r >= 0xfff0 && r <= 0x10010) {
			characters = append(characters, string(r))
		}
	}
	var want []string
	const script = `console.log(JSON.stringify(questions.map(q => JSON.stringify(q))));`
	node.Ask(t, script, characters, &want)
	for i, s := range characters {
		if got := string(AppendQuote(nil, s)); got != want[i] {
			t.Errorf("AppendQuote(%+q) = %+q, node says %+q", s, got, want[i])
		}
	}
}

// FuzzCut checks that the prefix is the longest that ends at a character boundary.
func FuzzCut(f *testing.F) {
	for n := -1; n < 12; n++ {
		f.Add("aé日本😀", n)
	}
	f.Add("\x80\x80", 1)
	f.Add("", -1)
	f.Add(strings.Repeat("é", 300), 501)
	f.Fuzz(func(t *testing.T, s string, n int) {
		got := Cut(s, n)
		if !strings.HasPrefix(s, got) || len(got) > max(n, 0) {
			t.Fatalf("Cut(%q, %d) = %q", s, n, got)
		}
		if !utf8.ValidString(s) {
			return
		}
		if !utf8.ValidString(got) {
			t.Fatalf("Cut(%q, %d) = %q splits a character", s, n, got)
		}
		if _, size := utf8.DecodeRuneInString(s[len(got):]); size > 0 && len(got)+size <= n {
			t.Fatalf("Cut(%q, %d) = %q, but one more character fits", s, n, got)
		}
	})
}
