package syntax

import (
	"cmp"
	"slices"
	"unicode"
)

// A Range is the characters or bytes from Low to High, inclusive.
type Range struct{ Low, High rune }

// A Set is a set of characters or bytes: ranges in ascending order with gaps between them.
type Set []Range

const (
	maxRune = unicode.MaxRune
	maxByte = 0xFF
)

// Contains reports whether r is in the set.
func (s Set) Contains(r rune) bool {
	i, _ := slices.BinarySearchFunc(s, r, func(x Range, r rune) int { return cmp.Compare(x.High, r) })
	return i < len(s) && s[i].Low <= r
}

// canonical sorts the ranges and joins overlapping and adjacent ones. It reuses the memory of s.
func (s Set) canonical() Set {
	slices.SortFunc(s, func(a, b Range) int { return cmp.Compare(a.Low, b.Low) })
	out := s[:0]
	for _, r := range s {
		if n := len(out); n > 0 && r.Low <= out[n-1].High+1 {
			out[n-1].High = max(out[n-1].High, r.High)
		} else {
			out = append(out, r)
		}
	}
	return out
}

// negate returns the complement, up to last.
func (s Set) negate(last rune) Set {
	var out Set
	next := rune(0)
	for _, r := range s {
		if r.Low > next {
			out = append(out, Range{next, r.Low - 1})
		}
		next = r.High + 1
	}
	if next <= last {
		out = append(out, Range{next, last})
	}
	return out
}

func (s Set) intersect(t Set) Set {
	var out Set
	for i, j := 0, 0; i < len(s) && j < len(t); {
		if low, high := max(s[i].Low, t[j].Low), min(s[i].High, t[j].High); low <= high {
			out = append(out, Range{low, high})
		}
		if s[i].High < t[j].High {
			i++
		} else {
			j++
		}
	}
	return out
}

func (s Set) minus(t Set) Set { return s.intersect(t.negate(maxRune)) }

// fold adds the characters that simple case folding equates with one in the set.
func (s Set) fold() Set {
	out := slices.Clone(s)
	if s.Contains('ß') { // whose other case unicode.CaseRanges lacks
		out = append(out, Range{'ẞ', 'ẞ'})
	}
	end := func(c unicode.CaseRange, low rune) int { return cmp.Compare(rune(c.Hi), low) }
	for _, r := range s {
		first, _ := slices.BinarySearchFunc(unicode.CaseRanges, r.Low, end)
		for _, c := range unicode.CaseRanges[first:] {
			if rune(c.Lo) > r.High {
				break
			}
			for x := max(r.Low, rune(c.Lo)); x <= min(r.High, rune(c.Hi)); x++ {
				for f := unicode.SimpleFold(x); f != x; f = unicode.SimpleFold(f) {
					out = append(out, Range{f, f})
				}
			}
		}
	}
	return out.canonical()
}

// tables returns the union of Unicode tables.
func tables(ts ...*unicode.RangeTable) Set {
	var out Set
	add := func(low, high, stride rune) {
		if stride == 1 {
			out = append(out, Range{low, high})
			return
		}
		for r := low; r <= high; r += stride {
			out = append(out, Range{r, r})
		}
	}
	for _, t := range ts {
		for _, r := range t.R16 {
			add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
		for _, r := range t.R32 {
			add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
	}
	return out.canonical()
}
