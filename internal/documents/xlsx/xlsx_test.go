package xlsx

import (
	"testing"

	"gander/internal/testkit/officefiles"
)

func TestXLSX(t *testing.T) {
	officefiles.Run(t, Format, "a.xlsx", []officefiles.Form{
		{
			Name: "values of cells",
			Content: officefiles.XLSX(`
				<row r="3">
					<c r="B3" t="s"><v>0</v></c><c t="s"><v>7</v></c>
					<c t="b"><v>1</v></c>
					<c><v>0.30000000000000004</v></c>
					<c t="e"><v>#REF!</v></c>
					<c><f>A1+1</f></c>
					<c t="inlineStr"><is><t>in</t><rPh><t>pron</t></rPh></is></c>
				</row>`, "<si><r><t>sha</t></r><r><t>red</t></r></si>", ""),
			Want: "# sheet S\nB3\tshared\t[string 7]\tTRUE\t0.3\t#REF!\t=A1+1\tin\n",
		},
		{
			Name: "integers of more than 15 digits",
			Content: officefiles.XLSX(`<row><c><v>4111111111111111</v></c><c><v>-12345678901234567890</v></c>`+
				`<c><v>1234567890123456.5</v></c></row>`, "", ""),
			Want: "# sheet S\nA1\t4111111111111111\t-12345678901234567890\t1.23456789012346e+15\n",
		},
		{
			Name:    "words for booleans",
			Content: officefiles.XLSX(`<row><c t="b"><v>true</v></c><c t="b"><v>false</v></c><c t="b"><v>0</v></c></row>`, "", ""),
			Want:    "# sheet S\nA1\tTRUE\tFALSE\tFALSE\n",
		},
		{
			Name: "dates and times",
			Content: officefiles.XLSX(`<row>
					<c s="1"><v>45658</v></c><c s="2"><v>1.5</v></c><c s="3"><v>45658.75</v></c><c s="1"><v>59</v></c>
				</row>`, "", `
				<numFmt numFmtId="170" formatCode="&quot;d&quot;h:mm;@"/>
				<numFmt numFmtId="171" formatCode="[$-409]d. mmm yyyy\ h:mm"/>
				<cellXfs><xf/><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="171"/></cellXfs>`),
			Want: "# sheet S\nA1\t2025-01-01\t12:00:00\t2025-01-01T18:00:00\t1900-02-28\n",
		},
		{
			Name: "cells that are far apart or out of order, and an empty row",
			Content: officefiles.XLSX(`
				<row r="3"><c r="B3"><v>1</v></c><c r="Z3"><v>1e300</v></c><c r="A3"><v>2</v></c></row>
				<row/>
				<row><c><v>3</v></c></row>`, "", ""),
			Want: "# sheet S\nB3\t1\nZ3\t1e300\nA3\t2\nA5\t3\n",
		},
		{
			Name:    "references beyond a sheet",
			Content: officefiles.XLSX(`<row r="1048576"><c r="XFD1048576"><v>1</v></c><c r="ZZZ1"><v>2</v></c></row>`, "", ""),
			Want:    "# sheet S\nXFD1048576\t1\nXFD1048576\t2\n",
		},
		{
			Name: "a duration in a built-in format",
			Content: officefiles.XLSX(`<row r="1"><c s="1"><v>1.5</v></c><c s="2"><v>1.5</v></c></row>`, "",
				`<cellXfs><xf/><xf numFmtId="46"/><xf numFmtId="45"/></cellXfs>`),
			Want: "# sheet S\nA1\t36:00:00\t12:00:00\n",
		},
		{
			Name: "no entry with styles",
			Content: officefiles.Archive("_rels/.rels", officefiles.Related("m", "officeDocument", "xl/workbook.xml"),
				"xl/workbook.xml", `<workbook><sheet name="S" r:id="s"/></workbook>`,
				"xl/_rels/workbook.xml.rels", officefiles.Related("s", "worksheet", "s.xml", "u", "styles", "u.xml"),
				"xl/s.xml", `<worksheet><row><c s="1"><v>45658</v></c></row></worksheet>`),
			Want: "(the styles are missing in the file; dates are numbers)\n\n# sheet S\nA1\t45658\n",
		},
		{
			Name: "escapes in texts",
			Content: officefiles.XLSX(`<row r="1"><c t="s"><v>0</v></c><c t="str"><v>a_x000D_b</v></c>`+
				`<c t="inlineStr"><is><t>a_x0041_</t></is></c></row>`,
				"<si><t>a_x00</t><t>0d__x005F_x000D__x00</t></si>", ""),
			Want: "# sheet S\nA1\ta _x000D__x00\ta b\taA\n",
		},
		{
			Name:    "a cell outside of rows",
			Content: officefiles.XLSX(`<c r="B1"><v>1</v></c>`, "", ""),
			Want:    "# sheet S\nB1\t1\n",
		},
	})
}
