package text

import (
	"testing"
	"unicode"
	"unicode/utf8"

	"gander/internal/testkit/node"
)

func TestAppendQuote(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{``, `""`},
		{`name`, `"name"`},
		{`a"b\c/d`, `"a\"b\\c/d"`},
		{"\b\f\n\r\t", `"\b\f\n\r\t"`},
		{"\x00\x0b\x1b\x1f", `"\u0000\u000b\u001b\u001f"`},
		{"\x7f\u0080\u2028\u2029<>&", "\"\x7f\u0080\u2028\u2029<>&\""},
		{"héllo 日本 😀\ufffd", `"héllo 日本 😀` + "\ufffd\""},
	} {
		if got := string(AppendQuote([]byte("{"), c.in)); got != "{"+c.want {
			t.Errorf("AppendQuote(%q) = %s, want {%s", c.in, got, c.want)
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
