// Package docx reads DOCX files, the documents of Word.
package docx

import (
	"strings"

	"gander/internal/documents"
	"gander/internal/documents/ooxml"
)

// Format is the format DOCX.
var Format documents.Format = ooxml.Format{
	Title: "DOCX", Root: "document", Standard: "word/document.xml", Text: write,
}

// write writes the text, then the notes, the comments, the headers and the footers.
func write(_ *documents.Source, p *ooxml.Package) {
	relations := p.Relations(p.Main)
	w := &writer{Package: p}
	w.inline.Out = w.write
	w.styles = readStyles(p, relations.First("styles"))
	w.lists = readLists(p, relations.First("numbering"))
	w.writePart(p.Main)
	w.isNotes = true
	for _, kind := range sections {
		name := strings.TrimSuffix(kind, "s") + "s"
		w.section = name
		for _, part := range relations.All(kind) {
			if p.Missing(part) {
				p.Out.Gap()
				p.Out.Line([]byte("(the " + name + " are missing in the file)"))
			}
			w.writePart(part)
		}
	}
	if w.deleted {
		p.Out.LeftOut()
	}
}

// writePart writes the text of a part.
func (w *writer) writePart(part string) {
	w.relations = w.Relations(part)
	w.Scan(part, w.piece)
}

// prefixes are the prefixes of the numbers of notes and comments.
var prefixes = map[string]string{"footnote": "^", "endnote": "^e", "comment": "comment "}

// sections are the types of the parts that follow the text.
var sections = []string{"footnotes", "endnotes", "comments", "header", "footer"}
