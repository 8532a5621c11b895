package documents

// Tables returns the number of tables around the text.
func (w *Writer) Tables() int { return w.tables }

// StartTable begins a table. A table in a cell is text of the cell: its cells are words apart.
func (w *Writer) StartTable() {
	if w.tables == 0 {
		w.separate()
		w.cells = 0
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
		w.End()
		w.separate()
	}
}

// separate leaves an empty line before or after a table, except on slides and sheets.
func (w *Writer) separate() {
	if w.unit != Slide && w.unit != Sheet {
		w.Gap()
	}
}

// Row begins a row of a table, on a line of its own.
func (w *Writer) Row() {
	if w.tables == 1 {
		w.End()
		w.cells = 0
	}
}

// Cell begins a cell of a row.
func (w *Writer) Cell() {
	if w.tables != 1 {
		w.Break()
		return
	}
	w.cells++
	if w.cells > 1 {
		w.Tab()
	}
}

// Tab separates two cells: it adds a tab in place of a space at the end of the line.
func (w *Writer) Tab() {
	if n := len(w.line); n > 0 && w.line[n-1] == ' ' {
		w.line = w.line[:n-1]
	}
	w.add([]byte{'\t'})
}

// Break ends the current line, as [Writer.End] does. In a table, it is a space.
func (w *Writer) Break() {
	if w.tables > 0 {
		w.Text([]byte{' '})
	} else {
		w.End()
	}
}
