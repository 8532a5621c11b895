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
var Format documents.Seeker = format{ooxml.Kind{
	Title: "XLSX", Root: "workbook", Standard: "xl/workbook.xml",
}}

type format struct{ ooxml.Kind }

// Seeks implements [documents.Seeker].
func (format) Seeks() {}

// Write implements [documents.Format].
func (f format) Write(ctx context.Context, src *documents.Source, w *documents.Writer) error {
	p, err := f.Open(ctx, src)
	if err != nil {
		return err
	}
	rels, err := p.Relations(p.Main)
	if err != nil {
		return err
	}
	b := &workbook{w: w}
	sheets, err := b.readSheets(p)
	if err != nil {
		return err
	}
	err = b.readStyles(p, rels.Types["styles"])
	if err != nil {
		return err
	}
	err = b.strings.read(src, p, rels.Types["sharedStrings"])
	if err != nil {
		return err
	}
	for i := w.First() - 1; i < len(sheets); i++ {
		s := sheets[i]
		s.mark.Number, s.mark.Total = i+1, len(sheets)
		w.Mark(s.mark)
		part := rels.IDs[s.relation]
		if !p.Has(part) {
			w.Damaged("(this sheet is missing in the file)")
		}
		b.row = sheet.Row{W: w}
		err := p.Scan(part, b.piece)
		if err != nil {
			return err
		}
	}
	return nil
}

// A workbook writes sheets, of which it reads one at a time.
type workbook struct {
	w        *documents.Writer
	date1904 bool
	dates    []dateParts // what the styles show of a number
	strings  stringTable

	row            sheet.Row
	column, style  int
	kind           string // of the cell's value
	value, formula sheet.Buffer
}

// A sheetEntry is a sheet in the list of a workbook.
type sheetEntry struct {
	mark     documents.Mark
	relation string
}

// readSheets returns the sheets in the order of their tabs.
func (b *workbook) readSheets(p *ooxml.Package) ([]sheetEntry, error) {
	var sheets []sheetEntry
	err := p.ScanStarts(p.Main, func(s *markup.Scanner) error {
		switch s.Name {
		case "workbookPr":
			v := s.Attr("date1904")
			b.date1904 = v == "1" || v == "true"
		case "sheet":
			mark := documents.Mark{Kind: documents.Sheet, Name: s.Attr("name")}
			state := s.Attr("state")
			mark.Hidden = state == "hidden" || state == "veryHidden"
			relation := s.Prefixed("id")
			sheets = append(sheets, sheetEntry{mark, relation})
			return p.Keep(len(mark.Name) + len(relation))
		}
		return nil
	})
	return sheets, err
}

// piece reads a piece of a sheet.
func (b *workbook) piece(s *markup.Scanner) error {
	switch s.Kind {
	case markup.Start:
		switch s.Name {
		case "rPh", "extLst":
			s.Skip()
		case "row":
			b.startRow(s)
		case "c":
			b.startCell(s)
		}
	case markup.End:
		switch s.Name {
		case "c":
			b.endCell()
		case "row":
			b.row.End()
		}
	case markup.Text:
		switch s.Parent(0) {
		case "v", "t":
			return b.value.Add(s.Text)
		case "f":
			return b.formula.Add(s.Text)
		}
	}
	return b.w.Err()
}

func (b *workbook) startRow(s *markup.Scanner) {
	b.row.End()
	b.row.Number++
	if n := s.Number("r", sheet.MaxRows); n > 0 {
		b.row.Number = n
	}
	b.column = -1
}

func (b *workbook) startCell(s *markup.Scanner) {
	b.value.Reset()
	b.formula.Reset()
	b.column = min(b.column+1, sheet.MaxColumns-1)
	if column, ok := columnOf(s.Attr("r")); ok {
		b.column = column
	}
	b.kind, b.style = s.Attr("t"), s.Number("s", maxStyles)
}

// columnOf returns the column, from 0, of a reference such as "BC23".
func columnOf(reference string) (int, bool) {
	column, i := 0, 0
	for ; i < len(reference) && i < 3 && 'A' <= reference[i] && reference[i] <= 'Z'; i++ {
		column = column*26 + int(reference[i]-'A') + 1
	}
	return column - 1, 1 <= column && column <= sheet.MaxColumns
}

func (b *workbook) endCell() {
	value := b.value.Bytes
	if len(value) == 0 {
		if len(b.formula.Bytes) > 0 {
			b.row.Add(b.column, append([]byte{'='}, b.formula.Bytes...))
		}
		return
	}
	switch b.kind {
	case "s":
		value = b.strings.text(value)
	case "b":
		value = boolean(value)
	case "", "n":
		value = b.number(value)
	}
	b.row.Add(b.column, value)
}

func boolean(stored []byte) []byte {
	if string(stored) == "0" {
		return []byte("FALSE")
	}
	return []byte("TRUE")
}

// number returns the text of a number, which can be a date.
func (b *workbook) number(stored []byte) []byte {
	if b.style < len(b.dates) && b.dates[b.style] != 0 {
		return b.date(stored, b.dates[b.style])
	}
	return sheet.Number(stored)
}
