package odf

import (
	"strings"
	"testing"

	"gander/internal/testkit/officefiles"
)

// odsOf returns a spreadsheet with one row.
func odsOf(cells string) []byte {
	return officefiles.ODF("spreadsheet", "",
		`<table:table table:name="S"><table:table-row>`+cells+"</table:table-row></table:table>")
}

// odsCell returns a cell with attributes.
func odsCell(attributes, content string) string {
	return "<table:table-cell " + attributes + ">" + content + "</table:table-cell>"
}

func TestODS(t *testing.T) {
	const (
		comment = "<office:annotation><dc:creator>Ann</dc:creator><text:p>c</text:p></office:annotation>"
		picture = "<draw:frame><draw:image/><svg:title>map</svg:title></draw:frame>"
		chart   = "<draw:frame><draw:object/><draw:image/></draw:frame>"

		isText   = `office:value-type="string"`
		isNumber = `office:value-type="float" office:value="1"`
		isTime   = `office:value-type="time" office:time-value=`
	)
	run := officefiles.Runner(t, Spreadsheet, "a.ods")
	run("repeated rows and columns", officefiles.ODF("spreadsheet", "", `<table:table table:name="S">
				<table:table-row table:number-rows-repeated="3">
					<table:table-cell table:number-columns-repeated="2" office:value-type="float" office:value="1"/>
					<table:table-cell table:number-columns-repeated="9"/>
					<table:table-cell table:number-columns-repeated="16384"><text:p>x</text:p><text:p>y</text:p></table:table-cell>
				</table:table-row>
				<table:table-row table:number-rows-repeated="1048576"/>
				<table:table-row><table:table-cell><text:p>z</text:p></table:table-cell></table:table-row>
			</table:table>`),
		"# sheet S\nA1\t1\t1\nL1\tx y\t[equal up to column XFD]\n"+
			"A2\t1\t1\nL2\tx y\t[equal up to column XFD]\nA3\t1\t1\n"+
			"L3\tx y\t[equal up to column XFD]\nA1048576\tz\n")
	run("headers without what is only known when a sheet is printed, and no media type",
		officefiles.Archive(
			"META-INF/manifest.xml", `<m><m:file-entry m:full-path="/" `+
				`m:media-type="application/vnd.oasis.opendocument.spreadsheet"/></m>`,
			"styles.xml", `<s><style:master-page><style:header><text:p><text:sheet-name>???</text:sheet-name>`+
				` (<text:title>???</text:title>)</text:p></style:header><style:footer><text:p>ACME, `+
				`<text:date>00/00/0000</text:date></text:p></style:footer></style:master-page></s>`,
			"content.xml", `<c><table:table table:name="S"><table:table-row>`+
				odsCell("", "<text:p>x</text:p>")+"</table:table-row></table:table></c>"),
		"# sheet S\nA1\tx\n\n# footers\nACME,\n")
	run("a row that appears often", officefiles.ODF("spreadsheet", "", `<table:table table:name="S">
				<table:table-row table:number-rows-repeated="17"><table:table-cell><text:p>x</text:p></table:table-cell>
				</table:table-row></table:table>`),
		"# sheet S\nA1\tx\n[rows 2 to 17 are equal to row 1]\n")
	run("dates and what the sheet shows of them",
		officefiles.ODF("spreadsheet", "", `<table:table table:name="S"><table:table-row>`+
			odsCell(`office:value-type="date" office:date-value="2026-01-02"`, "<text:p>01/02/26</text:p>")+
			odsCell(`office:value-type="date" office:date-value="2026-01-02"`, "<text:p>2. Januar</text:p>")+
			odsCell(`office:value-type="boolean" office:boolean-value="true"`, "<text:p>WAHR</text:p>")+
			`</table:table-row></table:table>`),
		"# sheet S\nA1\t2026-01-02\t2. Januar (2026-01-02)\tWAHR (TRUE)\n")
	run("values of cells",
		odsOf(odsCell(`office:value-type="float" office:value="0.30000000000000004"`, "<text:p>0,3</text:p>")+
			odsCell(`office:value-type="boolean" office:boolean-value="true"`, "")+
			odsCell(`office:value-type="date" office:date-value="2026-01-02T00:00:00"`, "")+
			odsCell(isTime+`"PT12H30M05S"`, "")),
		"# sheet S\nA1\t0,3\tTRUE\t2026-01-02\t12:30:05\n")
	run("a hidden sheet", officefiles.ODF("spreadsheet",
		`<style:style style:name="h"><style:table-properties table:display="false"/></style:style>`,
		`<table:table table:name="S" table:style-name="h"/>`),
		"# sheet S (hidden)\n(no text)\n")
	run("a comment on a text", odsOf(odsCell(isText, comment+"<text:p>hello</text:p>")),
		"# sheet S\nA1\thello [comment: Ann: c]\n")
	run("a comment on a number", odsOf(odsCell(isNumber, comment+"<text:p>1</text:p>")),
		"# sheet S\nA1\t1 [comment: Ann: c]\n")
	run("a comment on an empty cell", odsOf(odsCell("", comment)),
		"# sheet S\nA1\t[comment: Ann: c]\n")
	run("an image and a chart in cells",
		odsOf(odsCell(isNumber, picture+"<text:p>1</text:p>")+odsCell("", chart)),
		"# sheet S\nA1\t1 [image: map]\t[object]\n")
	run("a text without paragraphs", odsOf(odsCell(isText+` office:string-value="stored"`, "")+
		odsCell(isText+` office:string-value="stored"`, "<text:p>shown</text:p>")),
		"# sheet S\nA1\tstored\tshown\n")
	run("parts of a second",
		odsOf(odsCell(isTime+`"PT12H30M05.750000000S"`, "")+odsCell(isTime+`"PT00H00M05.000S"`, "")),
		"# sheet S\nA1\t12:30:05.75\t00:00:05\n")
}

