package office

import "testing"

// odsOf returns a spreadsheet with one row.
func odsOf(cells string) []byte {
	return odfOf("spreadsheet", "",
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
	for _, tt := range []formTest{
		{
			name:    "a comment on a text",
			content: odsOf(odsCell(isText, comment+"<text:p>hello</text:p>")),
			want:    "# sheet S\nA1\thello [comment: Ann: c]\n",
		},
		{
			name:    "a comment on a number",
			content: odsOf(odsCell(isNumber, comment+"<text:p>1</text:p>")),
			want:    "# sheet S\nA1\t1 [comment: Ann: c]\n",
		},
		{
			name:    "a comment on an empty cell",
			content: odsOf(odsCell("", comment)),
			want:    "# sheet S\nA1\t[comment: Ann: c]\n",
		},
		{
			name:    "an image and a chart in cells",
			content: odsOf(odsCell(isNumber, picture+"<text:p>1</text:p>") + odsCell("", chart)),
			want:    "# sheet S\nA1\t1 [image: map]\t[object]\n",
		},
		{
			name: "a text without paragraphs",
			content: odsOf(odsCell(isText+` office:string-value="stored"`, "") +
				odsCell(isText+` office:string-value="stored"`, "<text:p>shown</text:p>")),
			want: "# sheet S\nA1\tstored\tshown\n",
		},
		{
			name:    "parts of a second",
			content: odsOf(odsCell(isTime+`"PT12H30M05.750000000S"`, "") + odsCell(isTime+`"PT00H00M05.000S"`, "")),
			want:    "# sheet S\nA1\t12:30:05.75\t00:00:05\n",
		},
	} {
		tt.run(t, "a.ods")
	}
}

func TestODP(t *testing.T) {
	const title = `<draw:frame presentation:class="title"><draw:text-box><text:p>T</text:p></draw:text-box></draw:frame>`
	for _, tt := range []formTest{
		{
			name:    "a line after the title",
			content: odfOf("presentation", "", "<draw:page>"+title+"<draw:line><text:p>label</text:p></draw:line></draw:page>"),
			want:    "# slide 1: T\nlabel\n",
		},
		{
			name: "a group after the title",
			content: odfOf("presentation", "",
				"<draw:page>"+title+"<draw:g><draw:unknown><text:p>label</text:p></draw:unknown></draw:g></draw:page>"),
			want: "# slide 1: T\nlabel\n",
		},
		{
			name: "a title of another shape, with a shape in it and a link",
			content: odfOf("presentation", "", `<draw:page><draw:rect presentation:class="title"><text:p>a`+
				"<draw:frame><draw:text-box><text:p>b</text:p></draw:text-box></draw:frame><text:a> c</text:a></text:p>"+
				"</draw:rect></draw:page>"),
			want: "# slide 1: a b c\n(no text)\n",
		},
	} {
		tt.run(t, "a.odp")
	}
}

func TestODT(t *testing.T) {
	formTest{
		name: "a level of a list that shows no number",
		content: odfOf("text", `<text:list-style style:name="N"><text:list-level-style-number text:level="1" `+
			`style:num-format=""/></text:list-style>`,
			`<text:list text:style-name="N"><text:list-item><text:p>x</text:p></text:list-item></text:list>`),
		want: "- x\n",
	}.run(t, "a.odt")
}
