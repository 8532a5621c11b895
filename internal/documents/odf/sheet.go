package odf

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"gander/internal/documents"
	"gander/internal/documents/markup"
	"gander/internal/documents/sheet"
)

// A sheetWriter writes the rows of a sheet.
type sheetWriter struct {
	out       *documents.Writer
	row       sheet.Row
	rowNumber int    // from 1
	rowCopies int    // how often the row appears
	cells     []cell // of a row that appears a few times, as far as it is kept
	kept      int    // bytes of them
	written   bool

	column     int
	inCell     bool
	cellCopies int    // how often the cell appears
	stored     []byte // the value, unless it is text
	isNumber   bool   // it is a number, which is shown in some format
	span       string // says that the cell is merged
	hasValue   bool   // one is stored, which can be empty
	formula    string
	text       sheet.Buffer // the paragraphs
	unshown    string       // a text that is the value, for a cell without paragraphs
	after      sheet.Buffer // what follows the value: notes, comments, and what is not text
}

// A cell is a cell that was written.
type cell struct {
	column int
	value  []byte
}

// startTable begins a table, or a row or a cell of it. A table in a cell of a sheet is text of the
// cell.
func (w *writer) startTable(s *markup.Scanner) {
	isSheet := w.format == Spreadsheet
	switch {
	case s.Name == "table":
		if isSheet && w.out.Tables() == 0 {
			w.startSheet(s)
		}
		w.out.StartTable()
	case isSheet && w.out.Tables() != 1:
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

func (w *writer) endTable(name string) {
	isSheet := w.format == Spreadsheet
	switch {
	case name == "table":
		w.out.EndTable()
		if isSheet && w.out.Tables() == 0 {
			w.writeObjects()
		}
	case !isSheet || w.out.Tables() != 1:
	case name == "table-row":
		w.sheet.endRow()
	default:
		w.sheet.endCell()
	}
}

func (w *writer) startSheet(s *markup.Scanner) {
	w.sheets++
	w.sheet = sheetWriter{out: w.out, row: sheet.NewRow(w.out), rowNumber: 1}
	w.out.Mark(documents.Mark{
		Kind: documents.Sheet, Number: w.sheets, Name: s.Attr("name"),
		Hidden: w.overview.hidden[s.Attr("style-name")],
	})
}

// maxCopies is the number of equal cells in a row that are all written, and maxRowCopies that of
// equal rows whose cells have at most maxRowBytes.
const maxCopies, maxRowCopies, maxRowBytes = 64, 16, 64 << 10

func (c *sheetWriter) startRow(s *markup.Scanner) {
	c.rowCopies = max(1, s.Number("number-rows-repeated", sheet.MaxRows))
	c.column, c.written, c.cells, c.kept = 0, false, nil, 0
	visibility := s.Attr("visibility")
	c.row.Hidden = visibility == "collapse" || visibility == "filter"
}

func (c *sheetWriter) endRow() {
	c.row.End()
	isRepeated := c.rowCopies > 1 && c.written
	switch {
	case isRepeated && c.rowCopies <= maxRowCopies && c.kept <= maxRowBytes:
		for n := 1; n < c.rowCopies; n++ {
			c.row.Start(c.rowNumber + n)
			for _, cell := range c.cells {
				c.row.Add(cell.column, cell.value)
			}
			c.row.End()
		}
	case isRepeated:
		first, last := c.rowNumber+1, c.rowNumber+c.rowCopies-1
		c.out.Line(fmt.Appendf(nil, "[rows %d to %d are equal to row %d]", first, last, first-1))
	}
	c.rowNumber = min(c.rowNumber+c.rowCopies, sheet.MaxRows)
	c.row.Start(c.rowNumber)
}

func (c *sheetWriter) startCell(s *markup.Scanner) {
	c.cellCopies = max(1, s.Number("number-columns-repeated", sheet.MaxColumns))
	c.inCell = true
	c.stored, c.isNumber = storedValue(s)
	c.span = documents.SpanNote(
		s.Number("number-columns-spanned", documents.MaxSpan),
		s.Number("number-rows-spanned", documents.MaxSpan))
	c.hasValue = s.Has("value-type")
	c.unshown = documents.Name(s.Attr("string-value"))
	c.formula = documents.Name(s.Attr("formula"))
	c.text.Reset()
	c.after.Reset()
}

// storedValue returns the value of a cell in the form for all spreadsheets, or nil if it is text,
// and whether it is a number.
func storedValue(s *markup.Scanner) (value []byte, isNumber bool) {
	value = []byte(documents.Name(s.Attr("value")))
	switch s.Attr("value-type") {
	case "float", "percentage", "currency":
		return sheet.Number(value), true
	case "date":
		return []byte(documents.Name(strings.TrimSuffix(s.Attr("date-value"), "T00:00:00"))), false
	case "time":
		return timeOfDuration(documents.Name(s.Attr("time-value"))), false
	case "boolean":
		return []byte(documents.Name(strings.ToUpper(s.Attr("boolean-value")))), false
	}
	return nil, false
}

// timeOfDuration returns a time such as "PT12H30M05.750S" as "12:30:05.75".
func timeOfDuration(duration string) []byte {
	var hours, minutes, seconds int
	n, _ := fmt.Sscanf(duration, "PT%dH%dM%d", &hours, &minutes, &seconds)
	if n < 3 {
		return []byte(duration)
	}
	time := fmt.Appendf(nil, "%02d:%02d:%02d", hours, minutes, seconds)
	_, fraction, _ := strings.Cut(duration, ".")
	fraction = strings.TrimRight(strings.TrimSuffix(fraction, "S"), "0")
	if fraction != "" {
		time = append(time, "."+fraction...)
	}
	return time
}

func (c *sheetWriter) endCell() {
	c.inCell = false
	value := c.value()
	if formula := plainFormula(c.formula); formula != "" {
		value = sheet.Calculated(formula, value, c.hasValue)
	}
	value = append(value, c.after.Bytes...)
	if c.span != "" {
		value = append(append(value, ' '), c.span...)
	}
	if len(value) > 0 {
		c.written = true
		c.writeCell(value)
	}
	c.column = min(c.column+c.cellCopies, sheet.MaxColumns)
}

// reference matches a text in a formula, or a reference to cells, such as "[.A1:.B2]".
var reference = regexp.MustCompile(`"[^"]*"|\[[^\]]*\]`)

// plainFormula returns a formula as a person would write it, without the name of its language, or
// "".
func plainFormula(formula string) string {
	for _, prefix := range []string{"of:", "oooc:", "msoxl:", "="} {
		formula = strings.TrimPrefix(formula, prefix)
	}
	if formula == "" {
		return ""
	}
	return "=" + reference.ReplaceAllStringFunc(formula, func(r string) string {
		if strings.HasPrefix(r, `"`) {
			return r
		}
		return strings.ReplaceAll(strings.TrimPrefix(r[1:len(r)-1], "."), ":.", ":")
	})
}

// value returns the value of the cell as the sheet shows it.
func (c *sheetWriter) value() []byte {
	switch {
	case c.isNumber && len(c.text.Bytes) > 0:
		return sheet.Shown(c.text.Bytes, c.stored)
	case len(c.stored) > 0 && len(c.text.Bytes) > 0 && c.isOther():
		return fmt.Appendf(nil, "%s (%s)", c.text.Bytes, c.stored)
	case len(c.stored) > 0:
		return c.stored
	case len(c.text.Bytes) > 0:
		return c.text.Bytes
	}
	return []byte(c.unshown)
}

// isOther reports whether the text of a date has letters, or numbers that the stored value lacks.
func (c *sheetWriter) isOther() bool {
	return slices.ContainsFunc(words.FindAll(c.text.Bytes, -1), func(word []byte) bool {
		return !bytes.Contains(c.stored, word)
	})
}

// words matches words and numbers, without zeros before these.
var words = regexp.MustCompile(`\pL+|[1-9][0-9]*`)

// writeCell writes a cell as often as it appears, but not too often.
func (c *sheetWriter) writeCell(value []byte) {
	if c.cellCopies <= maxCopies {
		for i := range c.cellCopies {
			c.add(c.column+i, value)
		}
		return
	}
	c.add(c.column, value)
	c.add(c.column+1, fmt.Appendf(nil, "[equal up to column %s]",
		sheet.ColumnName(min(c.column+c.cellCopies, sheet.MaxColumns)-1)))
}

// add writes a cell, and keeps it if the row appears again.
func (c *sheetWriter) add(column int, value []byte) {
	c.row.Add(column, value)
	isFew := 1 < c.rowCopies && c.rowCopies <= maxRowCopies
	if !isFew {
		return
	}
	const overhead = 32
	c.kept += len(value) + overhead
	if c.kept <= maxRowBytes {
		c.cells = append(c.cells, cell{column, bytes.Clone(value)})
	}
}
