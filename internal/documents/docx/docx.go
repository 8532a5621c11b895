// Package docx reads DOCX files, the documents of Word.
package docx

import (
	"context"
	"strings"

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
	w.isNotes = true
	for _, kind := range sections {
		name := strings.TrimSuffix(kind, "s") + "s"
		w.section = name
		for _, part := range relations.All(kind) {
			if p.Missing(part) {
				out.Gap()
				out.Line([]byte("(the " + name + " are missing in the file)"))
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

// prefixes are the prefixes of the numbers of notes and comments.
var prefixes = map[string]string{"footnote": "^", "endnote": "^e", "comment": "comment "}

// sections are the types of the parts that follow the text.
var sections = []string{"footnotes", "endnotes", "comments", "header", "footer"}
