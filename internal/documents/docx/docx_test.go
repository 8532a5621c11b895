package docx

import (
	"strings"
	"testing"

	"gander/internal/documents"
	"gander/internal/testkit/officefiles"
)

// bulletsWithNumbers has a list 1 of bullets whose items have numbered ones below them.
const bulletsWithNumbers = `<w:numbering>
	<w:abstractNum w:abstractNumId="1">
		<w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl>
		<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/></w:lvl>
	</w:abstractNum>
	<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>
</w:numbering>`

// docxParagraph returns a paragraph with properties, whose run has some content.
func docxParagraph(properties, run string) string {
	return "<w:p><w:pPr>" + properties + "</w:pPr><w:r>" + run + "</w:r></w:p>"
}

// docxText returns a paragraph with a text.
func docxText(text string) string { return docxParagraph("", "<w:t>"+text+"</w:t>") }

// docxItem returns an item of the list in bulletsWithNumbers.
func docxItem(level, text string) string {
	return docxParagraph(
		`<w:numPr><w:ilvl w:val="`+level+`"/><w:numId w:val="1"/></w:numPr>`, "<w:t>"+text+"</w:t>")
}

// docxTable returns a table with one cell.
func docxTable(content string) string {
	return "<w:tbl><w:tr><w:tc>" + content + "</w:tc></w:tr></w:tbl>"
}

// docxNotes has a list whose numbers begin with 3, a style of its items, styles of headings that
// are based on each other, and notes.
var docxNotes = []string{
	"styles", `<w:styles>
		<w:style w:styleId="A"><w:name w:val="heading 2"/><w:basedOn w:val="B"/></w:style>
		<w:style w:styleId="B"><w:basedOn w:val="A"/></w:style>
		<w:style w:styleId="L"><w:pPr><w:numPr><w:numId w:val="5"/></w:numPr></w:pPr></w:style>
	</w:styles>`,
	"numbering", `<w:numbering>
		<w:abstractNum w:abstractNumId="1">
			<w:lvl w:ilvl="0"><w:start w:val="3"/><w:numFmt w:val="decimal"/></w:lvl>
			<w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/></w:lvl>
		</w:abstractNum>
		<w:num w:numId="5"><w:abstractNumId w:val="1"/></w:num>
	</w:numbering>`,
	"footnotes", `<w:footnotes>
		<w:footnote w:type="separator" w:id="0">` + docxText("-") + `</w:footnote>
		<w:footnote w:id="2">` + docxText(" F") + `</w:footnote>
	</w:footnotes>`,
	"endnotes", `<w:endnotes><w:endnote w:id="3">` + docxText("E") + `</w:endnote></w:endnotes>`,
	"comments", `<w:comments><w:comment w:id="4" w:author="Ann">` + docxText("C") + `</w:comment></w:comments>`,
}

