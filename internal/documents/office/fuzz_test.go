package office

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"gander/internal/documents"
	"gander/internal/testkit/officefiles"
)

// check reads a document of any content and checks what holds for all of them: the promises about
// lines, the same text wherever a reader begins, and the bounds for memory and time.
func check(t *testing.T, name string, content []byte) {
	t.Helper()
	limits := documents.Limits{Inflated: 4 << 20, Text: 4 << 20}
	before, start := heap(), time.Now()
	lines, problem := read(t.Context(), name, content, limits)
	if after := heap(); after > before && after-before > maxMemory {
		t.Errorf("%d MiB of memory", (after-before)>>20)
	}
	if took := time.Since(start); took > maxTime {
		t.Errorf("took %v", took)
	}
	for _, line := range lines {
		valid := utf8.Valid(line.Text) && len(line.Text) <= documents.MaxLine &&
			!bytes.ContainsAny(line.Text, "\r\n\x00\u2028\u2029\u0085\x1b")
		if !valid || line.Mark.Kind != 0 && len(line.Text) == 0 {
			t.Errorf("line %q, mark %v", line.Text, line.Mark)
		}
	}
	checkText(t, name, content, limits, lines, problem)
}

// checkText checks that a text has the given lines, wherever a reader begins that knows the marks.
func checkText(
	t *testing.T, name string, content []byte, limits documents.Limits, lines []documents.Line, problem string,
) {
	t.Helper()
	var whole strings.Builder
	var marks []int // where they are in the text
	for _, line := range lines {
		if line.Mark.Kind != 0 && line.Mark.Kind != documents.Section {
			marks = append(marks, whole.Len())
		}
		fmt.Fprintf(&whole, "%s\n", line.Text)
	}
	if len(lines) == 0 {
		return
	}
	if problem != "" {
		problem = strings.TrimPrefix(problem, name+" ")
		fmt.Fprintf(&whole, "(the rest cannot be read: the document %s)\n", problem)
	}
	const most = 4 // of the marks are tried
	for i := 0; i < len(marks); i += len(marks)/most + 1 {
		outline := new(documents.Outline)
		textAt(t, name, content, limits, outline, 0, marks[i]+1)
		got := textAt(t, name, content, limits, outline, marks[i], whole.Len()-marks[i]+1)
		if want := whole.String()[marks[i]:]; got != want {
			at := 0
			for at < min(len(got), len(want)) && got[at] == want[at] {
				at++
			}
			t.Errorf("from mark %d on, after %d bytes: got %.300q, want %.300q", i+1, at, got[at:], want[at:])
		}
	}
}

// textAt returns up to n bytes of the text of a document from an offset on.
func textAt(
	t *testing.T, name string, content []byte, limits documents.Limits, outline *documents.Outline, offset, n int,
) string {
	t.Helper()
	d, err := documents.Open(t.Context(), Formats(), name, bytes.NewReader(content))
	if d == nil || err != nil {
		t.Fatalf("%v, %v", d, err)
	}
	text := d.Text(t.Context(), limits, outline)
	defer text.Close()
	b := make([]byte, n)
	n, err = text.ReadAt(b, int64(offset))
	if err != nil && err != io.EOF {
		t.Errorf("the text at %d: %v", offset, err)
	}
	return string(b[:n])
}

func FuzzDOCX(f *testing.F) {
	f.Add("<w:p><w:pPr><w:pStyle w:val='a'/></w:pPr><w:r><w:t>x</w:t><w:tab/><w:br/></w:r></w:p>"+
		"<w:tbl><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl>",
		"<w:style w:styleId='a'><w:name w:val='heading 1'/></w:style>",
		"<w:abstractNum w:abstractNumId='1'><w:lvl w:ilvl='0'><w:numFmt w:val='decimal'/></w:lvl></w:abstractNum>",
		"<w:footnote w:id='1'><w:p><w:t>x</w:t></w:p></w:footnote>")
	f.Fuzz(func(t *testing.T, body, styles, numbering, footnotes string) {
		check(t, "a.docx", officefiles.DOCX(body, "styles", styles, "numbering", numbering, "footnotes", footnotes))
	})
}

