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

// Write implements [documents.Format]. It writes the text, the notes and the comments, but neither
// headers nor footers.
func (f format) Write(ctx context.Context, src *documents.Source, out *documents.Writer) error {
	p, err := f.Open(ctx, src)
	if err != nil {
		return err
	}
	parts, err := p.PartsByType()
	if err != nil {
		return err
	}
	w := &writer{out: out}
	w.styles, err = readStyles(p, parts["styles"])
	if err != nil {
		return err
	}
	w.lists, err = readLists(p, parts["numbering"])
	if err != nil {
		return err
	}
	err = p.Scan(p.Main, w.piece)
	if err != nil {
		return err
	}
	for _, section := range sections {
		part := parts[section.name]
		if p.Missing(part) {
			out.Gap()
			out.Line([]byte("(the " + section.name + " are missing in the file)"))
		}
		w.section, w.reference = section.name, section.reference
		err := p.Scan(part, w.piece)
		if err != nil {
			return err
		}
	}
	return nil
}

// The prefixes of the number of a note or comment.
const (
	footnote = "^"
	endnote  = "^e"
	comment  = "comment "
)

// sections are the parts that follow the text, by their types.
var sections = []struct{ name, reference string }{
	{"footnotes", footnote}, {"endnotes", endnote}, {"comments", comment},
}
