package pdf

import (
	"cmp"
	"slices"
)

// mergeWithLast merges a segment with one of the last ones, if it can. A program can write the cells
// of a table in any order.
func (l *layout) mergeWithLast(arranged []segment, s segment) bool {
	const most = 16
	for n := len(arranged) - 1; n >= max(len(arranged)-most, 0); n-- {
		if l.merge(&arranged[n], s, n == len(arranged)-1) {
			return true
		}
	}
	return false
}

// maxCellLines is how many lines of a cell precede a cell on its right.
const maxCellLines = 3

// merge adds the rows of a segment to one whose rows are on the same lines, if these are cells of a
// table. In the columns of a page, lines are long. Both have short cells if other segments are
// between, and shorter ones if rows are on no line of s.
func (l *layout) merge(s *segment, right segment, isNext bool) bool {
	first := right.rows[0].base
	begin, _ := slices.BinarySearchFunc(s.rows, first, func(r row, base float64) int {
		return cmp.Compare(base, r.base-sameRow*r.size)
	})
	if s.turn != right.turn || begin == len(s.rows) {
		return false
	}
	lines, ok := pair(s.rows[begin:], right.rows)
	if !ok || lines.paired == 0 {
		return false
	}
	shorter := min(lines.left, lines.right) / lines.paired
	longer := max(lines.left, lines.right) / lines.paired
	const number, label, line, most = 12, 20, 25, 200
	isWhole := lines.paired == len(lines.beside)
	isTable := longer < label && isWhole || longer < number && len(s.rows) < most ||
		isNext && isWhole && (shorter < number || len(s.rows)-begin <= maxCellLines)
	if !isTable {
		l.uncertain = l.uncertain || isNext && isWhole && shorter < line
		return false
	}
	s.add(right.rows, lines.beside)
	if !isWhole {
		slices.SortStableFunc(s.rows, func(a, b row) int { return cmp.Compare(b.base, a.base) })
	}
	return true
}

// A pairing has the rows of one segment that are on the lines of rows of another.
type pairing struct {
	beside      []*row // for each row until the rows on the left end; nil if it is on no line
	paired      int    // rows that are on a line
	left, right int    // the lengths of the rows on these lines
}

// pair pairs rows. It is not ok if one has a cell in the place of a cell of the other.
func pair(left, right []row) (p pairing, ok bool) {
	at := 0
	for _, r := range right {
		for at < len(left) && left[at].base > r.base+sameLine*r.size {
			at++
		}
		if at == len(left) {
			break
		}
		other := &left[at]
		if r.base-other.base > sameLine*r.size {
			p.beside = append(p.beside, nil)
			continue
		}
		if r.overlaps(other) {
			return p, false
		}
		p.beside = append(p.beside, other)
		p.paired++
		p.left += other.length()
		p.right += r.length()
	}
	return p, true
}

// add adds the cells of rows to the rows beside them, and the other rows at the end.
func (s *segment) add(rows []row, beside []*row) {
	var others []row
	for i, r := range rows {
		if i >= len(beside) || beside[i] == nil {
			others = append(others, r)
			continue
		}
		for _, c := range r.cells {
			beside[i].add(c)
		}
	}
	s.rows = append(s.rows, others...)
}

// length is the number of characters in the longest cell of a row, without the targets of links.
func (r *row) length() int {
	longest := 0
	for _, c := range r.cells {
		n := 0
		for _, g := range c.glyphs {
			if g.left < g.right || g.c == ' ' {
				n++
			}
		}
		longest = max(longest, n)
	}
	return longest
}

// overlaps reports whether a cell of one row is in the place of one of the other. In rows of very
// many cells, one is.
func (r *row) overlaps(other *row) bool {
	const most = 1 << 16
	switch {
	case r.left >= other.right || other.left >= r.right:
		return false
	case len(r.cells)*len(other.cells) > most:
		return true
	}
	return slices.ContainsFunc(r.cells, func(a cell) bool {
		return slices.ContainsFunc(other.cells, func(b cell) bool {
			return a.left < b.right && b.left < a.right
		})
	})
}
