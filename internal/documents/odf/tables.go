package odf

import (
	"gander/internal/documents"
	"gander/internal/documents/markup"
	"gander/internal/documents/sheet"
)

func (w *writer) startTable(s *markup.Scanner) {
	switch {
	case w.format == Spreadsheet:
		w.startSheet(s)
	case s.Name == "table":
		w.out.StartTable()
	case s.Name == "table-row":
		w.out.Row()
	default:
		w.out.Cell()
	}
}

func (w *writer) endTable(s *markup.Scanner) {
	switch {
	case w.format == Spreadsheet:
		w.endSheet(s)
	case s.Name == "table":
		w.out.EndTable()
	case s.Name == "table-row":
		w.out.EndRow()
	}
}

// startSheet begins a sheet, row or cell of a spreadsheet. A table in a cell is part of the cell.
func (w *writer) startSheet(s *markup.Scanner) {
	switch {
	case s.Name == "table":
		if w.out.Tables() == 0 {
			w.markSheet(s)
		}
		w.out.StartTable()
	case w.out.Tables() > 1:
	case s.Name == "table-row":
		w.sheet.startRow(s)
	default:
		w.sheet.startCell(s)
	}
}

func (w *writer) endSheet(s *markup.Scanner) {
	switch {
	case s.Name == "table":
		w.out.EndTable()
	case w.out.Tables() != 1:
	case s.Name == "table-row":
		w.sheet.endRow()
	default:
		w.sheet.endCell()
	}
}

func (w *writer) markSheet(s *markup.Scanner) {
	w.sheets++
	w.sheet = sheetWriter{row: sheet.Row{W: w.out, Number: 1}}
	w.out.Mark(documents.Mark{
		Kind:   documents.Sheet,
		Number: w.sheets,
		Name:   s.Attr("name"),
		Hidden: w.overview.hidden[s.Attr("style-name")],
	})
}
