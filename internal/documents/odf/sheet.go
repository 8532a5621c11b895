package odf

import (
	"fmt"
	"strings"

	"gander/internal/documents/markup"
	"gander/internal/documents/sheet"
)

// A rows writes the rows of a sheet.
type rows struct {
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

func (r *rows) start(s *markup.Scanner) {
	r.repeat = max(1, s.Number("number-rows-repeated", sheet.MaxRows))
	r.column, r.written = 0, false
}

func (r *rows) end() {
	r.row.End()
	if r.repeat > 1 && r.written {
		first, last := r.row.Number+1, r.row.Number+r.repeat-1
		r.row.W.Line(fmt.Appendf(nil, "[rows %d to %d are equal to row %d]", first, last, first-1))
	}
	r.row.Number = min(r.row.Number+r.repeat, sheet.MaxRows)
}

func (r *rows) startCell(s *markup.Scanner) {
	r.columns = max(1, s.Number("number-columns-repeated", sheet.MaxColumns))
	r.inCell = true
	r.stored, r.formula = storedValue(s), s.Attr("formula")
	r.text.Reset()
	r.comment.Reset()
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

func (r *rows) endCell() {
	r.inCell = false
	value := r.text.Bytes
	if len(r.stored) > 0 {
		value = r.stored
	}
	if len(value) == 0 && r.formula != "" {
		value = []byte("=" + strings.TrimPrefix(strings.TrimPrefix(r.formula, "of:"), "="))
	}
	value = append(value, r.comment.Bytes...)
	if len(value) > 0 {
		r.written = true
		r.writeCell(value)
	}
	r.column = min(r.column+r.columns, sheet.MaxColumns)
}

// writeCell writes a cell as often as it appears, but not too often.
func (r *rows) writeCell(value []byte) {
	if r.columns <= maxCopies {
		for i := range r.columns {
			r.row.Add(r.column+i, value)
		}
		return
	}
	r.row.Add(r.column, value)
	r.row.Add(r.column+1, fmt.Appendf(nil, "[equal up to column %s]",
		sheet.ColumnName(min(r.column+r.columns, sheet.MaxColumns)-1)))
}
