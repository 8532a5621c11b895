package text

import (
	"encoding/binary"
	"math/bits"
)

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
	for {
		n := literal(s)
		dst = append(dst, s[:n]...)
		if n == len(s) {
			return dst
		}
		dst = appendEscape(dst, rune(s[n]))
		s = s[n+1:]
	}
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

// literal returns how many bytes s begins with that stand for themselves. It looks at eight at a time.
func literal(s string) int {
	i := 0
	for ; len(s)-i >= 8; i += 8 {
		// A byte below ' ' carries into its top bit, and so does one that is the same as what is taken off. The lowest of
		// those that do is right; above it a carry may say what is not so.
		word := binary.LittleEndian.Uint64([]byte(s[i : i+8]))
		quote, backslash := word^'"'*everyByte, word^'\\'*everyByte
		special := (word - ' '*everyByte) &^ word
		special |= (quote-everyByte)&^quote | (backslash-everyByte)&^backslash
		if special &= topBits; special != 0 {
			return i + bits.TrailingZeros64(special)/8
		}
	}
	for i < len(s) && !mustQuote(s[i]) {
		i++
	}
	return i
}
