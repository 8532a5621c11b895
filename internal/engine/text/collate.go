package text

import (
	"cmp"
	"encoding/binary"
	"unicode/utf8"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

// A Collator orders names as JavaScript's localeCompare does in en-US: the root collation of CLDR, punctuation and case
// included. It is not safe for concurrent use; make one for each call.
//
// The tables are those of Unicode 6.2, with emoji as of today: a letter of a younger script comes after every other.
type Collator struct {
	ranks  [256]uint8 // by byte: 0 where collation ignores it, foreign where it is not ASCII
	simple [256]uint8 // the same, but 0 for capitals and for what is not ASCII
	cldr   *collate.Collator
	buffer collate.Buffer
}

// asciiOrder holds what collation does not ignore in ASCII, ascending. A capital ranks as its small letter.
const asciiOrder = "\t\n\v\f\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz"

const foreign = 0x80

// NewCollator returns a Collator.
func NewCollator() *Collator {
	c := &Collator{cldr: collate.New(language.AmericanEnglish)}
	for i, r := range asciiOrder {
		c.ranks[r], c.simple[r] = uint8(i+1), uint8(i+1)
		if 'a' <= r && r <= 'z' {
			c.ranks[r-'a'+'A'] = uint8(i + 1)
		}
	}
	for b := utf8.RuneSelf; b < len(c.ranks); b++ {
		c.ranks[b] = foreign
	}
	return c
}

// Compare returns -1, 0 or +1 as a comes before, with or after b. Names that differ only in how Unicode spells the same
// character, or in characters that collation ignores (most control characters), are equal: the caller breaks the tie.
// Both names are well-formed UTF-8.
//
// ASCII is compared here, for the tables of CLDR take ten times as long.
func (c *Collator) Compare(a, b string) int {
	tie := 0 // the first difference in case, which counts only when the letters are equal to the end
	for i, j := 0, 0; ; i, j = i+1, j+1 {
		for i < len(a) && c.ranks[a[i]] == 0 {
			i++
		}
		for j < len(b) && c.ranks[b[j]] == 0 {
			j++
		}
		x, y := c.rank(a, i), c.rank(b, j)
		switch {
		case (x|y)&foreign != 0:
			return c.compareCLDR(a, b)
		case x != y:
			// A character that is not ASCII may combine with the one before it.
			if (c.rank(a, i+1)|c.rank(b, j+1))&foreign != 0 {
				return c.compareCLDR(a, b)
			}
			return cmp.Compare(x, y)
		case x == 0:
			return tie
		case tie == 0:
			tie = cmp.Compare(b[j], a[i]) // small letters come first
		}
	}
}

// Ranks are the ranks of bytes by which names compare all of whose bytes have one: small letters, digits, punctuation. The
// rank of any other is 0; ASCII names that have it compare with these by [Collator.AppendKey].
func (c *Collator) Ranks() *[256]uint8 { return &c.simple }

// AppendKey appends bytes that compare as [Collator.Compare] does ASCII names, or as it does others; one of each has to be
// compared there.
func (c *Collator) AppendKey(dst, name []byte) []byte {
	if !ASCII(name) {
		c.buffer.Reset()
		return append(dst, c.cldr.KeyFromString(&c.buffer, modernize(string(name)))...)
	}
	start, cased := len(dst), 0 // of how many characters the case is told: those up to the last capital
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
	dst = append(dst, 0) // comes after a name that has no capital, and before a longer one
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

// ASCII reports whether all of name is.
func ASCII(name []byte) bool {
	for ; len(name) >= 8; name = name[8:] {
		if binary.LittleEndian.Uint64(name)&0x8080808080808080 != 0 {
			return false
		}
	}
	for _, b := range name {
		if b >= foreign {
			return false
		}
	}
	return true
}

func (c *Collator) compareCLDR(a, b string) int {
	return c.cldr.CompareString(modernize(a), modernize(b))
}

// rank returns the rank of the byte at i, and 0 past the end: a prefix comes first.
func (c *Collator) rank(s string, i int) uint8 {
	if i >= len(s) {
		return 0
	}
	return c.ranks[s[i]]
}
