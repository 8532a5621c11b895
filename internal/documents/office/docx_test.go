package office

import "testing"

// numbering has a list 1 of bullets whose items have numbered ones below them.
const numbering = `<w:numbering>
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

// docxItem returns an item of the list in numbering.
func docxItem(level, text string) string {
	return docxParagraph(
		`<w:numPr><w:ilvl w:val="`+level+`"/><w:numId w:val="1"/></w:numPr>`, "<w:t>"+text+"</w:t>")
}

// docxTable returns a table with one cell.
func docxTable(content string) string {
	return "<w:tbl><w:tr><w:tc>" + content + "</w:tc></w:tr></w:tbl>"
}

func TestDOCX(t *testing.T) {
	const pageBreak = `<w:br w:type="page"/>`
	for _, tt := range []formTest{
		{
			name: "numbers restart below the next bullet",
			content: docxOf(docxItem("0", "A")+docxItem("1", "x")+docxItem("1", "y")+docxItem("0", "B")+docxItem("1", "z"),
				"numbering", numbering),
			want: "- A\n  1. x\n  2. y\n- B\n  1. z\n",
		},
		{
			name:    "an item in a table is counted",
			content: docxOf(docxItem("1", "A")+docxTable(docxItem("1", "B"))+docxItem("1", "C"), "numbering", numbering),
			want:    "  1. A\n\nB\n\n  3. C\n",
		},
		{
			name: "a note that is only a table",
			content: docxOf(docxParagraph("", "<w:t>x</w:t>"), "endnotes", `<w:endnotes><w:endnote w:id="3">`+
				docxTable(docxParagraph("", "<w:t>cell</w:t>"))+"</w:endnote></w:endnotes>"),
			want: "x\n\n# endnotes\n\n[^e3] cell\n",
		},
		{
			name: "an item that begins with a break",
			content: docxOf(docxParagraph(`<w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr>`,
				pageBreak+"<w:t>x</w:t><w:br/><w:t>y</w:t>"), "numbering", numbering),
			want: "  1. x\ny\n",
		},
		{
			name:    "a heading that begins with a break",
			content: docxOf(docxParagraph(`<w:outlineLvl w:val="1"/>`, pageBreak+"<w:t>x</w:t><w:br/><w:t>y</w:t>")),
			want:    "## x y\n",
		},
		{
			name: "a paragraph with the style of a heading that is none",
			content: docxOf(docxParagraph(`<w:pStyle w:val="H"/><w:outlineLvl w:val="9"/>`, "<w:t>x</w:t>")+
				docxParagraph(`<w:pStyle w:val="T"/>`, "<w:t>y</w:t>")+
				docxParagraph(`<w:pStyle w:val="H"/>`, "<w:t>z</w:t>"),
				"styles", `<w:styles>
					<w:style w:styleId="H"><w:name w:val="heading 1"/></w:style>
					<w:style w:styleId="T"><w:basedOn w:val="H"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr></w:style>
				</w:styles>`),
			want: "x\n\ny\n\n# z\n",
		},
	} {
		tt.run(t, "a.docx")
	}
}
