package pdf

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// addTables adds the lines of the rows. Rows with several cells, one below the other, are a table.
func (l *layout) addTables(rows []row) {
	for len(rows) > 0 {
		n := max(tableLength(rows), 1)
		var boundaries []float64
		if n > 1 {
			boundaries = boundariesOf(rows[:n])
		}
		for _, r := range rows[:n] {
			l.lines = append(l.lines, l.line(r, boundaries))
		}
		rows = rows[n:]
	}
}

// tableLength returns how many of the rows are those of a table, or 0.
func tableLength(rows []row) int {
	const maxSingle = 2 // rows with a single cell between others
	const maxDistance = 4
	n := 0
	var last row // with several cells
	for i, r := range rows {
		if i > 0 && rows[i-1].base-r.base > maxDistance*r.size {
			break
		}
		if len(r.cells) > 1 {
			last = r
		}
		if len(r.cells) > 1 || last.continuedBy(r.cells[0]) {
			n = i + 1
		} else if i-n >= maxSingle || i == 0 {
			break
		}
	}
	return n
}

// continuedBy reports whether a cell begins below one of a row that is not the first.
func (r *row) continuedBy(below cell) bool {
	return slices.ContainsFunc(r.cells[min(1, len(r.cells)):], func(c cell) bool {
		return math.Abs(c.left-below.left) < wordGap*c.size
	})
}

// line returns the text of a row, whose cells are in columns.
func (l *layout) line(r row, boundaries []float64) string {
	var line []rune
	column := 0
	for i, c := range r.cells {
		at := sort.SearchFloat64s(boundaries, c.left)
		for ; column < at; column++ {
			line = append(line, '\t')
		}
		if n := len(line); n > 0 && line[n-1] != '\t' {
			between := ' '
			if c.left-r.cells[i-1].right > tabGap*c.size {
				between = '\t'
				l.uncertain = l.uncertain || boundaries != nil
			}
			line = append(line, between)
		}
		for _, g := range c.glyphs {
			line = append(line, g.c)
		}
	}
	return string(line)
}

// boundariesOf returns places between the columns of a table, in the strips that no cell covers. A
// cell above several columns hides none: it overlaps several cells of the row that has most.
func boundariesOf(rows []row) []float64 {
	most := slices.MaxFunc(rows, func(a, b row) int { return cmp.Compare(len(a.cells), len(b.cells)) })
	type span struct{ left, right float64 }
	var covered []span
	for _, r := range rows {
		if len(r.cells) == 1 {
			continue
		}
		for _, c := range r.cells {
			first := sort.Search(len(most.cells), func(i int) bool { return most.cells[i].right > c.left })
			next := sort.Search(len(most.cells), func(i int) bool { return most.cells[i].left >= c.right })
			if next-first <= 1 {
				covered = append(covered, span{c.left, c.right})
			}
		}
	}
	slices.SortFunc(covered, func(a, b span) int { return cmp.Compare(a.left, b.left) })
	var boundaries []float64
	end := covered[0].right
	for _, s := range covered {
		if s.left > end+wordGap*most.size {
			boundaries = append(boundaries, (s.left+end)/2)
		}
		end = max(end, s.right)
	}
	return boundaries
}
