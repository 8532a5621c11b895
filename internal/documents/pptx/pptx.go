// Package pptx reads PPTX files, the presentations of PowerPoint.
package pptx

import (
	"context"

	"gander/internal/documents"
	"gander/internal/documents/markup"
	"gander/internal/documents/ooxml"
)

// Format is the format PPTX.
var Format documents.Seeker = format{ooxml.Kind{
	Title: "PPTX", Root: "presentation", Standard: "ppt/presentation.xml",
}}

type format struct{ ooxml.Kind }

// Seeks implements [documents.Seeker].
func (format) Seeks() {}

// Write implements [documents.Format].
func (f format) Write(ctx context.Context, src *documents.Source, w *documents.Writer) error {
	p, err := f.Open(ctx, src)
	if err != nil {
		return err
	}
	slides, err := slideParts(p)
	if err != nil {
		return err
	}
	for i := w.First() - 1; i < len(slides); i++ {
		mark := documents.Mark{Kind: documents.Slide, Number: i + 1, Total: len(slides)}
		err := writeSlide(p, slides[i], mark, w)
		if err != nil {
			return err
		}
	}
	return nil
}

// slideParts returns the parts of the slides in the order of presentation.
func slideParts(p *ooxml.Package) ([]string, error) {
	rels, err := p.Relations(p.Main)
	if err != nil {
		return nil, err
	}
	var parts []string
	err = p.ScanStarts(p.Main, func(s *markup.Scanner) error {
		if s.Name == "sldId" {
			parts = append(parts, rels.IDs[s.Prefixed("id")])
			return p.Keep(0)
		}
		return nil
	})
	return parts, err
}

// writeSlide writes a slide and its notes.
func writeSlide(p *ooxml.Package, part string, mark documents.Mark, w *documents.Writer) error {
	header := header{mark: &mark}
	err := p.Scan(part, header.piece)
	if err != nil {
		return err
	}
	w.Mark(mark)
	err = p.Scan(part, (&text{w: w, titled: mark.Name != ""}).piece)
	if err != nil {
		return err
	}
	rels, err := p.Relations(part)
	if err != nil {
		return err
	}
	return p.Scan(rels.Types["notesSlide"], (&text{w: w, notes: true}).piece)
}

// maxTitle is the maximum length of a title in a mark. A longer one is text.
const maxTitle = 200

// A header reads the title of a slide, and whether it is hidden.
type header struct {
	mark        *documents.Mark
	placeholder string
	long        bool
}

func (h *header) piece(s *markup.Scanner) error {
	switch {
	case s.Kind == markup.Start && s.Name == "sld":
		h.mark.Hidden = s.Attr("show") == "0"
	case s.Kind == markup.Start && (s.Name == "Fallback" || s.Name == "extLst"):
		s.Skip()
	case s.Kind == markup.Start && s.Name == "sp":
		h.placeholder = ""
	case s.Kind == markup.Start && s.Name == "ph":
		h.placeholder = s.Attr("type")
	case !isTitle(h.placeholder):
	case s.Kind == markup.Start && (s.Name == "br" || s.Name == "p"):
		h.add(" ")
	case s.Kind == markup.Text && s.Parent(0) == "t":
		h.add(string(s.Text))
	}
	return nil
}

func (h *header) add(title string) {
	if h.long || len(h.mark.Name)+len(title) > maxTitle {
		h.long, title, h.mark.Name = true, "", ""
	}
	if h.mark.Name != "" || title != " " {
		h.mark.Name += title
	}
}

func isTitle(placeholder string) bool { return placeholder == "title" || placeholder == "ctrTitle" }
