package odf

import (
	"fmt"
	"strings"

	"gander/internal/documents/markup"
	"gander/internal/documents/sheet"
)

// A sheetWriter writes the rows of a sheet.
type sheetWriter struct {
	row     sheet.Row
	repeat  int // how often the row appears
	written bool

	column  int
	inCell  bool
	columns int    // how often the cell appears
	stored  []byte // the value, unless it is text
	formula string
	text    sheet.Buffer
	comment sheet.Buffer
}

// maxCopies is the number of equal cells in a row that are all written.
const maxCopies = 64

func (c *sheetWriter) start(s *markup.Scanner) {
	c.repeat = max(1, s.Number("number-rows-repeated", sheet.MaxRows))
	c.column, c.written = 0, false
}

func (c *sheetWriter) end() {
	c.row.End()
	if c.repeat > 1 && c.written {
		first, last := c.row.Number+1, c.row.Number+c.repeat-1
		c.row.W.Line(fmt.Appendf(nil, "[rows %d to %d are equal to row %d]", first, last, first-1))
	}
	c.row.Number = min(c.row.Number+c.repeat, sheet.MaxRows)
}

func (c *sheetWriter) startCell(s *markup.Scanner) {
	c.columns = max(1, s.Number("number-columns-repeated", sheet.MaxColumns))
	c.inCell = true
	c.stored, c.formula = storedValue(s), s.Attr("formula")
	c.text.Reset()
	c.comment.Reset()
}

// storedValue returns the value of a cell in the form for all spreadsheets, or nil if it is text.
func storedValue(s *markup.Scanner) []byte {
	switch s.Attr("value-type") {
	case "float", "percentage", "currency":
		return sheet.Number([]byte(s.Attr("value")))
	case "date":
		return []byte(strings.TrimSuffix(s.Attr("date-value"), "T00:00:00"))
	case "time":
		return timeOfDuration(s.Attr("time-value"))
	case "boolean":
		return []byte(strings.ToUpper(s.Attr("boolean-value")))
	}
	return nil
}

// timeOfDuration returns a time such as "PT12H30M05S" as "12:30:05".
func timeOfDuration(duration string) []byte {
	var hours, minutes, seconds int
	n, _ := fmt.Sscanf(duration, "PT%dH%dM%d", &hours, &minutes, &seconds)
	if n < 3 {
		return []byte(duration)
	}
	return fmt.Appendf(nil, "%02d:%02d:%02d", hours, minutes, seconds)
}

func (c *sheetWriter) endCell() {
	c.inCell = false
	value := c.text.Bytes
	if len(c.stored) > 0 {
		value = c.stored
	}
	if len(value) == 0 && c.formula != "" {
		value = []byte("=" + strings.TrimPrefix(strings.TrimPrefix(c.formula, "of:"), "="))
	}
	value = append(value, c.comment.Bytes...)
	if len(value) > 0 {
		c.written = true
		c.writeCell(value)
	}
	c.column = min(c.column+c.columns, sheet.MaxColumns)
}

// writeCell writes a cell as often as it appears, but not too often.
func (c *sheetWriter) writeCell(value []byte) {
	if c.columns <= maxCopies {
		for i := range c.columns {
			c.row.Add(c.column+i, value)
		}
		return
	}
	c.row.Add(c.column, value)
	c.row.Add(c.column+1, fmt.Appendf(nil, "[equal up to column %s]",
		sheet.ColumnName(min(c.column+c.columns, sheet.MaxColumns)-1)))
}
