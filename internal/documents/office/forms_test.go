package office

import (
	"strings"
	"testing"

	"gander/internal/documents"
)

// TestForms checks the form of what documents contain.
func TestForms(t *testing.T) {
	p := func(text string) string { return "<w:p><w:r><w:t>" + text + "</w:t></w:r></w:p>" }
	sp := func(placeholder, texts string) string {
		return `<p:sp><p:nvSpPr><p:cNvPr id="1"/><p:nvPr>` + placeholder + "</p:nvPr></p:nvSpPr><p:txBody>" +
			texts + "</p:txBody></p:sp>"
	}
	ap := func(text string) string { return "<a:p><a:r><a:t>" + text + "</a:t></a:r></a:p>" }
	long := strings.Repeat("x", 70<<10)
	for _, tt := range []struct {
		test, name string
		content    []byte
		want       string
	}{
		{
			"control characters do not break lines", "a.docx",
			docxOf(p("a\u2028b&#13;c&#0;d&#12;e\u0085f\u00adg&#27;h  i")),
			"a b c\ufffdd e fg\ufffdh  i\n",
		},
		{"a long line continues on the next", "a.docx", docxOf(p(long)), long[:documents.MaxLine] + "\n" + long[documents.MaxLine:] + "\n"},
		{
			"tracked changes", "a.docx",
			docxOf("<w:p><w:pPr><w:pPrChange><w:pPr><w:pStyle w:val='H'/></w:pPr></w:pPrChange></w:pPr>" +
				"<w:ins><w:r><w:t>new</w:t></w:r></w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del>" +
				"<w:moveFrom><w:r><w:t>moved</w:t></w:r></w:moveFrom></w:p>"),
			"new\n",
		},
		{
			"alternatives and images", "a.docx",
			docxOf("<w:p><w:r><mc:AlternateContent><mc:Choice><wp:docPr descr='a map'/><pic:pic/></mc:Choice>" +
				"<mc:Fallback><w:t>old</w:t></mc:Fallback></mc:AlternateContent><pic:pic/><c:chart/>" +
				"<w:t>text</w:t></w:r></w:p>"),
			"[image: a map][image][chart]text\n",
		},
		{
			"styles, lists and notes", "a.docx",
			docxOf("<w:p><w:pPr><w:pStyle w:val='B'/></w:pPr><w:r><w:t>Title</w:t></w:r></w:p>"+
				"<w:p><w:pPr><w:pStyle w:val='L'/></w:pPr><w:r><w:t>three</w:t></w:r></w:p>"+
				"<w:p><w:pPr><w:pStyle w:val='L'/></w:pPr><w:r><w:t>four</w:t></w:r></w:p>"+
				"<w:p><w:pPr><w:numPr><w:ilvl w:val='1'/><w:numId w:val='5'/></w:numPr></w:pPr><w:r><w:t>in</w:t>"+
				"</w:r></w:p><w:p><w:r><w:t>x</w:t><w:footnoteReference w:id='2'/><w:endnoteReference w:id='3'/>"+
				"<w:commentReference w:id='4'/></w:r></w:p>",
				"styles", "<w:styles><w:style w:styleId='A'><w:name w:val='heading 2'/><w:basedOn w:val='B'/>"+
					"</w:style><w:style w:styleId='B'><w:basedOn w:val='A'/></w:style><w:style w:styleId='L'>"+
					"<w:pPr><w:numPr><w:numId w:val='5'/></w:numPr></w:pPr></w:style></w:styles>",
				"numbering", "<w:numbering><w:abstractNum w:abstractNumId='1'><w:lvl w:ilvl='0'>"+
					"<w:start w:val='3'/><w:numFmt w:val='decimal'/></w:lvl><w:lvl w:ilvl='1'>"+
					"<w:numFmt w:val='bullet'/></w:lvl></w:abstractNum><w:num w:numId='5'>"+
					"<w:abstractNumId w:val='1'/></w:num></w:numbering>",
				"footnotes", "<w:footnotes><w:footnote w:type='separator' w:id='0'>"+p("-")+"</w:footnote>"+
					"<w:footnote w:id='2'>"+p(" F")+"</w:footnote></w:footnotes>",
				"endnotes", "<w:endnotes><w:endnote w:id='3'>"+p("E")+"</w:endnote></w:endnotes>",
				"comments", "<w:comments><w:comment w:id='4' w:author='Ann'>"+p("C")+"</w:comment></w:comments>"),
			"## Title\n\n3. three\n4. four\n  - in\n\nx[^2][^e3][comment 4]\n\n# footnotes\n[^2] F\n\n" +
				"# endnotes\n[^e3] E\n\n# comments\n[comment 4] Ann: C\n",
		},
		{
			"a table in a table", "a.docx",
			docxOf("<w:tbl><w:tr><w:tc>" + p("a\tb") + p("c") + "</w:tc><w:tc><w:tbl><w:tr><w:tc>" + p("d") +
				"</w:tc><w:tc>" + p("e") + "</w:tc></w:tr></w:tbl></w:tc></w:tr></w:tbl>"),
			"a b c\td e\n",
		},
		{
			"a slide that is missing", "a.pptx",
			archive("_rels/.rels", related("m", "officeDocument", "ppt/presentation.xml"), "ppt/presentation.xml",
				"<p:presentation><p:sldIdLst><p:sldId r:id='x'/></p:sldIdLst></p:presentation>"),
			"# slide 1\n(this slide is missing in the file)\n",
		},
		{
			"no element", "a.docx",
			archive("_rels/.rels", related("m", "officeDocument", "word/document.xml"), "word/document.xml", ""),
			"error: a.docx is not a valid document: word/document.xml: it ends early\n",
		},
		{
			"notes that are missing", "a.docx",
			archive("_rels/.rels", related("m", "officeDocument", "word/document.xml"),
				"word/document.xml", "<w:document><w:body>"+p("text")+"</w:body></w:document>",
				"word/_rels/document.xml.rels", related("f", "footnotes", "footnotes.xml")),
			"text\n\n(the footnotes are missing in the file)\n",
		},
		{
			"notes of a slide that are missing", "a.pptx",
			archive("_rels/.rels", related("m", "officeDocument", "ppt/presentation.xml"), "ppt/presentation.xml",
				"<p:presentation><p:sldId r:id='x'/></p:presentation>", "ppt/_rels/presentation.xml.rels",
				related("x", "slide", "s.xml"), "ppt/s.xml", "<p:sld>"+sp("", ap("text"))+"</p:sld>",
				"ppt/_rels/s.xml.rels", related("n", "notesSlide", "n.xml")),
			"# slide 1\ntext\n(the notes of this slide are missing in the file)\n",
		},
		{
			"an image in the text, and paragraphs without ends", "a.epub",
			epubOf("a<img src='data:" + long + "' alt='map'/>b" + strings.Repeat("<p>c", 300)),
			"# part 1: a b.xhtml\na[image: map]b\n" + strings.Repeat("\nc\n", 300),
		},
		{
			"a list in the notes of a slide", "a.odp",
			odfOf("presentation", "", "<draw:page><presentation:notes><draw:frame><draw:text-box><text:list>"+
				"<text:list-item><text:p/></text:list-item><text:list-item><text:p>a</text:p></text:list-item>"+
				"<text:list-item><text:p>b</text:p></text:list-item></text:list></draw:text-box></draw:frame>"+
				"</presentation:notes></draw:page>"),
			"# slide 1\nnotes:\n- a\n- b\n",
		},
		{
			"a table in a table of a book", "a.epub",
			epubOf("<table><tr><td>x<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table></td><td>d</td></tr></table>"),
			"# part 1: a b.xhtml\n\nx a b c\td\n",
		},
		{
			"a heading of two lines", "a.epub", epubOf("<h1>Chapter 1<br/>Start</h1><h2><br/>X</h2><ruby>k<rt>r</rt></ruby>"),
			"# part 1: a b.xhtml\n\n# Chapter 1 Start\n\n## X\n\nk\n",
		},
		{
			"a title and a table", "a.pptx",
			pptxOf("<p:sp><p:nvSpPr><p:nvPr><p:ph type='title'/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>T</a:t></a:r></a:p>" +
				"</p:txBody></p:sp><p:graphicFrame><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>cell</a:t></a:r></a:p></a:txBody>" +
				"</a:tc></a:tr></a:tbl></p:graphicFrame>"),
			"# slide 1: T\ncell\n",
		},
		{
			"a box of text in a table", "a.docx",
			docxOf("<w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t><w:txbxContent>" + p("b") +
				"</w:txbxContent><w:t>c</w:t></w:r></w:p></w:tc><w:tc>" + p("d") + "</w:tc></w:tr></w:tbl>"),
			"a b c\td\n",
		},
		{
			"a list in a table", "a.odt",
			odfOf("text", "<text:list-style style:name='N'><text:list-level-style-number text:level='1' "+
				"style:num-format='1' text:start-value='1'/></text:list-style>", "<table:table><table:table-row><table:table-cell>"+
				"<text:p>a</text:p><text:list text:style-name='N'><text:list-item><text:p>b</text:p></text:list-item>"+
				"</text:list></table:table-cell><table:table-cell><text:p>c</text:p></table:table-cell>"+
				"</table:table-row></table:table>"),
			"a b\tc\n",
		},
		{
			"values of cells", "a.xlsx",
			xlsxOf(`<row r="3"><c r="B3" t="s"><v>0</v></c><c t="s"><v>7</v></c><c t="b"><v>1</v></c>`+
				`<c><v>0.30000000000000004</v></c><c s="1"><v>45658</v></c><c s="2"><v>1.5</v></c>`+
				`<c s="3"><v>45658.75</v></c><c t="e"><v>#REF!</v></c><c><f>A1+1</f></c>`+
				`<c t="inlineStr"><is><t>in</t><rPh><t>pron</t></rPh></is></c><c r="Z3"><v>1e300</v></c>`+
				`<c r="A3"><v>2</v></c></row><row/><row><c s="1"><v>59</v></c></row>`,
				"<si><r><t>sha</t></r><r><t>red</t></r></si>",
				`<numFmt numFmtId="170" formatCode="&quot;d&quot;h:mm;@"/><numFmt numFmtId="171" `+
					`formatCode="[$-409]d. mmm yyyy\ h:mm"/><cellXfs><xf/><xf numFmtId="14"/>`+
					`<xf numFmtId="170"/><xf numFmtId="171"/></cellXfs>`),
			"# sheet S\nB3\tshared\t[string 7]\tTRUE\t0.3\t2025-01-01\t12:00:00\t2025-01-01T18:00:00\t#REF!\t=A1+1\tin\n" +
				"Z3\t1e300\nA3\t2\nA5\t1900-02-28\n",
		},
		{
			"references beyond a sheet", "a.xlsx",
			xlsxOf(`<row r="1048576"><c r="XFD1048576"><v>1</v></c><c r="ZZZ1"><v>2</v></c></row>`, "", ""),
			"# sheet S\nXFD1048576\t1\nXFD1048576\t2\n",
		},
		{
			"slides", "a.pptx",
			pptxOf("<p:sld show='0'>"+sp("", ap("first"))+sp(`<p:ph type="title"/>`, ap("Two")+ap("lines"))+
				sp(`<p:ph idx="1"/>`, ap("a")+"<a:p><a:pPr lvl='1'/><a:r><a:t>b</a:t></a:r></a:p>")+
				sp(`<p:ph type="sldNum"/>`, ap("7"))+"</p:sld>",
				"<p:sld>"+sp(`<p:ph type="title"/>`, ap(strings.Repeat("t", 201)))+"</p:sld>", "<p:sld show='false'/>"),
			"# slide 1: Two lines (hidden)\nfirst\n- a\n  - b\n\n# slide 2\n" + strings.Repeat("t", 201) +
				"\n\n# slide 3 (hidden)\n(no text)\n",
		},
		{
			"text of OpenDocument", "a.odt",
			odfOf("text", "<text:list-style style:name='N'><text:list-level-style-number text:level='1' "+
				"style:num-format='1' text:start-value='2'/></text:list-style><style:style style:name='P' style:parent-style-name='Title'/>",
				"<text:tracked-changes><text:p>deleted</text:p></text:tracked-changes>"+
					"<text:p text:style-name='P'>T<text:title>field</text:title></text:p>"+
					"<text:h text:outline-level='2'>H</text:h><text:p>a<text:s text:c='3'/>b<text:tab/>c<text:span>\t</text:span>d<text:note>"+
					"<text:note-citation>1</text:note-citation><text:note-body><text:p>N</text:p><text:p>M</text:p>"+
					"</text:note-body></text:note><office:annotation><dc:creator>Ann</dc:creator><dc:date>2026</dc:date>"+
					"<text:p>C</text:p></office:annotation></text:p><text:list text:style-name='N'><text:list-item>"+
					"<text:p>two</text:p><text:p>more</text:p></text:list-item><text:list-item><text:p>three</text:p>"+
					"</text:list-item></text:list><text:p><draw:frame><draw:image/><svg:title>t</svg:title>"+
					"<svg:desc>a map</svg:desc></draw:frame></text:p>"),
			"# Tfield\n\n## H\n\na   b\tc d[note: N M] [comment: Ann: C]\n\n2. two\nmore\n3. three\n\n[image: a map]\n",
		},
		{
			"a long title and another", "a.odp",
			odfOf("presentation", "", "<draw:page><draw:frame presentation:class='title'><draw:text-box><text:p>"+
				strings.Repeat("t", 201)+"</text:p></draw:text-box></draw:frame><draw:frame presentation:class='title'>"+
				"<draw:text-box><text:p>x</text:p></draw:text-box></draw:frame></draw:page>"),
			"# slide 1\n" + strings.Repeat("t", 201) + "\nx\n",
		},
		{
			"a slide in the notes of another", "a.odp",
			odfOf("presentation", "", "<draw:page><presentation:notes><draw:page/><text:p>x</text:p>"+
				"</presentation:notes></draw:page>"),
			"# slide 1\nnotes:\nx\n",
		},
		{
			"repeated rows and columns", "a.ods",
			odfOf("spreadsheet", "<style:style style:name='h'><style:table-properties table:display='false'/>"+
				"</style:style>",
				"<table:table table:name='S' table:style-name='h'><table:table-row "+
					"table:number-rows-repeated='3'><table:table-cell table:number-columns-repeated='2' "+
					"office:value-type='float' office:value='0.30000000000000004'><text:p>0,3</text:p></table:table-cell>"+
					"<table:table-cell table:number-columns-repeated='9'/><table:table-cell "+
					"table:number-columns-repeated='16384'><text:p>x</text:p><text:p>y</text:p></table:table-cell>"+
					"</table:table-row><table:table-row table:number-rows-repeated='1048576'/><table:table-row>"+
					"<table:table-cell office:value-type='boolean' office:boolean-value='true'/><table:table-cell "+
					"office:value-type='date' office:date-value='2026-01-02T00:00:00'/><table:table-cell "+
					"office:value-type='time' office:time-value='PT12H30M05S'/></table:table-row></table:table>"),
			"# sheet S (hidden)\nA1\t0.3\t0.3\nL1\tx y\t[equal up to column XFD]\n" +
				"[rows 2 to 3 are equal to row 1]\nA1048576\tTRUE\t2026-01-02\t12:30:05\n",
		},
		{
			"XHTML", "a.epub",
			epubOf("<h2>H</h2><p>a<br/>b <b>c</b>\n d</p><ul><li><p>x</p><ol start='3'><li>y</li></ol></li></ul>" +
				"<pre>1\n  2\n</pre><table><tr><td>a<p>b</p></td><td>c</td></tr></table><img alt='map'/>"),
			"# part 1: a b.xhtml\n\n## H\n\na\nb c d\n\n- x\n  3. y\n\n1\n  2\n\na b\tc\n\n[image: map]\n",
		},
		{
			"a notebook of any order", "a.ipynb",
			[]byte(`{"cells":[{"outputs":[{"data":{"image/png":"AAAA\nAA==","text/plain":["x","\n y"]},"output_type":` +
				`"display_data"},{"output_type":"stream","text":"a\u001b[1;31mb\u001b]8;;ü\u0007c\ud83d\ude00\ud83d"},` +
				`{"output_type":"error","ename":"E","evalue":"v","traceback":[]}],"source":["1\n","2"],` +
				`"execution_count":7,"cell_type":"code"},{"cell_type":"raw","source":null}]}`),
			"# cell 1: code [7]\n1\n2\n\n# output\nx\n y\n[image/png, 4 bytes]\n\n# output\nabc😀\ufffd\n\n" +
				"# output: error\nE: v\n\n# cell 2: raw\n",
		},
	} {
		t.Run(tt.test, func(t *testing.T) {
			got := text(read(t.Context(), tt.name, tt.content, documents.Limits{}))
			if got != tt.want {
				t.Errorf("got\n%.2000q\nwant\n%.2000q", got, tt.want)
			}
		})
	}
}
