// Package xlsx reads XLSX files, the workbooks of Excel.
package xlsx

import (
	"gander/internal/documents"
	"gander/internal/documents/markup"
	"gander/internal/documents/ooxml"
	"gander/internal/documents/sheet"
)

// Format is the format XLSX.
var Format documents.Format = ooxml.Format{
	Title: "XLSX", Root: "workbook", Standard: "xl/workbook.xml", Text: write,
}

// write writes the cells of the sheets, their comments, and what is drawn on them.
func write(src *documents.Source, p *ooxml.Package) {
	w := p.Out
	relations := p.Relations(p.Main)
	b := &workbook{Package: p}
	sheets := b.readSheets(relations)
	b.ReadAuthors(relations)
	if p.Missing(relations.First("styles")) {
		w.Line([]byte("(the styles are missing in the file; dates are numbers)"))
	}
	b.styles.read(p, relations.First("styles"))
	b.strings.read(src, p, relations.First("sharedStrings"))
	for i := w.First() - 1; i < len(sheets); i++ {
		s := sheets[i]
		s.mark.Number, s.mark.Total = i+1, len(sheets)
		w.Mark(s.mark)
		if !p.Has(s.part) {
			w.Line([]byte("(this sheet is missing in the file)"))
		}
		b.writeSheet(s.part)
	}
}

// A workbook has the properties that its sheets share.
type workbook struct {
	*ooxml.Package
	date1904 bool
	styles   styles
	strings  stringTable
}

// A sheetEntry is a sheet in the list of a workbook.
type sheetEntry struct {
	mark documents.Mark
	part string
}

// readSheets returns the sheets in the order of their tabs.
func (b *workbook) readSheets(relations *ooxml.Relations) []sheetEntry {
	var sheets []sheetEntry
	b.ScanStarts(b.Main, func(s *markup.Scanner) {
		switch s.Name {
		case "workbookPr":
			b.date1904 = ooxml.IsTrue(s.Attr("date1904"))
		case "sheet":
			mark := documents.Mark{Kind: documents.Sheet, Name: s.Attr("name")}
			state := s.Attr("state")
			mark.Hidden = state == "hidden" || state == "veryHidden"
			sheets = append(sheets, sheetEntry{mark, relations.Target(s.Prefixed("id"))})
			b.Keep(len(mark.Name))
		}
	})
	return sheets
}

// writeSheet writes the rows of a sheet, its comments, and what is drawn on it.
func (b *workbook) writeSheet(part string) {
	relations := b.Relations(part)
	cells := &sheetWriter{
		workbook: b, row: sheet.NewRow(b.Out), shared: map[int]sharedFormula{},
		links: map[string]string{},
	}
	if relations.First("hyperlink") != "" { // they follow the cells
		b.ScanStarts(part, func(s *markup.Scanner) { cells.readLink(s, relations) })
	}
	b.Scan(part, cells.piece)
	b.WriteComments(relations)
	drawn := relations.First("drawing")
	drawing := &ooxml.Drawing{
		Package: b.Package, Relations: b.Relations(drawn),
		Item: func(string) bool { return false },
	}
	b.Scan(drawn, drawing.Piece)
}
