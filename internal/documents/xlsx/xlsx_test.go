package xlsx

import (
	"testing"

	"gander/internal/testkit/officefiles"
)

func TestXLSX(t *testing.T) {
	run := officefiles.Runner(t, Format, "a.xlsx")
	run("values of cells", officefiles.XLSX(`
				<row r="3">
					<c r="B3" t="s"><v>0</v></c><c t="s"><v>7</v></c>
					<c t="b"><v>1</v></c>
					<c><v>0.30000000000000004</v></c>
					<c t="e"><v>#REF!</v></c>
					<c><f>A1+1</f></c>
					<c t="inlineStr"><is><t>in</t><rPh><t>pron</t></rPh></is></c>
				</row>`, "<si><r><t>sha</t></r><r><t>red</t></r></si>", ""),
		"# sheet S\nB3\tshared\t[string 7]\tTRUE\t0.3\t#REF!\t=A1+1\tin\n")
	run("integers of more than 15 digits",
		officefiles.XLSX(`<row><c><v>4111111111111111</v></c><c><v>-12345678901234567890</v></c>`+
			`<c><v>1234567890123456.5</v></c></row>`, "", ""),
		"# sheet S\nA1\t4111111111111111\t-12345678901234567890\t1.23456789012346e+15\n")
	run("words for booleans",
		officefiles.XLSX(`<row><c t="b"><v>true</v></c><c t="b"><v>false</v></c><c t="b"><v>0</v></c></row>`, "", ""),
		"# sheet S\nA1\tTRUE\tFALSE\tFALSE\n")
	run("dates and times", officefiles.XLSX(`<row>
					<c s="1"><v>45658</v></c><c s="2"><v>1.5</v></c><c s="3"><v>45658.75</v></c><c s="1"><v>59</v></c>
				</row>`, "", `
				<numFmt numFmtId="170" formatCode="&quot;d&quot;h:mm;@"/>
				<numFmt numFmtId="171" formatCode="[$-409]d. mmm yyyy\ h:mm"/>
				<cellXfs><xf/><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="171"/></cellXfs>`),
		"# sheet S\nA1\t2025-01-01\t12:00:00\t2025-01-01T18:00:00\t1900-02-28\n")
	run("cells that are far apart or out of order, and an empty row", officefiles.XLSX(`
				<row r="3"><c r="B3"><v>1</v></c><c r="Z3"><v>1e300</v></c><c r="A3"><v>2</v></c></row>
				<row/>
				<row><c><v>3</v></c></row>`, "", ""),
		"# sheet S\nB3\t1\nZ3\t1e300\nA3\t2\nA5\t3\n")
	run("references beyond a sheet",
		officefiles.XLSX(`<row r="1048576"><c r="XFD1048576"><v>1</v></c><c r="ZZZ1"><v>2</v></c></row>`, "", ""),
		"# sheet S\nXFD1048576\t1\nXFD1048576\t2\n")
	run("a duration in a built-in format",
		officefiles.XLSX(`<row r="1"><c s="1"><v>1.5</v></c><c s="2"><v>1.5</v></c></row>`, "",
			`<cellXfs><xf/><xf numFmtId="46"/><xf numFmtId="45"/></cellXfs>`),
		"# sheet S\nA1\t36:00:00\t12:00:00\n")
	run("no entry with styles",
		officefiles.Archive("_rels/.rels", officefiles.Related("m", "officeDocument", "xl/workbook.xml"),
			"xl/workbook.xml", `<workbook><sheet name="S" r:id="s"/></workbook>`,
			"xl/_rels/workbook.xml.rels", officefiles.Related("s", "worksheet", "s.xml", "u", "styles", "u.xml"),
			"xl/s.xml", `<worksheet><row><c s="1"><v>45658</v></c></row></worksheet>`),
		"(the styles are missing in the file; dates are numbers)\n\n# sheet S\nA1\t45658\n")
	run("escapes in texts",
		officefiles.XLSX(`<row r="1"><c t="s"><v>0</v></c><c t="str"><v>a_x000D_b</v></c>`+
			`<c t="inlineStr"><is><t>a_x0041_</t></is></c></row>`,
			"<si><t>a_x00</t><t>0d__x005F_x000D__x00</t></si>", ""),
		"# sheet S\nA1\ta _x000D__x00\ta b\taA\n")
	run("a cell outside of rows", officefiles.XLSX(`<c r="B1"><v>1</v></c>`, "", ""),
		"# sheet S\nB1\t1\n")
	run("numbers in their formats, and formulas", officefiles.XLSX(`<row>
					<c s="1"><v>0.075</v></c><c s="2"><v>1234.5</v></c><c><f>C2*1.19</f><v>1190.595</v></c>
					<c t="str"><f>IF(A1,"x","")</f><v></v></c>
				</row>`, "", `
				<numFmt numFmtId="170" formatCode="0.0%"/><numFmt numFmtId="171" formatCode="&quot;$&quot;#,##0.00"/>
				<cellXfs><xf/><xf numFmtId="170"/><xf numFmtId="171"/></cellXfs>`),
		"# sheet S\nA1\t7.5%\t$1,234.50\t=C2*1.19 → 1190.595\t=IF(A1,\"x\",\"\") →\n")
	run("a formula that cells share, and one of several cells", officefiles.XLSX(`
				<row r="2"><c r="B2"><f t="shared" ref="B2:B3" si="0">A2*$C$1+SUM(A$1:A2)&amp;"A2"</f><v>1</v></c></row>
				<row r="3"><c r="B3"><f t="shared" si="0"/><v>2</v></c><c r="C3"><f t="array" ref="C3:C4">A1:A2*2</f><v>4</v></c></row>`, "", ""),
		"# sheet S\nB2\t=A2*$C$1+SUM(A$1:A2)&\"A2\" → 1\n"+
			"B3\t=A3*$C$1+SUM(A$1:A3)&\"A2\" → 2\t{=A1:A2*2} → 4\n")
	run("hidden rows and columns, merged cells, a raised text and a header",
		officefiles.XLSX(`<cols><col min="2" max="3" hidden="1"/></cols>
				<row r="1" hidden="1"><c t="s"><v>0</v></c></row>
				<mergeCells><mergeCell ref="A1:A2"/></mergeCells>
				<headerFooter><oddHeader>&amp;L&amp;"Arial,Bold"&amp;12ACME &amp;P</oddHeader></headerFooter>`,
			`<si><r><t>10</t></r><r><rPr><vertAlign val="superscript"/></rPr><t>6</t></r></si>`, ""),
		"# sheet S\n[hidden columns: B:C]\nA1 (hidden)\t10^6\n[merged cells: A1:A2]\n[header: ACME [page]]\n")
	run("links, comments and drawings",
		officefiles.Archive("_rels/.rels", officefiles.Related("m", "officeDocument", "xl/workbook.xml"),
			"xl/workbook.xml", `<workbook><sheet name="S" r:id="s"/></workbook>`,
			"xl/_rels/workbook.xml.rels", officefiles.Related("s", "worksheet", "s.xml"),
			"xl/s.xml", `<worksheet><row><c r="A1"><v>1</v></c></row>`+
				`<hyperlinks><hyperlink ref="A1" r:id="h"/></hyperlinks></worksheet>`,
			"xl/_rels/s.xml.rels", `<Relationships><Relationship Id="h" Type="x/hyperlink" Target="https://a.example/b" `+
				`TargetMode="External"/><Relationship Id="c" Type="x/comments" Target="c.xml"/>`+
				`<Relationship Id="d" Type="x/drawing" Target="d.xml"/></Relationships>`,
			"xl/c.xml", `<comments><authors><author>Ann</author></authors><commentList><comment ref="A1" authorId="0">`+
				`<text><r><t>wrong</t></r></text></comment></commentList></comments>`,
			"xl/d.xml", `<xdr:wsDr><xdr:sp><xdr:txBody><a:p><a:r><a:t>box</a:t></a:r></a:p></xdr:txBody></xdr:sp>`+
				`<xdr:graphicFrame><c:chart r:id="x"/></xdr:graphicFrame></xdr:wsDr>`,
			"xl/_rels/d.xml.rels", officefiles.Related("x", "chart", "x.xml"),
			"xl/x.xml", `<c:chartSpace><c:title><a:p><a:t>T</a:t></a:p><a:p><a:t>U</a:t></a:p></c:title><c:ser><c:val><c:numCache>`+
				`<c:pt idx="0"><c:v>42</c:v></c:pt></c:numCache></c:val></c:ser></c:chartSpace>`),
		"# sheet S\nA1\t1 (https://a.example/b)\ncomments:\n[comment A1] Ann: wrong\nbox\n[chart: T U]\n\t42\n")
}
