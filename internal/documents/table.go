package documents

import (
	"bytes"
	"fmt"
)

// Tables returns the number of tables around the text.
func (w *Writer) Tables() int { return w.tables }

// StartTable begins a table. A table in a cell is text of the cell: its cells are words apart.
func (w *Writer) StartTable() {
	if w.tables == 0 {
		w.separate()
		w.cells, w.covered = 0, 0
	}
	w.tables++
}

// EndTable ends a table, unless a mark in it has ended it.
func (w *Writer) EndTable() {
	if w.tables == 0 {
		return
	}
	w.tables--
	if w.tables == 0 {
		w.endSpan()
		w.End()
		w.separate()
	}
}

// separate leaves an empty line before or after a table, except on slides and sheets.
func (w *Writer) separate() {
	if w.unit.Kind != Slide && w.unit.Kind != Sheet {
		w.Gap()
	}
}

// Row begins a row of a table, on a line of its own.
func (w *Writer) Row() {
	if w.tables == 1 {
		w.endSpan()
		w.End()
		w.cells = 0
	}
}

// MaxSpan is the maximum number of columns or rows of a merged cell.
const MaxSpan = 1000

// Cell begins a cell of a row.
func (w *Writer) Cell() {
	if w.tables != 1 {
		w.Break()
		return
	}
	w.endSpan()
	w.cells++
	if w.cells > 1 {
		w.Tab()
	}
}

// Span says that the current cell is merged of several columns or rows, of which 0 is one. A note
// after its text says so.
func (w *Writer) Span(columns, rows int) {
	if w.tables == 1 {
		w.span = SpanNote(columns, rows)
	}
}

// SpanNote returns what says that a cell is merged of several columns or rows, or "" if it is not.
func SpanNote(columns, rows int) string {
	switch {
	case columns > 1 && rows > 1:
		return fmt.Sprintf("[%d columns, %d rows]", columns, rows)
	case columns > 1:
		return fmt.Sprintf("[%d columns]", columns)
	case rows > 1:
		return fmt.Sprintf("[%d rows]", rows)
	}
	return ""
}

// Covered begins cells that the merged one before them covers. Its text can follow.
func (w *Writer) Covered(cells int) {
	if w.tables == 1 {
		w.covered += cells
	}
}

// endSpan ends a cell, with what it covers.
func (w *Writer) endSpan() {
	if w.span != "" {
		if !w.Blank() && !bytes.HasSuffix(w.line, []byte{'\t'}) {
			w.Text([]byte{' '})
		}
		w.Text([]byte(w.span))
		w.span = ""
	}
	for ; w.covered > 0; w.covered-- {
		w.Tab()
	}
}

// Tab separates two cells: it adds a tab in place of a space at the end of the line.
func (w *Writer) Tab() {
	if n := len(w.line); n > 0 && w.line[n-1] == ' ' {
		w.line = w.line[:n-1]
	}
	w.Run([]byte{'\t'})
}

// Break ends the current line, as [Writer.End] does. In a table, it is a space.
func (w *Writer) Break() {
	if w.tables > 0 {
		w.Text([]byte{' '})
	} else {
		w.End()
	}
}
