package xlsx

import (
	"math"

	"gander/internal/documents"
	"gander/internal/documents/markup"
	"gander/internal/documents/ooxml"
	"gander/internal/documents/sheet"
)

// styles are the number formats of the styles of cells.
type styles struct {
	formats map[int]sheet.Format // by their numbers
	cells   []int                // the numbers of formats, by the styles of cells
}

// maxStyles is the number of styles of cells whose number formats are kept.
const maxStyles = 1 << 16

// read reads the number formats.
func (st *styles) read(p *ooxml.Package, part string) {
	st.formats = map[int]sheet.Format{}
	for id, code := range builtinFormats {
		st.formats[id] = sheet.NewFormat(code)
	}
	p.ScanStarts(part, func(s *markup.Scanner) {
		switch {
		case s.Name == "numFmt":
			const perByte = 32 // of a format that has been parsed
			code := documents.Name(s.Attr("formatCode"))
			st.formats[s.Number("numFmtId", math.MaxInt32)] = sheet.NewFormat(code)
			p.Keep(perByte * len(code))
		case s.Name == "xf" && s.Parent(0) == "cellXfs" && len(st.cells) < maxStyles:
			st.cells = append(st.cells, s.Number("numFmtId", math.MaxInt32))
		}
	})
}

// format returns the number format of a style of cells.
func (st *styles) format(style int) sheet.Format {
	if style >= len(st.cells) {
		return sheet.Format{}
	}
	return st.formats[st.cells[style]]
}

// builtinFormats are the formats that a workbook does not contain. Those from 27 to 36 and from 50
// on depend on the language of Excel; these are Japanese.
var builtinFormats = map[int]string{
	1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00",
	5: `"$"#,##0_);("$"#,##0)`, 6: `"$"#,##0_);("$"#,##0)`,
	7: `"$"#,##0.00_);("$"#,##0.00)`, 8: `"$"#,##0.00_);("$"#,##0.00)`,
	37: "#,##0 ;(#,##0)", 38: "#,##0 ;(#,##0)",
	39: "#,##0.00;(#,##0.00)", 40: "#,##0.00;(#,##0.00)",
	41: `_(* #,##0_);_(* (#,##0);_(* "-"_)`, 42: `_("$"* #,##0_);_("$"* (#,##0);_("$"* "-"_)`,
	43: `_(* #,##0.00_);_(* (#,##0.00);_(* "-"_)`,
	44: `_("$"* #,##0.00_);_("$"* (#,##0.00);_("$"* "-"_)`, 48: "##0.0E+0", 49: "@",
	14: "mm-dd-yy", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy",
	18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss", 22: "m/d/yy h:mm",
	27: "ge.m.d", 28: "ggge.m.d", 29: "ggge.m.d", 30: "m/d/yy", 31: "yyyy.m.d",
	32: "h:mm", 33: "h:mm:ss", 34: "yyyy.m", 35: "m.d", 36: "ge.m.d",
	45: "mm:ss", 46: "[h]:mm:ss", 47: "mmss.0",
	50: "ge.m.d", 51: "ggge.m.d", 52: "yyyy.m", 53: "m.d", 54: "ggge.m.d",
	55: "yyyy.m", 56: "m.d", 57: "ge.m.d", 58: "ggge.m.d",
}
