// Package xlsx reads XLSX files, the workbooks of Excel.
package xlsx

import (
	"context"

	"gander/internal/documents"
	"gander/internal/documents/markup"
	"gander/internal/documents/ooxml"
	"gander/internal/documents/sheet"
)

// Format is the format XLSX.
var Format documents.Seeker = format{ooxml.Format{
	Title: "XLSX", Root: "workbook", Standard: "xl/workbook.xml",
}}

type format struct{ ooxml.Format }

// Seeks implements [documents.Seeker].
func (format) Seeks() {}

// Write implements [documents.Format]. It writes the cells of the sheets, their comments, and what
// is drawn on them.
func (f format) Write(ctx context.Context, src *documents.Source, w *documents.Writer) error {
	p, err := f.Open(ctx, src)
	if err != nil {
		return err
	}
	relations, err := p.Relations(p.Main)
	if err != nil {
		return err
	}
	b := &workbook{Package: p}
	sheets, err := b.readSheets(relations)
	if err != nil {
		return err
	}
	b.authors, err = p.ReadAuthors(relations)
	if err != nil {
		return err
	}
	if p.Missing(relations.First("styles")) && w.First() == 1 {
		w.Line([]byte("(the styles are missing in the file; dates are numbers)"))
	}
	err = b.styles.read(p, relations.First("styles"))
	if err != nil {
		return err
	}
	err = b.strings.read(src, p, relations.First("sharedStrings"))
	if err != nil {
		return err
	}
	for i := w.First() - 1; i < len(sheets); i++ {
		s := sheets[i]
		s.mark.Number, s.mark.Total = i+1, len(sheets)
		w.Mark(s.mark)
		if !p.Has(s.part) {
			w.Line([]byte("(this sheet is missing in the file)"))
		}
		err := b.writeSheet(w, s.part)
		if err != nil {
			return err
		}
	}
	return nil
}

// A workbook has the properties that its sheets share.
type workbook struct {
	*ooxml.Package
	date1904 bool
	styles   styles
	strings  stringTable
	authors  ooxml.Authors // of comments
}

// A sheetEntry is a sheet in the list of a workbook.
type sheetEntry struct {
	mark documents.Mark
	part string
}

// readSheets returns the sheets in the order of their tabs.
func (b *workbook) readSheets(relations *ooxml.Relations) ([]sheetEntry, error) {
	var sheets []sheetEntry
	err := b.ScanStarts(b.Main, func(s *markup.Scanner) error {
		switch s.Name {
		case "workbookPr":
			b.date1904 = ooxml.IsTrue(s.Attr("date1904"))
		case "sheet":
			mark := documents.Mark{Kind: documents.Sheet, Name: s.Attr("name")}
			state := s.Attr("state")
			mark.Hidden = state == "hidden" || state == "veryHidden"
			sheets = append(sheets, sheetEntry{mark, relations.Target(s.Prefixed("id"))})
			return b.Keep(len(mark.Name))
		}
		return nil
	})
	return sheets, err
}

// writeSheet writes the rows of a sheet, its comments, and what is drawn on it.
func (b *workbook) writeSheet(w *documents.Writer, part string) error {
	relations, err := b.Relations(part)
	if err != nil {
		return err
	}
	cells := &sheetWriter{
		workbook: b, w: w, row: sheet.NewRow(w), shared: map[int]sharedFormula{},
		links: map[string]string{},
	}
	if relations.First("hyperlink") != "" { // they follow the cells
		err := b.ScanStarts(part, func(s *markup.Scanner) error { return cells.readLink(s, relations) })
		if err != nil {
			return err
		}
	}
	err = b.Scan(part, cells.piece)
	if err != nil {
		return err
	}
	err = b.WriteComments(w, relations, b.authors)
	if err != nil {
		return err
	}
	drawn := relations.First("drawing")
	relations, err = b.Relations(drawn)
	if err != nil {
		return err
	}
	drawing := &ooxml.Drawing{
		Out: w, Package: b.Package, Relations: relations,
		Item: func(string) bool { return false },
	}
	return b.Scan(drawn, drawing.Piece)
}
