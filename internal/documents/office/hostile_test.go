package office

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"runtime"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"gander/internal/documents"
	"gander/internal/testkit/hostilefiles"
	"gander/internal/testkit/officefiles"
)

// Bounds for reading any document. The time is generous, for slow machines.
const (
	maxMemory = 60 << 20
	maxTime   = 30 * time.Second
)

// heap returns the bytes of objects in memory.
func heap() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// measure reads a document, discards its lines, and returns the error as a message. It fails if
// reading takes too much memory or time.
func measure(t *testing.T, name string, file documents.File, limits documents.Limits) string {
	t.Helper()
	runtime.GC()
	before, start := heap(), time.Now()
	peak, problem, lines := before, "", 0
	d, err := documents.Open(t.Context(), Formats(), name, file)
	switch {
	case err != nil:
		return err.Error()
	case d == nil:
		return "no document"
	}
	for _, err := range d.Lines(t.Context(), limits) {
		lines++
		if lines%1024 == 0 || err != nil {
			peak = max(peak, heap())
		}
		if err != nil {
			problem = name + " " + err.Error()
		}
	}
	peak = max(peak, heap())
	if grown := peak - before; grown > maxMemory {
		t.Errorf("%d MiB of memory", grown>>20)
	}
	if took := time.Since(start); took > maxTime {
		t.Errorf("took %v", took)
	}
	t.Logf("%d lines, %d KiB, %v: %s", lines, (peak-before)>>10, time.Since(start), problem)
	return problem
}

// A repeated is a file with a text that is repeated between others, without the memory for it.
type repeated struct {
	head, unit, tail string
	times            int64
}

// Size implements [documents.File].
func (r repeated) Size() int64 {
	return int64(len(r.head)) + r.times*int64(len(r.unit)) + int64(len(r.tail))
}

// ReadAt implements [io.ReaderAt].
func (r repeated) ReadAt(b []byte, at int64) (int, error) {
	middle := r.times * int64(len(r.unit))
	for i := range b {
		at := at + int64(i) - int64(len(r.head))
		switch {
		case at < 0:
			b[i] = r.head[at+int64(len(r.head))]
		case at < middle:
			b[i] = r.unit[at%int64(len(r.unit))]
		case at-middle < int64(len(r.tail)):
			b[i] = r.tail[at-middle]
		default:
			return i, io.EOF
		}
	}
	return len(b), nil
}