func FuzzXLSX(f *testing.F) {
	f.Add(`<row r="1"><c r="B1" s="1" t="s"><v>0</v><f>A1</f></c></row>`, "<si><t>x</t></si>",
		`<numFmt numFmtId="170" formatCode="[h]:mm\ &quot;x&quot;"/><cellXfs><xf numFmtId="170"/></cellXfs>`)
	f.Fuzz(func(t *testing.T, rows, strings, styles string) {
		check(t, "a.xlsx", officefiles.XLSX(rows, strings, styles))
	})
}

func FuzzPPTX(f *testing.F) {
	f.Add("<p:sld show='0'><p:sp><p:ph type='title'/><p:txBody><a:p><a:pPr lvl='1'/><a:t>x</a:t></a:p>" +
		"</p:txBody></p:sp><a:tbl><a:tr><a:tc/><a:tc/></a:tr></a:tbl></p:sld>")
	f.Fuzz(func(t *testing.T, slide string) { check(t, "a.pptx", officefiles.PPTX(slide, slide)) })
}

func FuzzODF(f *testing.F) {
	for kind := range byte(3) {
		f.Add(kind, "<style:style style:name='a'/><text:list-style style:name='b'/>",
			"<draw:page><draw:frame><svg:title>t</svg:title><draw:image/></draw:frame></draw:page><table:table>"+
				"<table:table-row table:number-rows-repeated='2'><table:table-cell office:value-type='float' "+
				"office:value='1'><text:p>x<text:note><text:note-body/></text:note></text:p></table:table-cell>"+
				"</table:table-row></table:table><text:list><text:list-item><text:p/></text:list-item></text:list>")
	}
	f.Fuzz(func(t *testing.T, kind byte, styles, body string) {
		kinds := []string{"text", "spreadsheet", "presentation"}
		check(t, "a.odf", officefiles.ODF(kinds[int(kind)%len(kinds)], styles, body))
	})
}

func FuzzEPUB(f *testing.F) {
	f.Add("<h1>a</h1><ul><li><p>b<br/></p></li></ul><pre>c\n</pre><table><tr><td>d</td><td/></tr></table>")
	f.Fuzz(func(t *testing.T, body string) { check(t, "a.epub", officefiles.EPUB(body)) })
}

func FuzzNotebook(f *testing.F) {
	f.Add(`{"cells":[{"cell_type":"code","source":["a\n","\u00e9"],"outputs":[{"output_type":"stream",` +
		`"text":"\u001b[0m"},{"data":{"text/plain":"x","image/png":"AA=="}},{"output_type":"error","ename":"E"}]}]}`)
	f.Fuzz(func(t *testing.T, content string) { check(t, "a.ipynb", []byte(content)) })
}

func FuzzRTF(f *testing.F) {
	f.Add(`{\rtf1\ansicpg1251{\fonttbl{\f0\fcharset204 A;}}{\stylesheet{\s1 heading 1;}}\s1 x\par\intbl a\cell\row` +
		`{\field{\*\fldinst HYPERLINK "a"}{\fldrslt b}}{\footnote c}{\v\super d}\u-10179?\u-8704?\'e4{\pict\bin2 }}}{\header h}}`)
	f.Fuzz(func(t *testing.T, content string) { check(t, "a.rtf", []byte(content)) })
}

// FuzzArchive changes the bytes of archives, of which the compressed ones rarely stay valid.
func FuzzArchive(f *testing.F) {
	for _, content := range [][]byte{officefiles.DOCX("<w:p/>"), officefiles.ODF("text", "", ""), officefiles.EPUB("x")} {
		f.Add(content)
	}
	for name, content := range samples(f) {
		if len(content) < 7000 || name == "lo.doc" {
			f.Add(content)
		}
	}
	f.Fuzz(func(t *testing.T, content []byte) { check(t, "a.docx", content) })
}
