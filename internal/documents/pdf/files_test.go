package pdf

import (
	"bytes"
	"fmt"
	"strings"
)

// A builder makes PDF files. Object 1 is the catalog, 2 the page tree, and 3 the font Helvetica.
type builder struct {
	objects []string
	catalog string // further entries of the catalog
	pages   []int
	count   string // of the pages, if it is wrong
}

func newBuilder() *builder {
	const font = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
	return &builder{objects: []string{"", "", font}}
}

// add adds an object and returns its number.
func (b *builder) add(object string) int {
	b.objects = append(b.objects, object)
	return len(b.objects)
}

// stream adds a stream and returns its number.
func (b *builder) stream(entries, content string) int {
	return b.add(fmt.Sprintf("<</Length %d %s>>stream\n%s\nendstream", len(content), entries, content))
}

// page adds a page with a content stream and further entries.
func (b *builder) page(content, entries string) {
	b.pages = append(b.pages, b.add(fmt.Sprintf("<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]"+
		"/Resources<</Font<</F 3 0 R>>>>/Contents %d 0 R %s>>", b.stream("", content), entries)))
}

// bytes returns the file.
func (b *builder) bytes() []byte {
	var kids strings.Builder
	for _, p := range b.pages {
		fmt.Fprintf(&kids, "%d 0 R ", p)
	}
	count := b.count
	if count == "" {
		count = fmt.Sprint(len(b.pages))
	}
	b.objects[0] = "<</Type/Catalog/Pages 2 0 R" + b.catalog + ">>"
	b.objects[1] = fmt.Sprintf("<</Type/Pages/Count %s/Kids[%s]>>", count, kids.String())
	var file bytes.Buffer
	file.WriteString("%PDF-1.7\n")
	offsets := make([]int, len(b.objects))
	for i, object := range b.objects {
		offsets[i] = file.Len()
		fmt.Fprintf(&file, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	table := file.Len()
	fmt.Fprintf(&file, "xref\n0 %d\n0000000000 65535 f \n", len(b.objects)+1)
	for _, offset := range offsets {
		fmt.Fprintf(&file, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&file, "trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n",
		len(b.objects)+1, table)
	return file.Bytes()
}

// brokenPages returns a PDF file with pages that cannot be read between two that can.
func brokenPages(n int) []byte {
	b := newBuilder()
	b.page(show("first"), "")
	for range n {
		b.pages = append(b.pages, b.add("null"))
	}
	b.page(show("last"), "")
	return b.bytes()
}

// withoutUnicode returns a PDF file with a page, in whose font a character has no Unicode.
func withoutUnicode(c byte, content string) []byte {
	b := newBuilder()
	table := b.stream("", fmt.Sprintf("begincmap 1 begincodespacerange <00> <FF> endcodespacerange "+
		"1 beginbfchar <%02X> <0000> endbfchar endcmap", c))
	b.objects[2] = fmt.Sprintf("<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode %d 0 R>>", table)
	b.page(content, "")
	return b.bytes()
}

// colored returns a PDF file with a page whose text has a color of a profile.
func colored(text string) []byte {
	b := newBuilder()
	profile := b.stream("/N 3", strings.Repeat("\x00", 128))
	b.page("/C cs 1 0 0 scn "+show(text), fmt.Sprintf(
		"/Resources<</Font<</F 3 0 R>>/ColorSpace<</C[/ICCBased %d 0 R]>>>>", profile))
	return b.bytes()
}

// file returns a PDF file with a page for each content stream.
func file(contents ...string) []byte {
	b := newBuilder()
	for _, content := range contents {
		b.page(content, "")
	}
	return b.bytes()
}

// show returns a content stream with lines of text.
func show(lines ...string) string {
	var content strings.Builder
	content.WriteString("BT /F 12 Tf 14 TL 50 800 Td ")
	for _, line := range lines {
		fmt.Fprintf(&content, "(%s) Tj T* ", line)
	}
	content.WriteString("ET")
	return content.String()
}

// at returns a content stream with text at a place.
func at(x, y int, text string) string {
	return fmt.Sprintf("BT /F 12 Tf %d %d Td (%s) Tj ET ", x, y, text)
}

// column returns a content stream with lines below each other.
func column(x, lines int, text string) string {
	var content strings.Builder
	for i := range lines {
		content.WriteString(at(x, 800-14*i, text))
	}
	return content.String()
}

// annotated returns a PDF file with a page that has annotations.
func annotated(content string, annotations ...string) []byte {
	b := newBuilder()
	var all strings.Builder
	for _, a := range annotations {
		fmt.Fprintf(&all, "%d 0 R ", b.add("<</Type/Annot/F 4"+a+">>"))
	}
	b.page(content, "/Annots["+all.String()+"]")
	return b.bytes()
}
