package text

import (
	"bytes"
	"encoding/binary"
	"slices"
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
	ranks     [256]uint8 // in asciiOrder, from 1; 0 for other bytes
	primaries []uint16   // the primary weights of asciiOrder, once a name needs them
	cldr      *collate.Collator
	buffer    collate.Buffer
}

// asciiOrder holds the ASCII characters that collation does not ignore, in ascending order. A
// capital has the rank of its small letter.
const asciiOrder = "\t\n\v\f\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$" +
	"0123456789abcdefghijklmnopqrstuvwxyz"

// NewCollator returns a Collator.
func NewCollator() *Collator {
	c := &Collator{cldr: collate.New(language.AmericanEnglish)}
	for i, r := range asciiOrder {
		c.ranks[r] = uint8(i + 1)
		if 'a' <= r && r <= 'z' {
			c.ranks[r-'a'+'A'] = uint8(i + 1)
		}
	}
	return c
}

// Weights of CLDR that most characters have.
const (
	commonSecondary = "\x00\x20"
	smallTertiary   = 2
	capitalTertiary = 8
)

// AppendKey appends the key of a name, which must be well-formed UTF-8, to dst. Names are ordered
// as their keys, bytewise. Keys are equal if the names differ only in how Unicode composes the same
// character, or in characters that collation ignores, such as most control characters.
//
// A key contains the primary weights of the characters. If any character has uncommon other
// weights, a zero and the secondary weights follow, and then two zeros and the tertiary weights,
// each up to the last that is uncommon. The primary weight of the ASCII character of rank r is the
// byte 2*r. Any other weight begins with the odd byte between its ASCII neighbors.
func (c *Collator) AppendKey(dst, name []byte) []byte {
	if !ASCII(name) {
		c.buffer.Reset()
		return c.appendCompact(dst, c.cldr.KeyFromString(&c.buffer, modernize(string(name))))
	}
	dst = slices.Grow(dst, len(name))
	start, cased := len(dst), 0 // cased is the number of characters up to the last capital
	for _, b := range name {
		if rank := c.ranks[b]; rank != 0 {
			dst = append(dst, 2*rank)
			if 'A' <= b && b <= 'Z' {
				cased = len(dst) - start
			}
		}
	}
	if cased == 0 {
		return dst
	}
	dst = append(dst, 0, 0, 0)
	for _, b := range name {
		switch {
		case c.ranks[b] == 0:
			continue
		case 'A' <= b && b <= 'Z':
			dst = append(dst, capitalTertiary)
		default:
			dst = append(dst, smallTertiary)
		}
		cased--
		if cased == 0 {
			break
		}
	}
	return dst
}

// appendCompact appends the form that [Collator.AppendKey] describes of a key of CLDR. That has
// primary weights of three bytes if the first bit is set, and of two otherwise, secondary weights
// of two bytes, and tertiary weights of one. Two zeros separate them.
func (c *Collator) appendCompact(dst, key []byte) []byte {
	for key[0] != 0 || key[1] != 0 {
		size := 2 + int(key[0]>>7)
		i, ascii := slices.BinarySearch(c.asciiPrimaries(), binary.BigEndian.Uint16(key))
		if ascii {
			dst = append(dst, uint8(2*i+2))
		} else {
			dst = append(append(dst, uint8(2*i+1)), key[:size]...)
		}
		key = key[size:]
	}
	key = key[2:]
	end := 0
	for key[end] != 0 || key[end+1] != 0 {
		end += 2
	}
	secondary, tertiary := key[:end], bytes.TrimRight(key[end+2:], string(rune(smallTertiary)))
	for bytes.HasSuffix(secondary, []byte(commonSecondary)) {
		secondary = secondary[:len(secondary)-2]
	}
	if len(secondary)+len(tertiary) > 0 {
		dst = append(append(dst, 0), secondary...)
	}
	if len(tertiary) > 0 {
		dst = append(append(dst, 0, 0), tertiary...)
	}
	return dst
}

// asciiPrimaries returns the primary weights of asciiOrder, which are two bytes each.
func (c *Collator) asciiPrimaries() []uint16 {
	if c.primaries == nil {
		for _, r := range asciiOrder {
			key := c.cldr.KeyFromString(new(collate.Buffer), string(r))
			c.primaries = append(c.primaries, binary.BigEndian.Uint16(key))
		}
	}
	return c.primaries
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
