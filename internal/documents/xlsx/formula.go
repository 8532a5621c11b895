package xlsx

import (
	"regexp"
	"strconv"
	"strings"

	"gander/internal/documents/sheet"
)

// A sharedFormula is a formula of several cells. It is stored at the first.
type sharedFormula struct {
	text        string
	column, row int
}

// maxShared limits the shared formulas of a sheet that are kept, and their bytes.
const maxShared = 256 << 10

// reference matches a text in a formula, a name, or a reference to a cell with the parts of it.
var reference = regexp.MustCompile(
	`"[^"]*"|'[^']*'|[A-Za-z_][\w.]*\(|(\$?)([A-Z]{1,3})(\$?)([0-9]{1,7})\b|[A-Za-z_][\w.]*`)

// at returns the formula at another cell: references that are not absolute move along.
func (f sharedFormula) at(column, row int) string {
	var b strings.Builder
	end := 0
	for _, m := range reference.FindAllStringSubmatchIndex(f.text, -1) {
		if m[2] < 0 { // no reference to a cell
			continue
		}
		part := func(n int) string { return f.text[m[2*n]:m[2*n+1]] }
		b.WriteString(f.text[end:m[0]])
		end = m[1]
		name, number := part(2), part(4)
		if part(1) == "" {
			n, _ := columnOf(name)
			name = sheet.ColumnName(max(n+column-f.column, 0))
		}
		if part(3) == "" {
			n, _ := strconv.Atoi(number)
			number = strconv.Itoa(n + row - f.row)
		}
		b.WriteString(part(1) + name + part(3) + number)
	}
	return b.String() + f.text[end:]
}

// formula returns the formula of the current cell, or "".
func (c *sheetWriter) formula() string {
	text := strings.ReplaceAll(string(c.formulaText.Bytes), "_xlfn.", "")
	text = strings.ReplaceAll(text, "_xlws.", "")
	switch {
	case c.formulaKind == "shared" && text == "":
		shared, ok := c.shared[c.formulaIndex]
		if !ok {
			return "" // the value stands for it
		}
		text = shared.at(c.column, c.rowNumber)
	case c.formulaKind == "shared" && c.sharedBytes+len(text) < maxShared:
		c.sharedBytes += len(text) + 64
		c.shared[c.formulaIndex] = sharedFormula{text, c.column, c.rowNumber}
	case c.formulaKind == "array" && text != "":
		return "{=" + text + "}"
	}
	if text == "" {
		return ""
	}
	return "=" + text
}
