package odf

import (
	"gander/internal/documents"
	"gander/internal/documents/markup"
	"gander/internal/documents/sheet"
)

func (t *text) startTable(s *markup.Scanner) {
	switch {
	case t.format == Spreadsheet:
		t.startSheet(s)
	case s.Name == "table":
		t.w.StartTable()
	case s.Name == "table-row":
		t.w.Row()
	default:
		t.w.Cell()
	}
}

func (t *text) endTable(s *markup.Scanner) {
	switch {
	case t.format == Spreadsheet:
		t.endSheet(s)
	case s.Name == "table":
		t.w.EndTable()
	case s.Name == "table-row":
		t.w.EndRow()
	}
}

// startSheet begins a sheet, row or cell of a spreadsheet. A table in a cell is part of the cell.
func (t *text) startSheet(s *markup.Scanner) {
	switch {
	case s.Name == "table":
		if t.w.Tables() == 0 {
			t.markSheet(s)
		}
		t.w.StartTable()
	case t.w.Tables() > 1:
	case s.Name == "table-row":
		t.sheet.start(s)
	default:
		t.sheet.startCell(s)
	}
}

func (t *text) endSheet(s *markup.Scanner) {
	switch {
	case s.Name == "table":
		t.w.EndTable()
	case t.w.Tables() != 1:
	case s.Name == "table-row":
		t.sheet.end()
	default:
		t.sheet.endCell()
	}
}

func (t *text) markSheet(s *markup.Scanner) {
	t.sheets++
	t.sheet = sheetWriter{row: sheet.Row{W: t.w, Number: 1}}
	t.w.Mark(documents.Mark{
		Kind:   documents.Sheet,
		Number: t.sheets,
		Name:   s.Attr("name"),
		Hidden: t.overview.hidden[s.Attr("style-name")],
	})
}
