package odf

import (
	"gander/internal/documents"
	"gander/internal/documents/markup"
	"gander/internal/documents/sheet"
)

func (w *writer) startTable(s *markup.Scanner) {
	isSheet := w.format == Spreadsheet
	switch {
	case s.Name == "table":
		if isSheet && w.out.Tables() == 0 {
			w.markSheet(s)
		}
		w.out.StartTable()
	case isSheet && w.out.Tables() != 1: // a table in a cell is part of the cell
	case isSheet && s.Name == "table-row":
		w.sheet.startRow(s)
	case isSheet:
		w.sheet.startCell(s)
	case s.Name == "table-row":
		w.out.Row()
	default:
		w.out.Cell()
		w.out.Span(s.Number("number-columns-spanned", documents.MaxSpan),
			s.Number("number-rows-spanned", documents.MaxSpan))
	}
}

func (w *writer) endTable(s *markup.Scanner) error {
	isSheet := w.format == Spreadsheet
	switch {
	case s.Name == "table":
		w.out.EndTable()
		if isSheet && w.out.Tables() == 0 {
			return w.writeObjects()
		}
	case isSheet && w.out.Tables() != 1:
	case isSheet && s.Name == "table-row":
		w.sheet.endRow()
	case isSheet:
		w.sheet.endCell()
	}
	return nil
}

func (w *writer) markSheet(s *markup.Scanner) {
	w.sheets++
	w.sheet = sheetWriter{out: w.out, row: sheet.NewRow(w.out), rowNumber: 1}
	w.out.Mark(documents.Mark{
		Kind:   documents.Sheet,
		Number: w.sheets,
		Name:   s.Attr("name"),
		Hidden: w.overview.hidden[s.Attr("style-name")],
	})
}