func TestODP(t *testing.T) {
	const title = `<draw:frame presentation:class="title"><draw:text-box><text:p>T</text:p></draw:text-box></draw:frame>`
	run := officefiles.Runner(t, Presentation, "a.odp")
	run("a list in the notes of a slide",
		officefiles.ODF("presentation", "", `<draw:page><presentation:notes><draw:frame><draw:text-box><text:list>
				<text:list-item><text:p/></text:list-item>
				<text:list-item><text:p>a</text:p></text:list-item>
				<text:list-item><text:p>b</text:p></text:list-item>
			</text:list></draw:text-box></draw:frame></presentation:notes></draw:page>`),
		"# slide 1\nnotes:\n- a\n- b\n")
	run("a slide in the notes of another", officefiles.ODF("presentation", "",
		"<draw:page><presentation:notes><draw:page/><text:p>x</text:p></presentation:notes></draw:page>"),
		"# slide 1\nnotes:\nx\n")
	run("a slide in a table of another",
		officefiles.ODF("presentation", "", `<draw:page><table:table><draw:page/></table:table><table:table>
				<table:table-row><table:table-cell><text:p>a</text:p></table:table-cell>
					<table:table-cell><text:p>b</text:p></table:table-cell></table:table-row>
				<table:table-row><table:table-cell><text:p>c</text:p></table:table-cell></table:table-row>
			</table:table></draw:page>`),
		"# slide 1\n(no text)\n\n# slide 2\na\tb\nc\n")
	run("an image and a footer", officefiles.ODF("presentation", "", `<draw:page>
				<draw:frame presentation:class="footer"><draw:text-box><text:p>f</text:p></draw:text-box></draw:frame>
				<draw:frame><draw:image/><svg:title>map</svg:title></draw:frame>
				<draw:frame presentation:class="outline"><draw:text-box><text:p>a</text:p></draw:text-box></draw:frame>
			</draw:page>`),
		"# slide 1\nf\n[image: map]\na\n")
	run("a title that is too long for a mark, and another",
		officefiles.ODF("presentation", "", "<draw:page>"+
			strings.Replace(title, "T", strings.Repeat("t", 201), 1)+title+"</draw:page>"),
		"# slide 1\n"+strings.Repeat("t", 201)+"\nT\n")
	run("a line after the title",
		officefiles.ODF("presentation", "", "<draw:page>"+title+"<draw:line><text:p>label</text:p></draw:line></draw:page>"),
		"# slide 1: T\nlabel\n")
	run("a group after the title", officefiles.ODF("presentation", "",
		"<draw:page>"+title+"<draw:g><draw:unknown><text:p>label</text:p></draw:unknown></draw:g></draw:page>"),
		"# slide 1: T\nlabel\n")
	run("a title of another shape, with a shape in it and a link",
		officefiles.ODF("presentation", "", `<draw:page><draw:rect presentation:class="title"><text:p>a`+
			"<draw:frame><draw:text-box><text:p>b</text:p></draw:text-box></draw:frame><text:a> c</text:a></text:p>"+
			"</draw:rect></draw:page>"),
		"# slide 1: a b c\n(no text)\n")
	run("a title with a field, a tab and the data of an image",
		officefiles.ODF("presentation", "", "<draw:page>"+strings.Replace(title, "T",
			"Report <text:date>2026</text:date><text:tab/>B<draw:frame><draw:image><office:binary-data>AAAA</office:binary-data>"+
				"</draw:image><svg:title>map</svg:title></draw:frame>", 1)+"</draw:page>"),
		"# slide 1: Report 2026 B\n(no text)\n")
}

