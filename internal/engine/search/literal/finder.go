package literal

import "bytes"

// A Finder finds the literals of a set. It is immutable.
//
// It looks for the rarest byte of each literal, and for the rest of the literal around it. Where there are too many bytes to look for,
// or where they turn out to be common, it uses a table instead.
type Finder struct {
	literals []Literal
	needles  []needle
	table    *shiftTable
	// single is the text of the only literal without Fold, or nil.
	single []byte
}

// A needle is a byte of a literal to look for.
type needle struct {
	b       byte
	offset  int
	literal int
}

const (
	// maxNeedles bounds how many bytes are looked for one by one.
	maxNeedles = 8
	// minTable is the shortest literal for which a table is faster than an automaton.
	minTable = 5
	// firstWindow and lastWindow are how many bytes are searched for one needle before the next.
	firstWindow, lastWindow = 256, 16 << 10
)

// NewFinder returns a finder for a set, or nil if looking for its literals is not faster than an automaton.
func NewFinder(set Set) *Finder {
	f := &Finder{literals: set.Literals}
	shortest := maxLength
	for i, l := range set.Literals {
		shortest = min(shortest, len(l.Text))
		f.needles = append(f.needles, l.needles(i)...)
	}
	if len(f.needles) > maxNeedles {
		f.needles = nil
	}
	if len(set.Literals) == 1 && !set.Literals[0].Fold {
		f.single = []byte(set.Literals[0].Text)
	} else if len(set.Literals) > 0 && shortest >= minTable {
		f.table = newShiftTable(set.Literals, shortest)
	}
	if f.needles == nil && f.table == nil {
		return nil
	}
	return f
}

// needles returns the bytes to look for to find the literal: the rarest one, in both cases if need be.
func (l *Literal) needles(index int) []needle {
	best, most := 0, -1
	for i := range len(l.Text) {
		rarity := Rarity(l.Text[i])
		if l.Fold && isLetter(l.Text[i]) {
			rarity-- // it costs two needles
		}
		if rarity > most {
			best, most = i, rarity
		}
	}
	b := l.Text[best]
	out := []needle{{b, best, index}}
	if l.Fold && isLetter(b) {
		out = append(out, needle{b ^ 0x20, best, index})
	}
	return out
}

// A Cursor is the mutable state of looking with a Finder. Its zero value is ready for use.
type Cursor struct {
	// misses counts the needles that were not part of their literal, covered the bytes that were searched meanwhile.
	misses, covered int
	// detour is how many bytes are to be searched without needles, because they are too common around here.
	detour int
}

const (
	// enoughMisses is how many misses say something, tooClose how many bytes should be between them.
	enoughMisses = 256
	tooClose     = 16
	// detour is how many bytes are searched without needles before they get another chance.
	detour = 128 << 10
)

// Find returns the start and the end of the first literal at or after at, or -1. Where several begin, it may be any of them. It
// reports false if its literals cannot be found quickly in this text; then it has not looked for them from at on.
func (f *Finder) Find(c *Cursor, buf []byte, at int) (start, end int, ok bool) {
	for window := firstWindow; f.needles != nil && c.detour <= 0; window = min(2*window, lastWindow) {
		if at >= len(buf) {
			return -1, -1, true
		}
		limit, found := min(at+window, len(buf)), -1
		for i := range f.needles {
			if start := f.findNeedle(c, &f.needles[i], buf, at, limit); start >= 0 {
				limit, found = start, f.needles[i].literal
			}
		}
		c.covered += limit - at
		if c.misses >= enoughMisses {
			if c.covered < tooClose*c.misses {
				c.detour = detour
			}
			c.misses, c.covered = 0, 0
		}
		if found >= 0 {
			return limit, limit + len(f.literals[found].Text), true
		}
		at = limit
	}
	switch {
	case f.table != nil:
		start, end = f.table.find(buf, at)
	case f.single != nil:
		start, end = -1, -1
		if n := bytes.Index(buf[at:], f.single); n >= 0 {
			start, end = at+n, at+n+len(f.single)
		}
	default:
		c.detour = 0
		return -1, -1, false
	}
	if end < 0 {
		c.detour -= len(buf) - at
	} else {
		c.detour -= end - at
	}
	return start, end, true
}

// findNeedle returns where the literal of a needle begins first between at and limit, or -1.
func (f *Finder) findNeedle(c *Cursor, n *needle, buf []byte, at, limit int) int {
	l := &f.literals[n.literal]
	for at < limit {
		end := min(limit+n.offset, len(buf))
		if at+n.offset >= end {
			return -1
		}
		i := bytes.IndexByte(buf[at+n.offset:end], n.b)
		if i < 0 {
			return -1
		}
		if at += i; l.matches(buf[at:]) {
			return at
		}
		c.misses++
		at++
	}
	return -1
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