func TestDOCX(t *testing.T) {
	const pageBreak = `<w:br w:type="page"/>`
	long := strings.Repeat("x", 70<<10)
	item := func(list, text string) string {
		return docxParagraph(`<w:numPr><w:numId w:val="`+list+`"/></w:numPr>`, "<w:t>"+text+"</w:t>")
	}
	run := officefiles.Runner(t, Format, "a.docx")
	run("two lists of an abstract one, and one that starts anew",
		officefiles.DOCX(item("1", "a")+item("2", "b")+item("3", "c")+item("1", "d"), "numbering", `<w:numbering>
				<w:abstractNum w:abstractNumId="1">
					<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/></w:lvl>
				</w:abstractNum>
				<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>
				<w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>
				<w:num w:numId="3"><w:abstractNumId w:val="1"/>
					<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>
				</w:num>
			</w:numbering>`),
		"1. a\n2. b\n1. c\n3. d\n")
	run("a list whose style has the numbers",
		officefiles.DOCX(item("1", "a")+item("2", "b"), "numbering", `<w:numbering>
				<w:abstractNum w:abstractNumId="1"><w:numStyleLink w:val="S"/></w:abstractNum>
				<w:abstractNum w:abstractNumId="2"><w:styleLink w:val="S"/>
					<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/></w:lvl>
				</w:abstractNum>
				<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>
				<w:num w:numId="2"><w:abstractNumId w:val="2"/></w:num>
			</w:numbering>`),
		"1. a\n2. b\n")
	run("control characters do not break lines",
		officefiles.DOCX(docxText("a\u2028b&#13;c&#0;d&#12;e\u0085f\u00adg&#27;h  i")),
		"a b c\ufffdd e fg\ufffdh  i\n")
	run("a long line continues on the next", officefiles.DOCX(docxText(long)),
		long[:documents.MaxLine]+"\n"+long[documents.MaxLine:]+"\n")
	run("tracked changes", officefiles.DOCX(`<w:p>
				<w:pPr><w:pPrChange><w:pPr><w:pStyle w:val="H"/></w:pPr></w:pPrChange></w:pPr>
				<w:ins><w:r><w:t>new</w:t></w:r></w:ins>
				<w:del><w:r><w:delText>old</w:delText></w:r></w:del>
				<w:moveFrom><w:r><w:t>moved</w:t></w:r></w:moveFrom>
			</w:p>`),
		"new\n\n(deleted text of tracked changes is left out)\n")
	run("alternatives and images", officefiles.DOCX(docxParagraph("", `<mc:AlternateContent>
					<mc:Choice><wp:docPr descr="a map"/><pic:pic/></mc:Choice>
					<mc:Fallback><w:t>old</w:t></mc:Fallback>
				</mc:AlternateContent>
				<pic:pic/><c:chart/><w:t>text</w:t>`)),
		"[image: a map][image][chart]text\n")
	run("characters with elements of their own",
		officefiles.DOCX(docxParagraph("", `<w:tab/><w:t>a</w:t><w:tab/><w:t>b</w:t><w:noBreakHyphen/><w:t>c</w:t>
				<w:sym w:char="2192"/><w:cr/><w:t>d</w:t>`)),
		"a\tb-c→\nd\n")
	run("what is not text",
		officefiles.DOCX(docxParagraph("", `<v:imagedata o:title="logo"/><wp:docPr descr="steps"/><dgm:relIds/>
				<o:OLEObject ProgID="Visio"/><w:altChunk/>`)),
		"[image: logo][diagram: steps][object: Visio][embedded document]\n")
	run("styles and lists",
		officefiles.DOCX(docxParagraph(`<w:pStyle w:val="B"/>`, "<w:t>Title</w:t>")+
			docxParagraph(`<w:pStyle w:val="L"/>`, "<w:t>three</w:t>")+
			docxParagraph(`<w:pStyle w:val="L"/>`, "<w:t>four</w:t>")+
			docxParagraph(`<w:numPr><w:ilvl w:val="1"/><w:numId w:val="5"/></w:numPr>`, "<w:t>in</w:t>"),
			docxNotes[:4]...),
		"## Title\n\n3. three\n4. four\n  - in\n")
	run("notes and comments",
		officefiles.DOCX(docxParagraph("", `<w:t>x</w:t><w:footnoteReference w:id="2"/>
				<w:endnoteReference w:id="3"/><w:commentReference w:id="4"/>`), docxNotes...),
		"x[^2][^e3][comment 4]\n\n# footnotes\n[^2] F\n\n# endnotes\n[^e3] E\n\n"+
			"# comments\n[comment 4] Ann: C\n")
	run("notes that are normal, or begin with an empty paragraph", officefiles.DOCX(docxText("x"),
		"footnotes", `<w:footnotes>
					<w:footnote w:type="normal" w:id="1">`+docxText("F")+`</w:footnote>
					<w:footnote w:id="2">`+docxText("")+docxText(" ")+docxText("G")+docxText("H")+`</w:footnote>
				</w:footnotes>`,
		"comments", `<w:comments><w:comment w:id="4" w:author="Ann">`+docxText("")+docxText("C")+`</w:comment></w:comments>`),
		"x\n\n# footnotes\n[^1] F\n[^2] G\nH\n\n# comments\n[comment 4] Ann:\nC\n")
	run("notes that are missing", officefiles.Archive(
		"_rels/.rels", officefiles.Related("m", "officeDocument", "word/document.xml"),
		"word/document.xml", "<w:document><w:body>"+docxText("text")+"</w:body></w:document>",
		"word/_rels/document.xml.rels", officefiles.Related("f", "footnotes", "footnotes.xml")),
		"text\n\n(the footnotes are missing in the file)\n")
	run("no element",
		officefiles.Archive("_rels/.rels", officefiles.Related("m", "officeDocument", "word/document.xml"), "word/document.xml", ""),
		"error: a.docx is not a valid document: word/document.xml: it ends early\n")
	run("a table in a table",
		officefiles.DOCX("<w:tbl><w:tr><w:tc>"+docxText("a\tb")+docxText("c")+"</w:tc><w:tc>"+
			"<w:tbl><w:tr><w:tc>"+docxText("d")+"</w:tc><w:tc>"+docxText("e")+"</w:tc></w:tr></w:tbl>"+
			"</w:tc></w:tr></w:tbl>"),
		"a b c\td e\n")
	run("a box of text in a table", officefiles.DOCX("<w:tbl><w:tr><w:tc>"+
		docxParagraph("", "<w:t>a</w:t><w:txbxContent>"+docxText("b")+"</w:txbxContent><w:t>c</w:t>")+
		"</w:tc><w:tc>"+docxText("d")+"</w:tc></w:tr></w:tbl>"),
		"a b c\td\n")
	run("a box of text before the text of a heading",
		officefiles.DOCX(docxParagraph(`<w:outlineLvl w:val="0"/>`,
			"<w:txbxContent>"+docxText("box")+"</w:txbxContent><w:t>Title</w:t>")),
		"box\n\n# Title\n")
	run("a box of text before the text of an item, which is counted once",
		officefiles.DOCX(docxItem("1", "A")+docxItem("1", "</w:t><w:txbxContent>"+docxText("box")+
			"</w:txbxContent><w:t>B")+docxItem("1", "C"), "numbering", bulletsWithNumbers),
		"  1. A\n\nbox\n\n  2. B\n  3. C\n")
	run("a box of text in a line after the first of an item",
		officefiles.DOCX(docxItem("1", "A</w:t><w:br/><w:txbxContent>"+docxText("box")+
			"</w:txbxContent><w:t>B")+docxItem("1", "C"), "numbering", bulletsWithNumbers),
		"  1. A\n\nbox\n\nB\n\n  2. C\n")
	run("numbers restart below the next bullet",
		officefiles.DOCX(docxItem("0", "A")+docxItem("1", "x")+docxItem("1", "y")+docxItem("0", "B")+docxItem("1", "z"),
			"numbering", bulletsWithNumbers),
		"- A\n  1. x\n  2. y\n- B\n  1. z\n")
	run("an item in a table is counted",
		officefiles.DOCX(docxItem("1", "A")+docxTable(docxItem("1", "B"))+docxItem("1", "C"), "numbering", bulletsWithNumbers),
		"  1. A\n\n2. B\n\n  3. C\n")
	run("a note that is only a table",
		officefiles.DOCX(docxText("x"), "endnotes", `<w:endnotes><w:endnote w:id="3">`+
			docxTable(docxText("cell"))+"</w:endnote></w:endnotes>"),
		"x\n\n# endnotes\n\n[^e3] cell\n")
	run("an item that begins with a break",
		officefiles.DOCX(docxParagraph(`<w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr>`,
			pageBreak+"<w:t>x</w:t><w:br/><w:t>y</w:t>"), "numbering", bulletsWithNumbers),
		"  1. x\ny\n")
	run("a heading that begins with a break",
		officefiles.DOCX(docxParagraph(`<w:outlineLvl w:val="1"/>`, pageBreak+"<w:t>x</w:t><w:br/><w:t>y</w:t>")),
		"## x y\n")
	run("a paragraph with the style of a heading that is none",
		officefiles.DOCX(docxParagraph(`<w:pStyle w:val="H"/><w:outlineLvl w:val="9"/>`, "<w:t>x</w:t>")+
			docxParagraph(`<w:pStyle w:val="T"/>`, "<w:t>y</w:t>")+
			docxParagraph(`<w:pStyle w:val="H"/>`, "<w:t>z</w:t>"),
			"styles", `<w:styles>
					<w:style w:styleId="H"><w:name w:val="heading 1"/></w:style>
					<w:style w:styleId="T"><w:basedOn w:val="H"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr></w:style>
				</w:styles>`),
		"x\n\ny\n\n# z\n")
	run("labels as Word shows them",
		officefiles.DOCX(docxItem("0", "Terms")+docxItem("1", "Payment")+docxItem("2", "Late fee")+
			docxItem("2", "Early fee")+docxItem("1", "Delivery")+docxItem("2", "Place"), "numbering", `<w:numbering>
				<w:abstractNum w:abstractNumId="1">
					<w:lvl w:ilvl="0"><w:start w:val="3"/><w:numFmt w:val="upperRoman"/><w:lvlText w:val="Article %1"/></w:lvl>
					<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1.%2"/><w:isLgl/></w:lvl>
					<w:lvl w:ilvl="2"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="(%3)"/></w:lvl>
				</w:abstractNum>
				<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>
			</w:numbering>`),
		"Article III Terms\n  3.1 Payment\n    (a) Late fee\n    (b) Early fee\n  3.2 Delivery\n    (a) Place\n")
	run("numbered headings, whose levels are those of their styles",
		officefiles.DOCX(docxParagraph(`<w:pStyle w:val="H1"/>`, "<w:t>One</w:t>")+
			docxParagraph(`<w:pStyle w:val="H2"/>`, "<w:t>Part</w:t>"),
			"styles", `<w:styles>
					<w:style w:styleId="H1"><w:name w:val="heading 1"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>
					<w:style w:styleId="H2"><w:name w:val="heading 2"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>
				</w:styles>`,
			"numbering", `<w:numbering><w:abstractNum w:abstractNumId="1">
					<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:pStyle w:val="H1"/><w:lvlText w:val="%1"/></w:lvl>
					<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:pStyle w:val="H2"/><w:lvlText w:val="%1.%2"/></w:lvl>
				</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num></w:numbering>`),
		"# 1 One\n\n## 1.1 Part\n")
	run("links, as elements and as fields",
		docxLinked(`<w:p><w:hyperlink r:id="l"><w:r><w:t>a page</w:t></w:r></w:hyperlink>`+
			`<w:hyperlink w:anchor="b"><w:r><w:t> inside</w:t></w:r></w:hyperlink></w:p>`+
			`<w:p><w:r><w:fldChar w:fldCharType="begin"/><w:instrText> HYPERLINK "https://b.example/" </w:instrText>`+
			`<w:fldChar w:fldCharType="separate"/><w:t>field</w:t><w:fldChar w:fldCharType="end"/><w:t>.</w:t></w:r></w:p>`+
			`<w:p><w:hyperlink r:id="l"><w:r><w:t>https://a.example</w:t></w:r></w:hyperlink></w:p>`),
		"a page (https://a.example/) inside\n\nfield (https://b.example/).\n\nhttps://a.example\n")
	run("scripts of runs that are cut, and hidden text",
		officefiles.DOCX(`<w:p><w:r><w:t>10</w:t></w:r>`+
			`<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>-</w:t></w:r>`+
			`<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>6</w:t></w:r><w:r><w:t> m</w:t></w:r></w:p>`+
			`<w:p><w:r><w:t>seen</w:t></w:r><w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r></w:p>`),
		"10^-6 m\n\nseen (hidden) secret\n")
	run("a formula in a text",
		officefiles.DOCX(`<w:p><w:r><w:t>so </w:t></w:r><m:oMath><m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num>`+
			`<m:den><m:r><m:t>c</m:t></m:r></m:den></m:f></m:oMath><w:r><w:t>.</w:t></w:r></w:p>`),
		"so (a+b)/c.\n")
	run("merged cells", officefiles.DOCX(`<w:tbl><w:tr>`+
		`<w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr>`+docxText("wide")+`</w:tc><w:tc>`+docxText("x")+`</w:tc></w:tr>`+
		`<w:tr><w:tc><w:tcPr><w:vMerge w:val="restart"/></w:tcPr>`+docxText("tall")+`</w:tc><w:tc>`+docxText("a")+`</w:tc></w:tr>`+
		`<w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p/></w:tc><w:tc>`+docxText("b")+`</w:tc></w:tr></w:tbl>`),
		"wide [2 columns]\t\tx\ntall\ta\n[as above]\tb\n")
	run("WordArt and a form field",
		officefiles.DOCX(`<w:p><w:r><w:pict><v:shape><v:textpath string="DRAFT"/></v:shape></w:pict></w:r></w:p>`+
			`<w:p><w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:checked/></w:checkBox></w:ffData></w:fldChar></w:r></w:p>`),
		"DRAFT\n\n[x]\n")
	run("headers and footers",
		officefiles.DOCX(docxText("body"), "header", "<w:hdr>"+docxText("ACME")+docxText("")+"</w:hdr>",
			"footer", "<w:ftr>"+docxText("page 1")+"</w:ftr>"),
		"body\n\n# headers\nACME\n\n# footers\npage 1\n")
	run("a chart and a diagram",
		officefiles.DOCX(docxText("before")+`<w:p><w:r><wp:docPr descr="steps"/><dgm:relIds r:dm="diagramData"/></w:r></w:p>`+
			`<w:p><w:r><c:chart r:id="chart"/></w:r></w:p>`+docxText("after"),
			"diagramData", "<dgm:dataModel><dgm:pt><dgm:t><a:p><a:r><a:t>Plan</a:t></a:r></a:p></dgm:t></dgm:pt>"+
				"<dgm:pt><dgm:t><a:p><a:r><a:t>Act</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:dataModel>",
			"chart", `<c:chartSpace><c:chart><c:title><a:t>Sales</a:t></c:title><c:plotArea>
					<c:ser><c:tx><c:v>East</c:v></c:tx><c:cat><c:strCache><c:pt idx="0"><c:v>Q1</c:v></c:pt><c:pt idx="1"><c:v>Q2</c:v></c:pt></c:strCache></c:cat>
					<c:val><c:numCache><c:formatCode>0%</c:formatCode><c:pt idx="1"><c:v>0.19</c:v></c:pt></c:numCache></c:val></c:ser>
					</c:plotArea></c:chart></c:chartSpace>`),
		"before\n\n[diagram: steps]\n- Plan\n- Act\n\n[chart: Sales]\n\tQ1\tQ2\nEast\t\t19%\n\nafter\n")
}

// docxLinked returns a document with a link "l" to https://a.example/.
func docxLinked(body string) []byte {
	return officefiles.Archive(
		"_rels/.rels", officefiles.Related("m", "officeDocument", "word/document.xml"),
		"word/document.xml", "<w:document><w:body>"+body+"</w:body></w:document>",
		"word/_rels/document.xml.rels", `<Relationships><Relationship Id="l" Type="x/hyperlink" `+
			`Target="https://a.example/" TargetMode="External"/></Relationships>`)
}
