package text

import (
	"unicode/utf8"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

// A Collator orders names as JavaScript's localeCompare does in en-US, which is the root collation
// of CLDR, with punctuation and case taken into account. It is not safe for concurrent use.
//
// Its tables are from Unicode 6.2, except for emoji, which have the current order. Letters of newer
// scripts come after all others. Han characters are ordered by code point, with the block from
// U+4E00 to U+9FFF first. JavaScript orders them by radical and stroke count, which is nearly the
// same within this block but mixes in other blocks: it has U+3400 between U+4E09 and U+4E2D.
type Collator struct {
	cldr   *collate.Collator
	buffer collate.Buffer
}

// NewCollator returns a Collator.
func NewCollator() *Collator {
	return &Collator{cldr: collate.New(language.AmericanEnglish)}
}

// AppendKey appends the key of a name, which must be well-formed UTF-8, to dst. Names are ordered
// as their keys, bytewise. Keys are equal if the names differ only in how Unicode composes the same
// character, or in characters that collation ignores, such as most control characters.
func (c *Collator) AppendKey(dst, name []byte) []byte {
	c.buffer.Reset()
	return append(dst, c.cldr.KeyFromString(&c.buffer, modernize(string(name)))...)
}

// modernize respells s so that the collation tables of Unicode 6.2 order it as today's tables order
// s. It covers the differences that are common in names: emoji, most of which are newer, and
// U+FFFD, which now comes after every other character. An emoji becomes a known character that it
// comes after, and one of private use, because the tables put these after all others, in order.
func modernize(s string) string {
	const hourglass, cyclone, privateUse = 0x23f3, 0x1f300, 0x100000
	return replace(s, func(_ int, r rune) string {
		switch {
		case r < hourglass:
			return ""
		case r == utf8.RuneError:
			return string(utf8.MaxRune)
		}
		for i, block := range [...]struct{ first, last, after rune }{
			{0x23f4, 0x23ff, hourglass},
			{0x1fa00, 0x1fa6f, cyclone}, // this and the following blocks in today's order
			{0x1f300, 0x1f5ff, cyclone},
			{0x1f900, 0x1f9ff, cyclone},
			{0x1fa70, 0x1faff, cyclone},
			{0x1f600, 0x1f8ff, cyclone},
		} {
			if block.first <= r && r <= block.last {
				return string([]rune{block.after, privateUse + rune(i)<<12 + r - block.first})
			}
		}
		return ""
	})
}
