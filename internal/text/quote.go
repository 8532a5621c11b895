package text

// AppendQuote appends s to dst as a JSON string in its shortest form: escaped are the quotation mark, the backslash and
// the control characters below U+0020, and nothing else (ECMA-262 QuoteJSONString on well-formed text). s is
// well-formed UTF-8; other bytes are copied as they are, and the result is then no JSON.
func AppendQuote(dst []byte, s string) []byte {
	dst = append(dst, '"')
	dst = AppendQuoted(dst, s)
	return append(dst, '"')
}

// AppendQuoted appends what [AppendQuote] puts between the quotation marks. Pieces of s, cut anywhere, come to the same as
// the whole.
func AppendQuoted(dst []byte, s string) []byte {
	kept := 0
	for i := range len(s) {
		if mustQuote(s[i]) {
			dst = append(dst, s[kept:i]...)
			dst = appendEscape(dst, rune(s[i]))
			kept = i + 1
		}
	}
	return append(dst, s[kept:]...)
}

// QuotedLen returns how many bytes [AppendQuote] appends for s.
func QuotedLen(s string) int {
	n := len(`""`) + len(s)
	for i := range len(s) {
		if mustQuote(s[i]) {
			n += len(appendEscape(nil, rune(s[i]))) - 1
		}
	}
	return n
}

func mustQuote(c byte) bool {
	return c < ' ' || c == '"' || c == '\\'
}
