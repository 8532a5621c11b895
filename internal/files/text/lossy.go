package text

import (
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// Lossy returns b as well-formed UTF-8. Each maximal ill-formed part becomes one U+FFFD, as in the
// WHATWG decoder and in Rust's from_utf8_lossy. A byte order mark is kept.
func Lossy(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	return string(AppendLossy(nil, b))
}

// WellFormed is [Lossy] for strings. It returns s itself if that is well-formed.
func WellFormed(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return Lossy([]byte(s))
}

// AppendLossy appends [Lossy] of src to dst. The two must not overlap.
func AppendLossy(dst, src []byte) []byte {
	if utf8.Valid(src) {
		return append(dst, src...)
	}
	// The standard library writes one U+FFFD for each run of ill-formed bytes, or for each byte.
	out, _, err := transform.Append(unicode.UTF8.NewDecoder(), dst, src)
	if err != nil {
		panic("text: the UTF-8 decoder refused bytes: " + err.Error())
	}
	return out
}
