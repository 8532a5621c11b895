package office

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gander/internal/documents"
	"gander/internal/testkit"
	"gander/internal/testkit/officefiles"
)

// read returns the lines of a document of any format, and the error in the form of a message.
func read(
	ctx context.Context, name string, content []byte, limits documents.Limits,
) (lines []documents.Line, problem string) {
	return officefiles.Read(ctx, Formats(), name, content, limits)
}

var update = flag.Bool("update", false, "record the text of the documents")

// samples returns the documents in testdata by name.
func samples(t testing.TB) map[string][]byte {
	t.Helper()
	names, err := filepath.Glob("testdata/*.*")
	testkit.Must(t, err)
	contents := map[string][]byte{}
	for _, name := range names {
		if filepath.Ext(name) == ".txt" {
			continue
		}
		contents[filepath.Base(name)], err = os.ReadFile(name)
		testkit.Must(t, err)
	}
	if len(contents) < 10 {
		t.Fatalf("%d documents in testdata", len(contents))
	}
	return contents
}

// TestRecorded compares the text of documents, which pandoc, LibreOffice, python-docx, openpyxl and
// nbformat wrote, with the text that was recorded and read.
func TestRecorded(t *testing.T) {
	for name, content := range samples(t) {
		got := officefiles.Text(read(t.Context(), name, content, documents.Limits{}))
		recorded := filepath.Join("testdata", name+".txt")
		if *update {
			testkit.Must(t, os.WriteFile(recorded, []byte(got), 0o644))
		}
		want, err := os.ReadFile(recorded)
		testkit.Must(t, err)
		if got != string(want) {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
	}
}

// TestSamples checks what holds for all documents, such as that the text from a mark on is the same
// wherever the reading begins.
func TestSamples(t *testing.T) {
	for name, content := range samples(t) {
		t.Run(name, func(t *testing.T) { check(t, name, content) })
	}
}

// TestManySlides reads a presentation whose slides have many relations in all.
func TestManySlides(t *testing.T) {
	var relations []string
	for i := range 20 {
		relations = append(relations, fmt.Sprint(i), "image", fmt.Sprintf("../media/image%d.png", i))
	}
	var list strings.Builder
	entries := []string{"_rels/.rels", officefiles.Related("m", "officeDocument", "ppt/presentation.xml")}
	const slides = 1000
	var parts []string
	for i := range slides {
		name := fmt.Sprintf("s%d", i)
		fmt.Fprintf(&list, `<p:sldId id="256" r:id="%s"/>`, name)
		parts = append(parts, name, "slide", name+".xml")
		entries = append(entries, "ppt/"+name+".xml", "<p:sld/>", "ppt/_rels/"+name+".xml.rels", officefiles.Related(relations...))
	}
	content := officefiles.Archive(append(entries, "ppt/presentation.xml", "<p:presentation>"+list.String()+"</p:presentation>",
		"ppt/_rels/presentation.xml.rels", officefiles.Related(parts...))...)
	lines, problem := read(t.Context(), "a.pptx", content, documents.Limits{})
	if problem != "" || lines[len(lines)-2].Mark.Number != slides {
		t.Errorf("%d lines, error %q", len(lines), problem)
	}
}

// TestManyLists reads documents with many lists and images.
func TestManyLists(t *testing.T) {
	const n = 2000
	var abstract, lists, styles strings.Builder
	relations := []string{"n", "numbering", "n.xml"}
	for i := range n {
		fmt.Fprintf(&abstract, "<w:abstractNum w:abstractNumId='%d'>", i)
		fmt.Fprintf(&lists, "<w:num w:numId='%d'><w:abstractNumId w:val='%d'/></w:num>", i+1, i)
		fmt.Fprintf(&styles, "<text:list-style style:name='L%d'>", i+1)
		for level := range 9 {
			fmt.Fprintf(&abstract, "<w:lvl w:ilvl='%d'><w:start w:val='1'/><w:numFmt w:val='decimal'/></w:lvl>", level)
			fmt.Fprintf(&styles, "<text:list-level-style-number text:level='%d' style:num-format='1' style:num-suffix='.'/>", level+1)
		}
		abstract.WriteString("</w:abstractNum>")
		styles.WriteString("</text:list-style>")
	}
	for i := range 20_000 {
		relations = append(relations, fmt.Sprint(i), "image", fmt.Sprintf("media/image%d.png", i))
	}
	docx := officefiles.Archive("_rels/.rels", officefiles.Related("m", "officeDocument", "word/document.xml"),
		"word/_rels/document.xml.rels", officefiles.Related(relations...),
		"word/n.xml", "<w:numbering>"+abstract.String()+lists.String()+"</w:numbering>",
		"word/document.xml", fmt.Sprintf("<w:document><w:p><w:pPr><w:numPr><w:numId w:val='%d'/></w:numPr></w:pPr>"+
			"<w:r><w:t>text</w:t></w:r></w:p></w:document>", n))
	odt := officefiles.ODF("text", styles.String(), fmt.Sprintf("<text:list text:style-name='L%d'><text:list-item>"+
		"<text:p>text</text:p></text:list-item></text:list>", n))
	for name, content := range map[string][]byte{"a.docx": docx, "a.odt": odt} {
		got := officefiles.Text(read(t.Context(), name, content, documents.Limits{}))
		if got != "1. text\n" {
			t.Errorf("%s: got %.200q", name, got)
		}
	}
}

// TestNamesDoNotMatter checks that documents are recognized by content, except for notebooks.
func TestNamesDoNotMatter(t *testing.T) {
	for name, content := range samples(t) {
		d, err := documents.Open(t.Context(), Formats(), "x", bytes.NewReader(content))
		notebook := filepath.Ext(name) == ".ipynb"
		if err != nil || (d == nil) != notebook {
			t.Errorf("%s: %v, %v", name, d, err)
		}
	}
	for name, content := range map[string]string{
		"a.docx": "not a zip file", "b.ipynb": `{"metadata": {}}`, "c.ipynb": "[1]", "empty.docx": "",
		"d.zip": string(officefiles.Archive("a.txt", "text")), "e.jar": string(officefiles.Archive("META-INF/MANIFEST.MF", "")),
	} {
		d, err := documents.Open(t.Context(), Formats(), name, strings.NewReader(content))
		if d != nil || err != nil {
			t.Errorf("%s: %v, %v", name, d, err)
		}
	}
}

// TestChangedFile checks that a document can become invalid after it was recognized. The name of
// its main part does not show what it is.
func TestChangedFile(t *testing.T) {
	content := officefiles.Archive("_rels/.rels", officefiles.Related("m", "officeDocument", "word/document2.xml"),
		"word/document2.xml", "<w:document/>")
	d, err := documents.Open(t.Context(), Formats(), "a.docx", bytes.NewReader(content))
	if d == nil || err != nil {
		t.Fatalf("%v, %v", d, err)
	}
	const name = "_rels/.rels"
	data := content[bytes.Index(content, []byte(name))+len(name):]
	clear(data[:20])
	for _, err = range d.Lines(t.Context(), documents.Limits{}) {
	}
	if err == nil || !strings.HasPrefix(err.Error(), "is not a valid document: ") {
		t.Errorf("got error %v", err)
	}
}
