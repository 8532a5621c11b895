package odf

import (
	"gander/internal/documents"
	"gander/internal/documents/markup"
	"gander/internal/documents/sheet"
)

func (t *text) startTable(s *markup.Scanner) {
	if t.format == Spreadsheet {
		t.startSheet(s)
		return
	}
	switch {
	case s.Name == "table":
		t.tables++
		if t.tables == 1 && t.slides == 0 {
			t.w.Gap()
		}
	case t.tables > 1:
	case s.Name == "table-row":
		t.w.Row()
	default:
		t.w.Cell()
	}
}

func (t *text) endTable(s *markup.Scanner) {
	if t.format == Spreadsheet {
		t.endSheet(s)
		return
	}
	switch {
	case s.Name == "table":
		t.tables--
		if t.tables == 0 && t.slides == 0 {
			t.w.Gap()
		}
	case t.tables == 1 && s.Name == "table-row":
		t.w.End()
	}
}

// startSheet begins a sheet, row or cell of a spreadsheet. A table in a cell is part of the cell.
func (t *text) startSheet(s *markup.Scanner) {
	if s.Name == "table" {
		t.tables++
	}
	if t.tables > 1 {
		return
	}
	switch s.Name {
	case "table":
		t.sheets++
		t.rows = rows{row: sheet.Row{W: t.w, Number: 1}}
		t.w.Mark(documents.Mark{
			Kind:   documents.Sheet,
			Number: t.sheets,
			Name:   s.Attr("name"),
			Hidden: t.styles.hidden[s.Attr("style-name")],
		})
	case "table-row":
		t.rows.start(s)
	default:
		t.rows.startCell(s)
	}
}

func (t *text) endSheet(s *markup.Scanner) {
	if s.Name == "table" {
		t.tables--
	}
	if t.tables != 1 {
		return
	}
	switch s.Name {
	case "table-row":
		t.rows.end()
	case "table-cell", "covered-table-cell":
		t.rows.endCell()
	}
}
