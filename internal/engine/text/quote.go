package text

import (
	"encoding/binary"
	"math/bits"
)

// AppendQuote appends s to dst as a JSON string in its shortest form: only the quotation mark, the backslash and the control
// characters below U+0020 are escaped (ECMA-262, QuoteJSONString). Bytes that are not UTF-8 are copied, and the result is
// then not JSON.
func AppendQuote(dst []byte, s string) []byte {
	dst = append(dst, '"')
	dst = AppendQuoted(dst, s)
	return append(dst, '"')
}

// AppendQuoted appends what [AppendQuote] puts between the quotation marks. It may be called for pieces of a text, cut
// anywhere.
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

// mustQuote reports whether a JSON string must escape c.
func mustQuote(c byte) bool {
	return c < ' ' || c == '"' || c == '\\'
}

// literal returns how many bytes at the start of s need no escape. It checks eight at a time.
func literal(s string) int {
	i := 0
	for ; len(s)-i >= 8; i += 8 {
		// A subtraction sets the top bit of a byte below ' ', and of a byte that equals the one looked for. The lowest bit set
		// is right; above it, a borrow may have set others.
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
