// Package text decodes, escapes, quotes and compares names. It compares them as Rust and JavaScript
// do. It does not depend on files, directories or tools.
package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	encoding "golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
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

// ASCII reports whether name contains only ASCII.
func ASCII[T ~string | ~[]byte](name T) bool {
	for i := range len(name) {
		if name[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Lossy returns a text as well-formed UTF-8, which it may already be. Each maximal ill-formed part
// becomes one U+FFFD, as in the WHATWG decoder and in Rust's from_utf8_lossy. A byte order mark is
// kept.
func Lossy[T ~string | ~[]byte](text T) string {
	if s := string(text); utf8.ValidString(s) {
		return s
	}
	return string(LossyKey(nil, []byte(text)))
}

// LossyKey returns the bytes of [Lossy]. It returns name itself if that is well-formed. Otherwise
// the key overwrites scratch if that has the capacity.
func LossyKey(scratch, name []byte) []byte {
	if ASCII(name) || utf8.Valid(name) {
		return name
	}
	// The standard library writes one U+FFFD for each run of ill-formed bytes, or for each byte.
	key, _, err := transform.Append(encoding.UTF8.NewDecoder(), scratch[:0], name)
	if err != nil {
		panic("text: the UTF-8 decoder refused bytes: " + err.Error())
	}
	return key
}

// UTF16Key returns a key for name. Keys compare, bytewise, as JavaScript's < compares the names
// decoded by [Lossy], which is by UTF-16 code units. It returns name itself if that is its key.
// Otherwise the key overwrites scratch if that has the capacity.
//
// This is the order of the UTF-8 bytes, except that the characters U+E000 to U+FFFF, with the lead
// bytes 0xEE and 0xEF, come after those from U+10000, with the lead bytes 0xF0 to 0xF4, which
// UTF-16 writes as surrogates 0xD800 to 0xDFFF.
func UTF16Key(scratch, name []byte) []byte {
	if ASCII(name) {
		return name
	}
	key := LossyKey(scratch, name)
	for i, b := range key {
		if b == 0xEE || b == 0xEF {
			if &key[0] == &name[0] {
				key = append(scratch[:0], name...)
			}
			key[i] = b + 0x10
		}
	}
	return key
}

// Fold applies [FoldRune] to each character of name. It does not change bytes that are not UTF-8.
func Fold(name string) string {
	for i := range len(name) {
		if c := name[i]; c < utf8.RuneSelf && (c < 'A' || 'Z' < c) {
			continue
		}
		return replace(name, func(_ int, r rune) string {
			if f := FoldRune(r); f != r {
				return string(f)
			}
			return ""
		})
	}
	return name
}

// FoldRune returns the same character for all characters that differ from c only in case, by
// Unicode's simple case folding: a lower-case ASCII letter if any, otherwise the smallest.
func FoldRune(c rune) rune {
	least := c
	for f := unicode.SimpleFold(c); f != c; f = unicode.SimpleFold(f) {
		least = min(least, f)
	}
	if 'A' <= least && least <= 'Z' {
		return least + 'a' - 'A'
	}
	return least
}

// WholeCharacters returns the length of the prefix of b that does not end within a character.
func WholeCharacters(b []byte) int {
	for n := len(b) - 1; n >= 0 && len(b)-n <= utf8.UTFMax; n-- {
		if utf8.RuneStart(b[n]) && !utf8.FullRune(b[n:]) {
			return n
		}
	}
	return len(b)
}

// Plain returns the same text for all names that differ only in what a keyboard does not show: how
// their accents are composed, and which kind of space, quotation mark or apostrophe they have.
func Plain(name string) string {
	if ASCII(name) {
		return name
	}
	return plainer.Replace(norm.NFC.String(name))
}

// Alike returns the same text for all names that a person reads as the same: those of [Plain], in
// any letter case.
func Alike(name string) string { return Fold(Plain(name)) }

var plainer = strings.NewReplacer(
	"\u00a0", " ", "\u202f", " ", "\u2007", " ", "\u2009", " ",
	"‘", "'", "’", "'", "‚", "'", "‛", "'", "“", `"`, "”", `"`, "„", `"`, "‟", `"`,
)

// Excerpt returns at most 60 bytes of a value that the caller has sent, escaped to fit on one line.
func Excerpt[T ~string | ~[]byte](value T) string { return ExcerptOf(value, 60) }

// ExcerptOf is [Excerpt] for at most limit bytes.
func ExcerptOf[T ~string | ~[]byte](value T, limit int) string {
	shown := Cut(string(value[:min(len(value), limit+4)]), limit)
	if len(shown) < len(value) {
		shown += "..."
	}
	return Escape(shown)
}
