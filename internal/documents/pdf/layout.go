package pdf

import (
	"cmp"
	"math"
	"slices"
	"unicode"
)

// A cell is text on a line without a wide gap.
type cell struct {
	glyphs      []glyph
	leftward    bool // it has letters that are read from right to left
	left, right float64
	base, size  float64
	turn        int
}

// A glyph is a character of a cell. Its place is that of a visible one.
type glyph struct {
	c           rune
	left, right float32
}

// A row has the cells on a line, from left to right when it is arranged.
type row struct {
	base, size  float64
	left, right float64
	cells       []cell
}

// A segment is part of a page that PDFium gives from above to below.
type segment struct {
	turn int
	rows []row
}

// A layout puts the characters of a page, in PDFium's order, into cells, rows and segments. Its
// lines are complete after arrange.
type layout struct {
	lines     []string
	uncertain bool // columns can be those of a table, or of a page
	partial   bool // not all links and values of forms are shown

	segments []segment
	cell     cell    // the current one, without text if there is none
	space    bool    // before the next character
	joined   bool    // the rest of a word on the next line follows
	raised   bool    // the last character is a superscript
	left     float64 // of the last character
}

// Distances, as parts of the height of the font.
const (
	wideGap  = 0.9  // of cells that stand apart
	tabGap   = 2    // of cells that stand apart without others above or below
	wordGap  = 0.15 // of words
	sameBase = 0.2  // the baselines of a line differ less
	sameRow  = 0.5  // those of a row
	sameLine = 0.3  // those of rows beside each other

	smaller   = 0.8 // of the font of a superscript or subscript
	scriptGap = 0.3 // before one
)

func (l *layout) add(c character) {
	switch {
	case c.hyphen:
		l.joined = l.endsWithLetter()
	case !c.isVisible():
		l.space = true
		if l.joined {
			l.endCell()
		}
	case l.joined:
		l.cell.write(c.c)
	default:
		l.place(c)
		if c.target != "" {
			for _, char := range " (" + c.target + ")" {
				l.cell.write(char)
			}
		}
	}
}

func (l *layout) endsWithLetter() bool {
	n := len(l.cell.glyphs)
	return n > 0 && !l.space && unicode.IsLetter(l.cell.glyphs[n-1].c)
}

// place adds a visible character to the current cell, or to a new one.
func (l *layout) place(c character) {
	isRaised := false
	if !l.cell.isEmpty() {
		if l.isBeside(c) {
			isRaised = l.isSmall(c) && c.base-l.cell.base > sameBase*l.cell.size
		} else {
			l.endCell()
		}
	}
	current := &l.cell
	switch {
	case current.isEmpty():
		*current = cell{left: c.left, right: c.right, base: c.base, size: c.size, turn: c.turn}
	case isRaised && !l.raised:
		current.write('^')
	case l.space, c.left-current.right > wordGap*current.size:
		current.write(' ')
	}
	current.glyphs = append(current.glyphs, glyph{c.c, float32(c.left), float32(c.right)})
	current.leftward = current.leftward || isLeftward(c.c)
	current.left, current.right = min(current.left, c.left), max(current.right, c.right)
	if l.isSmallerThan(c) {
		current.base, current.size = c.base, c.size
	}
	l.space, l.raised, l.left = false, isRaised, c.left
}

func (c *cell) isEmpty() bool { return len(c.glyphs) == 0 }

// write adds a character without a place of its own.
func (c *cell) write(char rune) {
	c.glyphs = append(c.glyphs, glyph{char, float32(c.right), float32(c.right)})
}

// isSmall and isSmallerThan compare the fonts of a character and of the current cell.
func (l *layout) isSmall(c character) bool       { return c.size < smaller*l.cell.size }
func (l *layout) isSmallerThan(c character) bool { return l.cell.size < smaller*c.size }

