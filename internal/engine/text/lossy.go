package text

import (
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// Lossy returns b as well-formed UTF-8, with one U+FFFD for each maximal ill-formed part, as the WHATWG decoder and
// Rust's from_utf8_lossy do. A byte order mark is text and stays.
func Lossy(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	return string(AppendLossy(nil, b))
}

// WellFormed returns what [Lossy] makes of the bytes of s, without a copy where that is s.
func WellFormed(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return Lossy([]byte(s))
}

// AppendLossy appends to dst what [Lossy] makes of src. The two must not overlap.
func AppendLossy(dst, src []byte) []byte {
	if utf8.Valid(src) {
		return append(dst, src...)
	}
	// The standard library's helpers count ill-formed parts otherwise: one a run, or one a byte.
	out, _, err := transform.Append(unicode.UTF8.NewDecoder(), dst, src)
	if err != nil {
		panic("text: the UTF-8 decoder refused bytes: " + err.Error())
	}
	return out
}
