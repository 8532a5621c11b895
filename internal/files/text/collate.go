package text

import (
	"encoding/binary"
	"unicode/utf8"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

// A Collator orders names as JavaScript's localeCompare does in en-US, which is the root collation
// of CLDR, with punctuation and case taken into account. It is not safe for concurrent use.
//
// Its tables are from Unicode 6.2, except for emoji, which have the current order. Letters of newer
// scripts come after all others. Han characters are ordered by code point, with the block from U+4E00
// to U+9FFF first. JavaScript orders them by radical and strokes, which is nearly the same within
// this block but mixes in others, such as U+3400 between U+4E09 and U+4E2D.
type Collator struct {
	ranks  [256]uint8 // of each byte: 0 if collation ignores it or it is not ASCII
	simple [256]uint8 // the same, but 0 for capitals
	cldr   *collate.Collator
	buffer collate.Buffer
}

// asciiOrder holds the ASCII characters that collation does not ignore, in ascending order. A
// capital has the rank of its small letter.
const asciiOrder = "\t\n\v\f\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz"

// NewCollator returns a Collator.
func NewCollator() *Collator {
	c := &Collator{cldr: collate.New(language.AmericanEnglish)}
	for i, r := range asciiOrder {
		c.ranks[r], c.simple[r] = uint8(i+1), uint8(i+1)
		if 'a' <= r && r <= 'z' {
			c.ranks[r-'a'+'A'] = uint8(i + 1)
		}
	}
	return c
}

// Compare returns -1, 0 or +1 if a comes before b, is equal to it, or comes after it. Names are
// equal if they differ only in how Unicode composes the same character, or in characters that
// collation ignores, such as most control characters. Both names must be well-formed UTF-8.
//
// It takes ten times as long as comparing two keys of [Collator.AppendKey], which does without the
// tables of CLDR for ASCII.
func (c *Collator) Compare(a, b []byte) int {
	return c.cldr.Compare(modernize(a), modernize(b))
}

// Ranks returns the ranks by which names of small letters, digits and punctuation compare, byte by
// byte. All other bytes have rank 0. A name that contains such a byte, but is ASCII, has a key of
// [Collator.AppendKey] that compares with ranks.
func (c *Collator) Ranks() *[256]uint8 { return &c.simple }

// AppendKey appends a key for a name to dst. The keys of two ASCII names compare, bytewise, as
// [Collator.Compare] orders the names, and so do the keys of two names that are not ASCII. The keys
// of one of each do not.
func (c *Collator) AppendKey(dst, name []byte) []byte {
	if !ASCII(name) {
		c.buffer.Reset()
		return append(dst, c.cldr.Key(&c.buffer, modernize(name))...)
	}
	start, cased := len(dst), 0 // cased is the number of characters up to the last capital
	for _, b := range name {
		if rank := c.ranks[b]; rank != 0 {
			dst = append(dst, rank)
			if 'A' <= b && b <= 'Z' {
				cased = len(dst) - start
			}
		}
	}
	if cased == 0 {
		return dst
	}
	dst = append(dst, 0) // sorts after the same name without capitals, and before longer ones
	for _, b := range name {
		if c.ranks[b] == 0 {
			continue
		}
		if cased--; cased < 0 {
			break
		}
		if 'A' <= b && b <= 'Z' {
			dst = append(dst, 2)
		} else {
			dst = append(dst, 1)
		}
	}
	return dst
}

// ASCII reports whether name is ASCII throughout.
func ASCII(name []byte) bool {
	for ; len(name) >= 8; name = name[8:] {
		if binary.LittleEndian.Uint64(name)&topBits != 0 {
			return false
		}
	}
	for _, b := range name {
		if b >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
