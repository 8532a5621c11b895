package officefiles

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"
)

// Archive returns a zip file with entries: a name, its content, and so on.
func Archive(entries ...string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i+1 < len(entries); i += 2 {
		w, err := z.Create(entries[i])
		if err != nil {
			panic(err)
		}
		_, err = io.WriteString(w, entries[i+1])
		if err != nil {
			panic(err)
		}
	}
	err := z.Close()
	if err != nil {
		panic(err)
	}
	return b.Bytes()
}

// Related returns the relations of a part: an identifier, a type, a target, and so on.
func Related(relations ...string) string {
	var b strings.Builder
	b.WriteString("<Relationships>")
	for i := 0; i+2 < len(relations); i += 3 {
		b.WriteString(`<Relationship Id="` + relations[i] + `" Type="x/` + relations[i+1] +
			`" Target="` + relations[i+2] + `"/>`)
	}
	return b.String() + "</Relationships>"
}

// DOCX returns a DOCX file with a body, and other parts below word.
func DOCX(body string, parts ...string) []byte {
	entries := []string{
		"_rels/.rels", Related("m", "officeDocument", "word/document.xml"),
		"word/document.xml", "<w:document><w:body>" + body + "</w:body></w:document>",
	}
	var relations []string
	for i := 0; i+1 < len(parts); i += 2 {
		entries = append(entries, "word/"+parts[i]+".xml", parts[i+1])
		relations = append(relations, parts[i], parts[i], parts[i]+".xml")
	}
	return Archive(append(entries, "word/_rels/document.xml.rels", Related(relations...))...)
}

// XLSX returns an XLSX file with the rows of a sheet, strings and styles.
func XLSX(rows, strings, styles string) []byte {
	return Archive(
		"_rels/.rels", Related("m", "officeDocument", "xl/workbook.xml"),
		"xl/workbook.xml", `<workbook><sheets><sheet name="S" r:id="s"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", Related("s", "worksheet", "s.xml",
			"t", "sharedStrings", "/xl/t.xml", "u", "styles", "u.xml"),
		"xl/s.xml", "<worksheet><sheetData>"+rows+"</sheetData></worksheet>",
		"xl/t.xml", "<sst>"+strings+"</sst>",
		"xl/u.xml", "<styleSheet>"+styles+"</styleSheet>",
	)
}

// PPTX returns a PPTX file with slides.
func PPTX(slides ...string) []byte {
	var list strings.Builder
	var relations []string
	entries := []string{"_rels/.rels", Related("m", "officeDocument", "ppt/presentation.xml")}
	for i, slide := range slides {
		name := string(rune('a' + i))
		list.WriteString(`<p:sldId id="256" r:id="` + name + `"/>`)
		relations = append(relations, name, "slide", name+".xml")
		entries = append(entries, "ppt/"+name+".xml", slide)
	}
	return Archive(append(entries,
		"ppt/presentation.xml",
		"<p:presentation><p:sldIdLst>"+list.String()+"</p:sldIdLst></p:presentation>",
		"ppt/_rels/presentation.xml.rels", Related(relations...))...)
}

// ODF returns an OpenDocument file of a kind, with automatic styles and a body.
func ODF(kind, styles, body string) []byte {
	return Archive(
		"mimetype", "application/vnd.oasis.opendocument."+kind,
		"content.xml", "<office:document-content><office:automatic-styles>"+styles+
			"</office:automatic-styles><office:body><office:"+kind+">"+body+"</office:"+kind+
			"></office:body></office:document-content>",
	)
}

// EPUB returns an EPUB file with one part.
func EPUB(body string) []byte {
	return Archive(
		"META-INF/container.xml", `<container><rootfile full-path="o/a.opf"/></container>`,
		"o/a.opf", `<package><item id="a" href="a%20b.xhtml" media-type="application/xhtml+xml"/>`+
			`<itemref idref="a"/><itemref idref="a"/></package>`,
		"o/a b.xhtml", "<html><head><title>T</title></head><body>"+body+"</body></html>",
	)
}