// isBeside reports whether a character continues the current cell: on its line, or raised or
// lowered and smaller.
func (l *layout) isBeside(c character) bool {
	cell := &l.cell
	size := max(cell.size, c.size)
	ahead, behind := c.left-cell.right, cell.left-c.right
	isNear := c.left >= l.left-wordGap*size && ahead <= wideGap*size
	if cell.leftward || isLeftward(c.c) {
		isNear = ahead <= wideGap*size && behind <= wideGap*size
	}
	height := math.Abs(c.base - cell.base)
	isScript := height < 0.8*size && ahead < scriptGap*size && (l.isSmall(c) || l.isSmallerThan(c))
	isOnLine := height <= sameBase*size || isScript
	return cell.turn == c.turn && isNear && isOnLine
}

// endCell adds the current cell to the last row, or to a new one.
func (l *layout) endCell() {
	c := l.cell
	l.cell, l.joined = cell{}, false
	if c.isEmpty() {
		return
	}
	c.order()
	if n := len(l.segments); n > 0 && l.segments[n-1].turn == c.turn {
		s := &l.segments[n-1]
		last := &s.rows[len(s.rows)-1]
		height := (c.base - last.base) / max(c.size, last.size)
		if height < -sameRow {
			s.rows = append(s.rows, row{base: c.base})
			last = &s.rows[len(s.rows)-1]
		}
		if height < sameRow {
			last.add(c)
			return
		}
	}
	s := segment{turn: c.turn, rows: []row{{base: c.base}}}
	s.rows[0].add(c)
	l.segments = append(l.segments, s)
}

func (r *row) add(c cell) {
	if len(r.cells) == 0 {
		r.left, r.right = c.left, c.right
	}
	r.left, r.right = min(r.left, c.left), max(r.right, c.right)
	r.size = max(r.size, c.size)
	r.cells = append(r.cells, c)
}

// arrange adds the lines of the characters so far.
func (l *layout) arrange() {
	l.endCell()
	var arranged []segment
	for _, s := range l.segments {
		if !l.mergeWithLast(arranged, s) {
			arranged = append(arranged, s)
		}
	}
	l.segments = nil
	for _, s := range arranged {
		for i := range s.rows {
			s.rows[i].join()
		}
		l.addTables(s.rows)
	}
}

// join sorts the cells of a row, and makes those without a wide gap one.
func (r *row) join() {
	slices.SortStableFunc(r.cells, func(a, b cell) int { return cmp.Compare(a.left, b.left) })
	joined := r.cells[:1]
	for _, c := range r.cells[1:] {
		last := &joined[len(joined)-1]
		gap := c.left - last.right
		if gap > wideGap*max(c.size, last.size) && !last.isBullet() {
			joined = append(joined, c)
		} else {
			last.append(c)
		}
	}
	r.cells = joined
}

// isBullet reports whether a cell is the bullet of an item.
func (c *cell) isBullet() bool {
	return len(c.glyphs) == 1 && unicode.In(c.glyphs[0].c, unicode.P, unicode.So, unicode.Co)
}

// append adds a cell to the right.
func (c *cell) append(right cell) {
	if right.left-c.right > wordGap*max(c.size, right.size) {
		c.write(' ')
	}
	c.glyphs = append(c.glyphs, right.glyphs...)
	c.right, c.size = max(c.right, right.right), max(c.size, right.size)
}

// order puts the characters of a cell with letters that are read from right to left in the order of
// the page.
func (c *cell) order() {
	if !c.leftward {
		return
	}
	glyphs := slices.DeleteFunc(c.glyphs, func(g glyph) bool { return g.c == ' ' })
	slices.SortStableFunc(glyphs, func(a, b glyph) int { return cmp.Compare(a.left, b.left) })
	c.glyphs = nil
	for i, g := range glyphs {
		if i > 0 && g.left-glyphs[i-1].right > float32(wordGap*c.size) {
			c.write(' ')
		}
		c.glyphs = append(c.glyphs, g)
	}
}
