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

// Write implements [documents.Format]. It writes the values of cells, but neither comments nor charts.
func (f format) Write(ctx context.Context, src *documents.Source, w *documents.Writer) error {
	p, err := f.Open(ctx, src)
	if err != nil {
		return err
	}
	b := new(workbook)
	sheets, err := b.readSheets(p)
	if err != nil {
		return err
	}
	parts, err := p.PartsByType()
	if err != nil {
		return err
	}
	if p.Missing(parts["styles"]) && w.First() == 1 {
		w.Line([]byte("(the styles are missing in the file; dates are numbers)"))
	}
	err = b.readStyles(p, parts["styles"])
	if err != nil {
		return err
	}
	err = b.strings.read(src, p, parts["sharedStrings"])
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
		cells := &sheetWriter{workbook: b, w: w, row: sheet.NewRow(w)}
		err := p.Scan(s.part, cells.piece)
		if err != nil {
			return err
		}
	}
	return nil
}

// A workbook has the properties that its sheets share.
type workbook struct {
	date1904 bool
	dates    []dateParts // the parts of a date that the styles of cells show
	strings  stringTable
}

// A sheetEntry is a sheet in the list of a workbook.
type sheetEntry struct {
	mark documents.Mark
	part string
}

// readSheets returns the sheets in the order of their tabs.
func (b *workbook) readSheets(p *ooxml.Package) ([]sheetEntry, error) {
	parts, err := p.PartsByID()
	if err != nil {
		return nil, err
	}
	var sheets []sheetEntry
	err = p.ScanStarts(p.Main, func(s *markup.Scanner) error {
		switch s.Name {
		case "workbookPr":
			v := s.Attr("date1904")
			b.date1904 = v == "1" || v == "true"
		case "sheet":
			mark := documents.Mark{Kind: documents.Sheet, Name: s.Attr("name")}
			state := s.Attr("state")
			mark.Hidden = state == "hidden" || state == "veryHidden"
			sheets = append(sheets, sheetEntry{mark, parts[s.Prefixed("id")]})
			return p.Keep(len(mark.Name))
		}
		return nil
	})
	return sheets, err
}

// A sheetWriter writes the cells of a sheet.
type sheetWriter struct {
	*workbook
	w         *documents.Writer
	row       sheet.Row
	rowNumber int

	// Of the current cell.
	column, style  int
	kind           string // the kind of the value
	value, formula sheet.Buffer
}

func (c *sheetWriter) piece(s *markup.Scanner) error {
	switch s.Piece {
	case markup.Start:
		c.start(s)
	case markup.End:
		c.end(s.Name)
	case markup.Text:
		switch s.Parent(0) {
		case "v", "t":
			return c.value.Add(s.Text)
		case "f":
			return c.formula.Add(s.Text)
		}
	}
	return c.w.Err()
}

func (c *sheetWriter) start(s *markup.Scanner) {
	switch s.Name {
	case "rPh", "extLst":
		s.Skip()
	case "row":
		c.startRow(s)
	case "c":
		c.startCell(s)
	}
}

func (c *sheetWriter) end(name string) {
	switch name {
	case "c":
		c.endCell()
	case "row":
		c.row.End()
	}
}

func (c *sheetWriter) startRow(s *markup.Scanner) {
	c.rowNumber++
	if n := s.Number("r", sheet.MaxRows); n > 0 {
		c.rowNumber = n
	}
	c.row.Start(c.rowNumber)
	c.column = -1
}

func (c *sheetWriter) startCell(s *markup.Scanner) {
	c.value.Reset()
	c.formula.Reset()
	c.column = min(c.column+1, sheet.MaxColumns-1)
	if column, ok := columnOf(s.Attr("r")); ok {
		c.column = column
	}
	c.kind, c.style = s.Attr("t"), s.Number("s", maxStyles)
}

// columnOf returns the column, from 0, of a reference such as "BC23".
func columnOf(reference string) (int, bool) {
	const letters = 3 // at most
	column := 0
	for _, c := range []byte(reference[:min(len(reference), letters)]) {
		if c < 'A' || c > 'Z' {
			break
		}
		column = column*26 + int(c-'A') + 1
	}
	return column - 1, 1 <= column && column <= sheet.MaxColumns
}

func (c *sheetWriter) endCell() {
	value := c.value.Bytes
	if len(value) == 0 {
		if len(c.formula.Bytes) > 0 {
			c.row.Add(c.column, append([]byte{'='}, c.formula.Bytes...))
		}
		return
	}
	switch c.kind {
	case "s":
		value = c.strings.text(value)
	case "b":
		value = boolean(value)
	case "", "n":
		value = c.number(value, c.style)
	case "str", "inlineStr":
		value = unescaped(value)
	}
	c.row.Add(c.column, value)
}

func boolean(stored []byte) []byte {
	switch string(stored) {
	case "0", "false":
		return []byte("FALSE")
	}
	return []byte("TRUE")
}

// number returns the text of a number in a cell with a style, which can make it a date.
func (b *workbook) number(stored []byte, style int) []byte {
	if style < len(b.dates) && b.dates[style] != 0 {
		return b.date(stored, b.dates[style])
	}
	return sheet.Number(stored)
}
