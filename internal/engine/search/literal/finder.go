package literal

import (
	"bytes"
	"strings"
)

// A Finder finds the literals of a set. It is immutable.
type Finder struct {
	literals []Literal
	// single is the text of the only literal without Fold; rare is the offset of its rarest byte.
	single []byte
	rare   int
	table  *shiftTable
}

// minTable is the shortest literal for which a shift table is worth its while.
const minTable = 3

// NewFinder returns a finder for a set, or nil if looking for its literals is not faster than an automaton.
func NewFinder(set Set) *Finder {
	f := &Finder{literals: set.Literals}
	if len(set.Literals) == 0 {
		return nil
	}
	shortest := maxLength
	for _, l := range set.Literals {
		shortest = min(shortest, len(l.Text))
	}
	if l := set.Literals[0]; len(set.Literals) == 1 && !l.Fold {
		f.single = []byte(l.Text)
		for i := range f.single {
			if Rarity(f.single[i]) > Rarity(f.single[f.rare]) {
				f.rare = i
			}
		}
		return f
	}
	if shortest < minTable {
		return nil
	}
	f.table = newShiftTable(set.Literals, shortest)
	return f
}

// A Cursor is the mutable state of looking with a Finder. Its zero value is ready for use.
type Cursor struct {
	// misses counts where the rarest byte was not part of the literal, covered the bytes that were searched meanwhile.
	misses, covered int
	// common says that the rarest byte is too common in the text to look for it.
	common bool
}

const (
	// enoughMisses is how many misses say something, tooClose how many bytes should be between them.
	enoughMisses = 64
	tooClose     = 40
)

// Find returns the start and the end of the first literal at or after at, or -1.
func (f *Finder) Find(c *Cursor, buf []byte, at int) (start, end int) {
	if f.table != nil {
		return f.table.find(buf, at)
	}
	begin := at
	for !c.common && at+f.rare < len(buf) {
		n := bytes.IndexByte(buf[at+f.rare:], f.single[f.rare])
		if n < 0 {
			return -1, -1
		}
		at += n
		if bytes.HasPrefix(buf[at:], f.single) {
			c.covered += at - begin
			return at, at + len(f.single)
		}
		at++
		if c.misses++; c.misses == enoughMisses {
			c.common = c.covered+at-begin < tooClose*enoughMisses
			c.misses, c.covered, begin = 0, 0, at
		}
	}
	if n := bytes.Index(buf[min(at, len(buf)):], f.single); n >= 0 {
		return at + n, at + n + len(f.single)
	}
	return -1, -1
}

// matches reports whether the literal is at the beginning of text.
func (l *Literal) matches(text []byte) bool {
	if len(text) < len(l.Text) {
		return false
	}
	if !l.Fold {
		return string(text[:len(l.Text)]) == l.Text
	}
	for i := range len(l.Text) {
		if b := text[i]; b != l.Text[i] && (b < 'A' || b > 'Z' || b+'a'-'A' != l.Text[i]) {
			return false
		}
	}
	return true
}

// variants returns a block of text as it is, and with Fold in all mixtures of case.
func (l *Literal) variants(block string) []string {
	out := []string{""}
	for _, b := range []byte(block) {
		n := len(out)
		for i := range n {
			if l.Fold && isLetter(b) {
				out = append(out, out[i]+strings.ToUpper(string(rune(b))))
			}
			out[i] += string([]byte{b})
		}
	}
	return out
}
