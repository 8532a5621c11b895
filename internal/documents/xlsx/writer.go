package xlsx

import (
	"bytes"
	"cmp"
	"regexp"
	"strings"

	"gander/internal/documents"
	"gander/internal/documents/markup"
	"gander/internal/documents/ooxml"
	"gander/internal/documents/sheet"
)

// A sheetWriter writes the cells of a sheet.
type sheetWriter struct {
	*workbook
	row       sheet.Row
	rowNumber int
	hidden    string            // names of hidden columns
	merged    string            // ranges of merged cells
	links     map[string]string // the targets of links by cells
	linkBytes int

	shared      map[int]sharedFormula
	sharedBytes int

	// Of the current cell.
	reference    string
	column       int
	style        int
	kind         string // the kind of the value
	hasValue     bool   // one is stored, which can be empty
	value        sheet.Buffer
	inline       documents.Inline // the value, if it is a text of the cell itself
	formulaText  sheet.Buffer
	formulaKind  string
	formulaIndex int // of a shared formula
}

func (c *sheetWriter) piece(s *markup.Scanner) {
	switch s.Piece {
	case markup.Start:
		c.start(s)
	case markup.End:
		c.end(s.Name)
	case markup.Text:
		switch s.Parent(0) {
		case "v":
			c.value.Add(c.Out, s.Text)
		case "t":
			c.inline.Add(s.Text)
		case "f":
			c.formulaText.Add(c.Out, s.Text)
		default:
			if headers[s.Parent(0)] != "" {
				c.value.Add(c.Out, s.Text)
			}
		}
	}
}

func (c *sheetWriter) start(s *markup.Scanner) {
	switch s.Name {
	case "rPh", "extLst":
		s.Skip()
	case "col":
		c.hideColumns(s)
	case "row":
		c.startRow(s)
	case "c":
		c.startCell(s)
	case "v", "is":
		c.hasValue = true
	case "r", "vertAlign":
		c.inline.Raise(ooxml.Scripts[s.Attr("val")])
	case "f":
		c.formulaKind, c.formulaIndex = s.Attr("t"), s.Number("si", 1<<30)
	case "mergeCell":
		c.merge(s.Attr("ref"))
	default:
		if headers[s.Name] != "" {
			c.value.Reset()
		}
	}
}

// headers are the elements that are headers and footers.
var headers = map[string]string{
	"oddHeader": "header", "evenHeader": "header", "firstHeader": "header",
	"oddFooter": "footer", "evenFooter": "footer", "firstFooter": "footer",
}

func (c *sheetWriter) end(name string) {
	switch name {
	case "c":
		c.endCell()
	case "row":
		c.row.End()
	case "cols":
		c.note("hidden columns", c.hidden)
	case "mergeCells":
		c.note("merged cells", c.merged)
	default:
		if kind := headers[name]; kind != "" {
			c.note(kind, headerText(string(c.value.Bytes)))
		}
	}
}

// note writes something about the sheet.
func (c *sheetWriter) note(what, text string) {
	if text != "" {
		c.Out.Line(documents.Placeholder(what, strings.TrimSpace(text)))
	}
}

// maxRanges is the maximum size of a list of ranges.
const maxRanges = 16 << 10

func (c *sheetWriter) hideColumns(s *markup.Scanner) {
	if !ooxml.IsTrue(s.Attr("hidden")) || len(c.hidden) > maxRanges {
		return
	}
	first, last := s.Number("min", sheet.MaxColumns), s.Number("max", sheet.MaxColumns)
	c.hidden += " " + sheet.ColumnName(max(first, 1)-1) + ":" + sheet.ColumnName(max(last, 1)-1)
}

func (c *sheetWriter) merge(reference string) {
	switch {
	case len(c.merged) < maxRanges:
		c.merged += " " + reference
	case !strings.HasSuffix(c.merged, "..."):
		c.merged += " and others, which are left out..."
	}
}

// headerCode matches a code in a header, such as "&P" for the page, or one for a font or a place.
var headerCode = regexp.MustCompile(`&("[^"]*"|K[0-9A-Fa-f]{6}|[0-9]+|.)`)

var headerCodes = map[string]string{
	"&P": "[page]", "&N": "[pages]", "&D": "[date]", "&T": "[time]", "&F": "[file]", "&A": "[sheet]",
	"&Z": "[path]", "&&": "&", "&L": " ", "&C": " ", "&R": " ",
}

func headerText(s string) string {
	return headerCode.ReplaceAllStringFunc(s, func(code string) string { return headerCodes[code] })
}

// maxLinkBytes limits the links of a sheet. Those from then on are left out, which their cells say.
const maxLinkBytes = 1 << 20

// readLink reads the target of a link, which is in the relations of the sheet or a place in the
// workbook.
func (c *sheetWriter) readLink(s *markup.Scanner, relations *ooxml.Relations) {
	if s.Name != "hyperlink" {
		return
	}
	cell, _, _ := strings.Cut(s.Attr("ref"), ":")
	target := relations.Link(s.Prefixed("id"))
	if place := s.Attr("location"); place != "" {
		target += "#" + place
	}
	const overhead = 64
	c.linkBytes += overhead + len(cell) + len(target)
	if c.linkBytes < maxLinkBytes {
		c.links[cell] = target
	}
}

func (c *sheetWriter) startRow(s *markup.Scanner) {
	c.rowNumber++
	if n := s.Number("r", sheet.MaxRows); n > 0 {
		c.rowNumber = n
	}
	c.row.Start(c.rowNumber)
	c.row.Hidden = ooxml.IsTrue(s.Attr("hidden"))
	c.column = -1
}

func (c *sheetWriter) startCell(s *markup.Scanner) {
	c.value.Reset()
	c.formulaText.Reset()
	c.inline.Out = func(b []byte) { c.value.Add(c.Out, b) }
	c.formulaKind, c.hasValue = "", false
	c.reference = s.Attr("r")
	c.column = min(c.column+1, sheet.MaxColumns-1)
	if column, ok := columnOf(c.reference); ok {
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
	c.inline.End()
	value := c.shownValue()
	if formula := c.formula(); formula != "" { // of the results, only a text can be empty
		isStored := len(c.value.Bytes) > 0 || c.hasValue && c.kind == "str"
		value = sheet.Calculated(formula, value, isStored)
	}
	if target := c.links[c.reference]; target != "" {
		shown := bytes.NewBuffer(nil)
		link := documents.Inline{Out: func(b []byte) { shown.Write(b) }}
		link.StartLink(target)
		link.Add(value)
		link.EndLink()
		value = shown.Bytes()
	}
	c.row.Add(c.column, value)
}

// shownValue returns the value of the current cell as the sheet shows it.
func (c *sheetWriter) shownValue() []byte {
	value := c.value.Bytes
	if len(value) == 0 {
		return nil
	}
	switch c.kind {
	case "s":
		return c.strings.text(value)
	case "b":
		words := map[string]string{"0": "FALSE", "false": "FALSE"}
		return []byte(cmp.Or(words[string(value)], "TRUE"))
	case "", "n":
		return c.styles.format(c.style).Text(value, c.date1904)
	case "str", "inlineStr":
		return unescaped(value)
	}
	return value
}
