// Package text decodes, escapes, quotes and compares names. It compares them as Rust and JavaScript
// do. It does not depend on files, directories or tools.
package text

import (
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/text/unicode/norm"
)

// Compose returns the NFC form of s, which is equal for canonically equivalent strings.
func Compose(s string) string { return norm.NFC.String(s) }

// Cut returns the longest prefix of s that has at most n bytes and ends at a character boundary.
// The prefix is empty if n is negative or less than the size of the first character. s must be
// well-formed UTF-8.
func Cut[T ~string | ~[]byte](s T, n int) T {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:max(n, 0)]
}

// AppendQuote appends s, which must be well-formed UTF-8, to dst as a JSON string in its shortest
// form: only the quotation mark, the backslash and the control characters below U+0020 are escaped
// (ECMA-262, QuoteJSONString).
func AppendQuote[Text ~string | ~[]byte](dst []byte, s Text) []byte {
	dst, _ = jsontext.AppendQuote(dst, s) // the error is about bytes that are not UTF-8
	return dst
}