func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("reads gigabytes")
	}
	const paragraph = "<w:p><w:r><w:t>AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA</w:t></w:r></w:p>"
	fill := func(unit string, size int) string { return strings.Repeat(unit, size/len(unit)+1) }
	types := func(doctype string) []byte {
		return officefiles.Archive("_rels/.rels", officefiles.Related("m", "officeDocument", "word/document.xml"),
			"word/document.xml", doctype+"<w:document><w:body><w:p><w:r><w:t>&a;&lol9;</w:t></w:r></w:p></w:body></w:document>")
	}
	var laughs strings.Builder
	for i := 1; i < 10; i++ {
		fmt.Fprintf(&laughs, "<!ENTITY lol%d '%s'>", i, strings.Repeat(fmt.Sprintf("&lol%d;", i-1), 10))
	}
	const large = "is too large to be read as text: "
	for _, tt := range []struct {
		test, name string
		content    []byte
		limits     documents.Limits
		want       string // what the error contains
	}{
		{test: "bomb", name: "a.docx", content: officefiles.DOCX("<!--" + fill("x", 280<<20) + "-->"), want: large + "more than 256 MiB when inflated"},
		{
			test: "bomb in a search", name: "a.docx", content: officefiles.DOCX(fill(paragraph, 18<<20)),
			limits: documents.Limits{Inflated: 16 << 20}, want: large + "more than 16 MiB when inflated",
		},
		{test: "spaces", name: "a.docx", content: officefiles.DOCX("<w:p><w:r><w:t>" + fill(" ", 16<<20) + "</w:t></w:r></w:p>")},
		{test: "one paragraph", name: "a.docx", content: officefiles.DOCX("<w:p><w:r><w:t>" + fill("A", 16<<20) + "</w:t></w:r></w:p>")},
		{test: "attributes", name: "a.docx", content: officefiles.DOCX("<w:p " + fill("a='b' ", 16<<20) + "/>"), want: large + "word/document.xml: a tag of more than 64 KiB"},
		{test: "comment", name: "a.docx", content: officefiles.DOCX("<!--" + fill("x", 16<<20) + "--><w:p/>")},
		{test: "CDATA", name: "a.docx", content: officefiles.DOCX("<w:p><w:r><w:t><![CDATA[" + fill("x]]", 16<<20) + "]]></w:t></w:r></w:p>")},
		{test: "name", name: "a.docx", content: officefiles.DOCX("<" + fill("x", 8<<20) + "/>"), want: large + "word/document.xml: a tag of more than 64 KiB"},
		{test: "depth", name: "a.docx", content: officefiles.DOCX(fill("<w:p>", 1<<20)), want: large + "word/document.xml: more than 256 nested elements"},
		{test: "skipped depth", name: "a.docx", content: officefiles.DOCX("<mc:Fallback>" + fill("<a>", 1<<20)), want: "more than 256 nested elements"},
		{test: "tables in tables", name: "a.docx", content: officefiles.DOCX(fill("<w:tbl><w:tr><w:tc>", 1<<20)), want: "more than 256 nested elements"},
		{test: "billion laughs", name: "a.docx", content: types("<!DOCTYPE a [" + laughs.String() + "]>")},
		{test: "external entity", name: "a.docx", content: types("<!DOCTYPE a [<!ENTITY a SYSTEM 'file:///etc/passwd'>]>")},
		{test: "document type", name: "a.docx", content: types("<!DOCTYPE " + fill("[", 1<<20)), want: "no document"},
		{
			test: "styles", name: "a.docx", want: large + "more than 3 MiB of styles",
			content: officefiles.DOCX("", "styles", "<w:styles>"+fill("<w:style w:styleId='a'/>", 8<<20)+"</w:styles>"),
		},
		{
			test: "lists", name: "a.docx", want: large + "more than 3 MiB of styles",
			content: officefiles.DOCX("", "numbering", "<w:numbering>"+fill("<w:num w:numId='1'><w:abstractNumId w:val='1'/></w:num>", 8<<20)+"</w:numbering>"),
		},
		{test: "a cell", name: "a.xlsx", content: officefiles.XLSX("<row><c t='str'><v>"+fill("x", 1<<20)+"</v></c></row>", "", ""), want: large + "a cell of more than 256 KiB"},
		{
			test: "strings", name: "a.xlsx",
			content: officefiles.XLSX("<row><c t='s'><v>0</v></c></row>", fill("<si><t>abcdefghijklmnopqrstuvwxyz</t></si>", 32<<20), ""),
		},
		{test: "empty strings", name: "a.xlsx", content: officefiles.XLSX("", fill("<si/>", 8<<20), "")},
		{
			test: "a string that is used often", name: "a.xlsx", want: large + "more than 256 MiB of text",
			content: officefiles.XLSX(fill("<row><c t='s'><v>0</v></c></row>", 1<<20), "<si><t>"+fill("A", 60_000)+"</t></si>", ""),
		},
		{test: "styles of cells", name: "a.xlsx", content: officefiles.XLSX("", "", "<cellXfs>"+fill("<xf numFmtId='14'/>", 16<<20)+"</cellXfs>")},
		{test: "formats", name: "a.xlsx", content: officefiles.XLSX("", "", fill("<numFmt numFmtId='1' formatCode='d'/>", 16<<20)), want: "more than 3 MiB of styles"},
		{
			test: "far cells", name: "a.xlsx",
			content: officefiles.XLSX(fill(`<row r="1048576"><c r="A1"><v>1</v></c><c r="XFD1048576"><v>2</v></c></row>`, 8<<20), "", ""),
		},
		{
			test: "repeated rows and columns", name: "a.ods",
			content: officefiles.ODF("spreadsheet", "", "<table:table>"+fill("<table:table-row table:number-rows-repeated='1048576'>"+
				"<table:table-cell table:number-columns-repeated='16384'><text:p>x</text:p></table:table-cell>"+
				"</table:table-row>", 4<<20)+"</table:table>"),
		},
		{test: "tables in cells", name: "a.ods", content: officefiles.ODF("spreadsheet", "", fill("<table:table><table:table-row><table:table-cell>", 1<<20)), want: "more than 256 nested elements"},
		{test: "spaces", name: "a.odt", content: officefiles.ODF("text", "", "<text:p>"+fill("a<text:s text:c='2000000000'/>", 4<<20)+"</text:p>")},
		{test: "styles", name: "a.odt", content: officefiles.ODF("text", fill("<style:style style:name='a'/>", 4<<20), ""), want: "more than 3 MiB of styles"},
		{test: "slides", name: "a.odp", content: officefiles.ODF("presentation", "", fill("<draw:page/>", 4<<20)), want: "more than 3 MiB of styles"},
		{test: "lists in lists", name: "a.epub", content: officefiles.EPUB(fill("<ul><li>x", 1<<20)), want: "more than 256 nested elements"},
		{
			test: "relations in a circle", name: "a.pptx", content: officefiles.Archive(
				"_rels/.rels", officefiles.Related("m", "officeDocument", "ppt/presentation.xml"),
				"ppt/presentation.xml", "<p:presentation>"+fill("<p:sldId r:id='a'/>", 10<<10)+"</p:presentation>",
				"ppt/_rels/presentation.xml.rels", officefiles.Related("a", "slide", "presentation.xml", "b", "notesSlide", "presentation.xml"),
			),
		},
		{test: "groups", name: "a.rtf", content: []byte(`{\rtf1` + fill("{", 1<<20)), want: large + "more than 1000 nested groups"},
		{test: "words", name: "a.rtf", content: []byte(`{\rtf1\` + fill("x", 1<<20) + "}"), want: "a control word has more than 32 bytes"},
		{test: "fonts", name: "a.rtf", content: []byte(`{\rtf1{\fonttbl` + fill(`{\f1\fcharset204 A;}`, 4<<20) + `}}`)},
		{test: "a long instruction", name: "a.rtf", content: []byte(`{\rtf1{\*\fldinst HYPERLINK ` + fill("x", 8<<20) + `}}`)},
		{test: "raised text", name: "a.rtf", content: []byte(`{\rtf1{\super ` + fill("x", 8<<20) + `}}`)},
		{test: "many values", name: "a.docx", content: docxWithChart(fill("<c:pt idx='0'><c:v>1</c:v></c:pt><c:pt idx='99999999'/>", 8<<20))},
		{test: "nested fields", name: "a.docx", content: officefiles.DOCX(fill("<w:fldChar w:fldCharType='begin'/>", 1<<20))},
		{test: "a long formula", name: "a.docx", content: officefiles.DOCX("<m:oMath>" + fill("<m:r><m:t>x+</m:t></m:r>", 8<<20) + "</m:oMath>")},
		{test: "a deep formula", name: "a.docx", content: officefiles.DOCX("<m:oMath>" + strings.Repeat("<m:sSup><m:e>", 120) + "x" + strings.Repeat("</m:e></m:sSup>", 120) + "</m:oMath>")},
		{
			test: "shapes", name: "a.pptx",
			content: officefiles.PPTX("<p:sld>" + fill("<p:sp><a:xfrm><a:off x='1' y='2'/></a:xfrm><p:txBody><a:p><a:t>x</a:t></a:p></p:txBody></p:sp>", 8<<20) + "</p:sld>"),
		},
		{
			test: "links", name: "a.xlsx",
			content: officefiles.XLSX("<row><c r='A1'><v>1</v></c></row></sheetData>"+fill("<hyperlink ref='A1' location='x'/>", 4<<20)+"<sheetData>", "", ""),
		},
		{
			test: "a target outside", name: "a.docx", want: "no document",
			content: officefiles.Archive("_rels/.rels", officefiles.Related("m", "officeDocument", "../../../etc/passwd"), "word/x.xml", "<w:document/>"),
		},
	} {
		t.Run(tt.test+" "+tt.name, func(t *testing.T) {
			if hostilefiles.Keep(t, tt.name, bytes.NewReader(tt.content)) {
				return
			}
			got := measure(t, tt.name, bytes.NewReader(tt.content), tt.limits)
			if !strings.Contains(got, tt.want) || (tt.want == "") != (got == "") {
				t.Errorf("got error %q, want %q", got, tt.want)
			}
		})
	}
}

func TestHostileNotebooks(t *testing.T) {
	if testing.Short() {
		t.Skip("reads gigabytes")
	}
	const largeCell = "too large to be read as text: a cell of more than 6 MiB"
	for _, tt := range []struct {
		test string
		file repeated
		want string
	}{
		{"a large cell", repeated{`{"cells":[{"cell_type":"code","source":["`, "A", `"]}]}`, 200 << 20}, largeCell},
		{"a large image", repeated{`{"cells":[{"outputs":[{"data":{"image/png":"`, "A", `"}}]}]}`, 16 << 20}, largeCell},
		{"a large key", repeated{`{"cells":[{"`, "A", `":1}]}`, 16 << 20}, largeCell},
		{"an image", repeated{`{"cells":[{"outputs":[{"data":{"image/png":"`, "A", `"}}]}]}`, 5 << 20}, ""},
		{"a large number", repeated{`{"cells":[{"execution_count":`, "1", `}]}`, 1 << 20}, ""},
		{"metadata", repeated{`{"metadata":"`, "A", `","cells":[]}`, 20 << 20}, "no document"},
		{"depth", repeated{`{"cells":[`, "[", ``, 5 << 20}, "no document"},
		{"depth that is skipped", repeated{`{"cells":[{"a":`, "[", ``, 5 << 20}, "no document"},
		{"cells", repeated{`{"cells":[{}`, `,{"source":"x","outputs":[{"data":{"a":"b"}}]}`, `]}`, 2_000}, ""},
	} {
		t.Run(tt.test, func(t *testing.T) {
			if hostilefiles.Keep(t, "a.ipynb", io.NewSectionReader(tt.file, 0, tt.file.Size())) {
				return
			}
			got := measure(t, "a.ipynb", tt.file, documents.Limits{})
			if !strings.Contains(got, tt.want) || (tt.want == "") != (got == "") {
				t.Errorf("got error %q, want %q", got, tt.want)
			}
		})
	}
}

// TestDeepLists reads a notebook whose text is a list in lists, which would need a stack. It is no
// notebook.
func TestDeepLists(t *testing.T) {
	const depth = 4 << 20
	content := []byte(`{"cells":[{"cell_type":"code","source":` + strings.Repeat("[", depth) +
		strings.Repeat("]", depth) + `},{"cell_type":"code","source":["after"]}]}`)
	if hostilefiles.Keep(t, "a.ipynb", bytes.NewReader(content)) {
		return
	}
	got := officefiles.Text(read(t.Context(), "a.ipynb", content, documents.Limits{}))
	if got != "error: no document\n" {
		t.Errorf("got %q", got)
	}
}

// TestHostileDirectories changes the directory of an archive so that it lies.
func TestHostileDirectories(t *testing.T) {
	const paragraph = "<w:p><w:r><w:t>text</w:t></w:r></w:p>"
	valid := officefiles.DOCX(paragraph)
	end := func(b []byte) []byte { return b[bytes.LastIndex(b, []byte("PK\x05\x06")):] }
	long := []string{"_rels/.rels", ""}
	for i := range 10_000 { // a record of 46 bytes, and a name of 200
		long = append(long, fmt.Sprintf("%0200d", i), "")
	}
	many := func(n int) []byte {
		entries := []string{"_rels/.rels", ""}
		for i := range n {
			entries = append(entries, fmt.Sprint(i), "")
		}
		return officefiles.Archive(entries...)
	}
	change := func(b []byte, f func(b []byte)) []byte {
		b = bytes.Clone(b)
		f(b)
		return b
	}
	shorten := func(b []byte, name string, by uint32) []byte {
		return change(b, func(b []byte) {
			record := b[bytes.LastIndex(b, []byte(name))-46:]
			binary.LittleEndian.PutUint32(record[42:], binary.LittleEndian.Uint32(record[42:])-by)
		})
	}
	duplicate := officefiles.Archive("_rels/.rels", officefiles.Related("m", "officeDocument", "word/document.xml"),
		"word/document.xml", "<w:document/>", "word/./document.xml", "<w:document/>")
	const large = "is too large to be read as text: its directory has more than 20000 entries or 2 MiB"
	for _, tt := range []struct {
		test    string
		content []byte
		want    string
	}{
		{"many entries", many(20_000), large},
		{"long names", officefiles.Archive(long...), large},
		{"more entries than 16 bits count", many(70_000), large},
		{"a count that lies", change(many(30_000), func(b []byte) {
			binary.LittleEndian.PutUint16(end(b)[8:], 1)
			binary.LittleEndian.PutUint16(end(b)[10:], 1)
		}), "not a valid document: its directory cannot be read"},
		{"a size that lies", change(many(30_000), func(b []byte) {
			binary.LittleEndian.PutUint16(end(b)[8:], 30_001&0xffff)
			binary.LittleEndian.PutUint16(end(b)[10:], 19_000)
			binary.LittleEndian.PutUint32(end(b)[12:], 100)
		}), "its directory is longer than it says"},
		{"sizes of ZIP64", append(change(valid, func(b []byte) {
			copy(end(b)[8:], "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff")
		})[:len(valid)-22], zip64End(valid)...), large},
		{
			"a part of a locator of ZIP64, and a comment that is too long",
			[]byte("PK\x03\x04" + strings.Repeat("x", 100) + "PK\x06\x07PK\x05\x06" + strings.Repeat("\x00", 22+0xffff+20-8)),
			"no document",
		},
		{"a comment like the end", append(change(valid, func(b []byte) {
			binary.LittleEndian.PutUint16(end(b)[20:], 4)
		}), "PK\x05\x06"...), ""},
		{"cut off", valid[:len(valid)/2], "not a valid document: its end is missing"},
		{"two entries of a name", duplicate, `not a valid document: two of its entries are named "word/document.xml"`},
		{"an offset that lies", shorten(valid, "word/_rels/document.xml.rels", 1), "not a valid document: its entry"},
		{"an uncompressed size that lies", change(valid, func(b []byte) {
			record := b[bytes.LastIndex(b, []byte("word/document.xml"))-46:]
			binary.LittleEndian.PutUint32(record[24:], 1<<31)
		}), `not a valid document: its entry "word/document.xml"`},
		{"a password", change(valid, func(b []byte) {
			b[bytes.LastIndex(b, []byte("word/document.xml"))-46+8] |= 1
		}), "is encrypted"},
		{"valid", valid, ""},
	} {
		t.Run(tt.test, func(t *testing.T) {
			if hostilefiles.Keep(t, "a.docx", bytes.NewReader(tt.content)) {
				return
			}
			got := measure(t, "a.docx", bytes.NewReader(tt.content), documents.Limits{})
			if !strings.Contains(got, tt.want) || (tt.want == "") != (got == "") {
				t.Errorf("got error %q, want %q", got, tt.want)
			}
		})
	}
}

// zip64End returns end records, of which that of ZIP64 claims a directory of a petabyte.
func zip64End(valid []byte) []byte {
	at := uint64(len(valid) - 22)
	b := append([]byte("PK\x06\x06"), make([]byte, 52)...)
	binary.LittleEndian.PutUint64(b[4:], 44)
	binary.LittleEndian.PutUint64(b[24:], 1<<40)
	binary.LittleEndian.PutUint64(b[32:], 1<<40)
	binary.LittleEndian.PutUint64(b[40:], 1<<50)
	b = append(b, "PK\x06\x07\x00\x00\x00\x00"...)
	b = binary.LittleEndian.AppendUint64(b, at)
	b = append(b, 1, 0, 0, 0)
	b = append(b, "PK\x05\x06\x00\x00\x00\x00"...)
	b = append(b, bytes.Repeat([]byte{0xff}, 12)...)
	return append(b, 0, 0)
}

// TestEncrypted checks what says that a document is encrypted.
func TestEncrypted(t *testing.T) {
	odt := officefiles.Archive("mimetype", "application/vnd.oasis.opendocument.text", "content.xml", "x",
		"META-INF/manifest.xml", "<m><file-entry><encryption-data/></file-entry></m>")
	book := officefiles.Archive(
		"META-INF/container.xml", `<container><rootfile full-path="a.opf"/></container>`,
		"a.opf", `<package><item id="a" href="a.xhtml" media-type="text/html"/><itemref idref="a"/></package>`,
		"a.xhtml", "x", "META-INF/encryption.xml", "<e><CipherReference URI='a.xhtml'/></e>")
	for name, content := range map[string][]byte{"a.odt": odt, "a.epub": book} {
		if _, problem := read(t.Context(), name, content, documents.Limits{}); problem != name+" is encrypted" {
			t.Errorf("got %q", problem)
		}
	}
}

// TestContextEndsReading checks that a document is not read after the call was given up.
func TestContextEndsReading(t *testing.T) {
	file := repeated{`{"cells":[{}`, `,{"source":"x"}`, `]}`, 1 << 36}
	d, err := documents.Open(t.Context(), Formats(), "a.ipynb", file)
	if d == nil || err != nil {
		t.Fatalf("%v, %v", d, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	for _, err = range d.Lines(ctx, documents.Limits{}) {
	}
	if err != context.DeadlineExceeded {
		t.Error(err)
	}
}

// docxWithChart returns a document with a chart that has the values.
func docxWithChart(values string) []byte {
	return officefiles.Archive(
		"_rels/.rels", officefiles.Related("m", "officeDocument", "word/document.xml"),
		"word/document.xml", "<w:document><w:p><c:chart r:id='c'/></w:p></w:document>",
		"word/_rels/document.xml.rels", officefiles.Related("c", "chart", "chart.xml"),
		"word/chart.xml", "<c:chartSpace><c:ser><c:val><c:numLit>"+values+
			"</c:numLit></c:val></c:ser></c:chartSpace>",
	)
}
