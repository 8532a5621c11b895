// Package docx reads DOCX files, the documents of Word.
package docx

import (
	"context"

	"gander/internal/documents"
	"gander/internal/documents/ooxml"
)

// Format is the format DOCX.
var Format documents.Format = format{ooxml.Format{
	Title: "DOCX", Root: "document", Standard: "word/document.xml",
}}

type format struct{ ooxml.Format }

// Write implements [documents.Format]. It writes the text, then the notes, the comments, the
// headers and the footers.
func (f format) Write(ctx context.Context, src *documents.Source, out *documents.Writer) error {
	p, err := f.Open(ctx, src)
	if err != nil {
		return err
	}
	relations, err := p.Relations(p.Main)
	if err != nil {
		return err
	}
	w := &writer{out: out, Package: p}
	w.inline.Out = w.write
	w.styles, err = readStyles(p, relations.First("styles"))
	if err != nil {
		return err
	}
	w.lists, err = readLists(p, relations.First("numbering"))
	if err != nil {
		return err
	}
	err = w.writePart(p.Main)
	if err != nil {
		return err
	}
	for _, section := range sections {
		w.section, w.reference, w.isNotes = section.name, section.reference, true
		for _, part := range relations.All(section.kind) {
			if p.Missing(part) {
				out.Gap()
				out.Line([]byte("(the " + section.name + " are missing in the file)"))
			}
			err := w.writePart(part)
			if err != nil {
				return err
			}
		}
	}
	if w.deleted {
		out.LeftOut()
	}
	return nil
}

// writePart writes the text of a part.
func (w *writer) writePart(part string) error {
	var err error
	w.relations, err = w.Relations(part)
	if err != nil {
		return err
	}
	return w.Scan(part, w.piece)
}

// The prefixes of the number of a note or comment.
const (
	footnote = "^"
	endnote  = "^e"
	comment  = "comment "
)

// sections are the parts that follow the text, by their types.
var sections = []struct{ name, kind, reference string }{
	{"footnotes", "footnotes", footnote},
	{"endnotes", "endnotes", endnote},
	{"comments", "comments", comment},
	{"headers", "header", ""},
	{"footers", "footer", ""},
}