func TestODT(t *testing.T) {
	// numbered returns the style N of lists whose numbers begin with 2.
	numbered := func(format string) string {
		return `<text:list-style style:name="N"><text:list-level-style-number text:level="1" text:start-value="2"
			style:num-format="` + format + `" style:num-suffix="."/></text:list-style>`
	}
	const list = `<text:list text:style-name="N">
			<text:list-item><text:p>x</text:p><text:p>more</text:p></text:list-item>
			<text:list-item><text:p>y</text:p></text:list-item>
		</text:list>`
	run := officefiles.Runner(t, Text, "a.odt")
	run("headings, and a field in one",
		officefiles.ODF("text", `<style:style style:name="P" style:parent-style-name="Title"/>`, `
				<text:p text:style-name="P">T<text:title>field</text:title></text:p>
				<text:h text:outline-level="2">H</text:h>`),
		"# Tfield\n\n## H\n")
	run("spaces and tabs",
		officefiles.ODF("text", "", `<text:p>a<text:s text:c="3"/>b<text:tab/>c<text:span>	</text:span>d</text:p>`),
		"a   b\tc d\n")
	run("a note and a comment", officefiles.ODF("text", "", "<text:p>x"+
		"<text:note><text:note-citation>1</text:note-citation>"+
		"<text:note-body><text:p>N</text:p><text:p>M</text:p></text:note-body></text:note>"+
		"<office:annotation><dc:creator>Ann</dc:creator><dc:date>2026</dc:date><text:p>C</text:p>"+
		"</office:annotation></text:p>"),
		"x[note: N M] [comment: Ann: C]\n")
	run("a tab and a line break in a note",
		officefiles.ODF("text", "", "<text:p>x<text:note><text:note-body><text:p>a<text:tab/>b<text:line-break/>c</text:p>"+
			"</text:note-body></text:note></text:p>"),
		"x[note: a b c]\n")
	run("line breaks in a text and in a table",
		officefiles.ODF("text", "", "<text:p>a<text:line-break/>b</text:p><table:table><table:table-row><table:table-cell>"+
			"<text:p>c<text:line-break/>d<text:tab/>e<text:s text:c='3'/>f</text:p></table:table-cell></table:table-row></table:table>"),
		"a\nb\n\nc d e f\n")
	run("tracked changes",
		officefiles.ODF("text", "", "<text:tracked-changes><text:p>deleted</text:p></text:tracked-changes><text:p>x</text:p>"),
		"x\n\n(deleted text of tracked changes is left out)\n")
	run("an image", officefiles.ODF("text", "", `<text:p><draw:frame>
				<draw:image/><svg:title>t</svg:title><svg:desc>a map</svg:desc>
			</draw:frame></text:p>`),
		"[image: a map]\n")
	run("a list with numbers", officefiles.ODF("text", numbered("1"), list), "2. x\nmore\n3. y\n")
	run("items with numbers of their own",
		officefiles.ODF("text", numbered("1"), `<text:list text:style-name="N">
				<text:list-item text:start-value="7"><text:p>x</text:p></text:list-item>
				<text:list-item><text:p>y</text:p></text:list-item>
				<text:list-item text:start-value="0"><text:p>z</text:p></text:list-item>
			</text:list>`),
		"7. x\n8. y\n0. z\n")
	run("headings in a list", officefiles.ODF("text", numbered("1"), `<text:list text:style-name="N">
				<text:list-item><text:h text:outline-level="1">Intro</text:h><text:p>x</text:p></text:list-item>
				<text:list-item><text:p>y</text:p></text:list-item>
			</text:list>`),
		"# 2. Intro\n\nx\n3. y\n")
	run("data and scripts in a paragraph",
		officefiles.ODF("text", "", "<text:p>x<draw:frame><draw:image><office:binary-data>AAAA</office:binary-data>"+
			"</draw:image></draw:frame><text:script>run()</text:script></text:p>"),
		"x[image]\n")
	run("a list whose format shows no numbers", officefiles.ODF("text", numbered(""), list),
		"- x\nmore\n- y\n")
	run("a list in a table",
		officefiles.ODF("text", numbered("1"), "<table:table><table:table-row><table:table-cell><text:p>a</text:p>"+list+
			"</table:table-cell><table:table-cell><text:p>c</text:p></table:table-cell></table:table-row></table:table>"),
		"a x more y\tc\n")
	run("links, scripts and hidden text",
		officefiles.ODF("text", `<style:style style:name="u"><style:text-properties style:text-position="super 58%"/></style:style>`+
			`<style:style style:name="h"><style:text-properties text:display="none"/></style:style>`,
			`<text:p>10<text:span text:style-name="u">6</text:span> <text:a xlink:href="https://a.example/">page</text:a>`+
				`<text:span text:style-name="h"> secret</text:span></text:p>`),
		"10^6 page (https://a.example/) (hidden) secret\n")
	run("numbered headings, and labels of two levels",
		officefiles.ODF("text", `<text:outline-style><text:outline-level-style text:level="1" style:num-format="1"/>`+
			`<text:outline-level-style text:level="2" style:num-format="a" text:display-levels="2"/></text:outline-style>`+
			`<text:list-style style:name="N"><text:list-level-style-number text:level="1" style:num-format="I" style:num-suffix="."/>`+
			`<text:list-level-style-number text:level="2" style:num-format="1" style:num-suffix=")" text:display-levels="2"/></text:list-style>`,
			`<text:h text:outline-level="1">A</text:h><text:h text:outline-level="2">B</text:h>`+
				`<text:list text:style-name="N"><text:list-item><text:p>x</text:p><text:list><text:list-item><text:p>y</text:p>`+
				`</text:list-item></text:list></text:list-item></text:list>`),
		"# 1 A\n\n## 1.a B\n\nI. x\n  I.1) y\n")
	run("headers, merged cells, a formula and a chart",
		officefiles.Archive("mimetype", "application/vnd.oasis.opendocument.text",
			"styles.xml", `<s><style:master-page><style:header><text:p>ACME</text:p></style:header></style:master-page></s>`,
			"content.xml", `<c><office:body><table:table><table:table-row><table:table-cell table:number-columns-spanned="2">`+
				`<text:p>wide</text:p></table:table-cell><table:covered-table-cell/><table:table-cell><text:p>x</text:p>`+
				`</table:table-cell></table:table-row></table:table>`+
				`<text:p>so <draw:frame><draw:object xlink:href="./F"/></draw:frame></text:p>`+
				`<text:p><draw:frame><draw:object xlink:href="./C"/></draw:frame></text:p></office:body></c>`,
			"F/content.xml", `<math><mfrac><mi>a</mi><mi>b</mi></mfrac></math>`,
			"C/content.xml", `<c><office:chart><chart:chart><chart:title><text:p>Sales</text:p></chart:title><table:table><table:table-row>`+
				`<table:table-cell><text:p>Q1</text:p></table:table-cell><table:table-cell><text:p>42</text:p></table:table-cell>`+
				`</table:table-row></table:table></chart:chart></office:chart></c>`),
		"wide [2 columns]\t\tx\n\nso a/b\n\n[chart]\n\nSales\n\nQ1\t42\n\n# headers\nACME\n")
}
