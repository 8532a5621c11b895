// Package sheet writes the rows of spreadsheets, and the values of their cells.
package sheet

import (
	"bytes"
	"strconv"

	"gander/internal/documents"
)

// Limits of a sheet, which are those of Excel.
const (
	MaxColumns = 16_384
	MaxRows    = 1 << 20
)

// maxGap is the number of empty cells after which a row continues on a line of its own.
const maxGap = 8

// A Row writes the cells of a row: the reference of the first, then the values.
type Row struct {
	w      *documents.Writer
	number int
	next   int // the column after the last cell
	open   bool
	Hidden bool // the sheet does not show it
}

// NewRow returns row 1, which writes to w.
func NewRow(w *documents.Writer) Row { return Row{w: w, number: 1} }

// Start makes r another row, without cells.
func (r *Row) Start(number int) { r.number, r.next, r.open = number, 0, false }

// Add adds the value of a cell. The first column is 0. An empty value is an empty cell.
func (r *Row) Add(column int, value []byte) {
	if len(value) == 0 {
		return
	}
	if r.open && (column < r.next || column-r.next > maxGap) {
		r.End()
	}
	if !r.open {
		r.w.End()
		r.w.Run([]byte(ColumnName(column) + strconv.Itoa(r.number)))
		if r.Hidden {
			r.w.Run([]byte(" (hidden)"))
		}
		r.open, r.next = true, column
	}
	for ; r.next < column; r.next++ {
		r.w.Tab()
	}
	r.w.Tab()
	r.w.Text(value)
	r.next++
}

// End ends the line of the row.
func (r *Row) End() {
	r.w.End()
	r.open, r.next = false, 0
}

// ColumnName returns the name of a column, from 0, such as "AB".
func ColumnName(n int) string {
	var b [8]byte
	i := len(b)
	for n++; n > 0; n = (n - 1) / 26 {
		i--
		b[i] = byte('A' + (n-1)%26)
	}
	return string(b[i:])
}

// Number returns a number with at most 15 digits, as spreadsheets show it. An integer, such as the
// number of a card, and what is not a number stay as they are.
func Number(stored []byte) []byte {
	const digits = 15
	isInteger := len(bytes.Trim(stored, "+-0123456789")) == 0
	if isInteger || len(stored) <= digits {
		return stored
	}
	f, err := strconv.ParseFloat(string(stored), 64)
	if err != nil {
		return stored
	}
	return strconv.AppendFloat(nil, f, 'g', digits, 64)
}

// Calculated returns a cell with a formula, and the value if a result is stored.
func Calculated(formula string, value []byte, isStored bool) []byte {
	if !isStored {
		return []byte(formula)
	}
	return append([]byte(formula+" → "), value...)
}

// A Buffer collects the text of a cell, or its formula.
type Buffer struct{ Bytes []byte }

const maxCell = 256 << 10

// Add adds text. Too much of it ends the document.
func (b *Buffer) Add(w *documents.Writer, text []byte) {
	if len(b.Bytes)+len(text) > maxCell {
		w.Fail(documents.TooLargef("a cell of more than %d KiB", maxCell>>10))
		return
	}
	b.Bytes = append(b.Bytes, text...)
}

// Reset empties the buffer.
func (b *Buffer) Reset() { b.Bytes = b.Bytes[:0] }
