// Package pptx reads PPTX files, the presentations of PowerPoint.
package pptx

import (
	"context"

	"gander/internal/documents"
	"gander/internal/documents/markup"
	"gander/internal/documents/ooxml"
)

// Format is the format PPTX.
var Format documents.Seeker = format{ooxml.Format{
	Title: "PPTX", Root: "presentation", Standard: "ppt/presentation.xml",
}}

type format struct{ ooxml.Format }

// Seeks implements [documents.Seeker].
func (format) Seeks() {}

// Write implements [documents.Format]. It writes the slides and their notes, but no comments.
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
	all, err := p.PartsByID()
	if err != nil {
		return nil, err
	}
	var parts []string
	err = p.ScanStarts(p.Main, func(s *markup.Scanner) error {
		if s.Name == "sldId" {
			parts = append(parts, all[s.Prefixed("id")])
			return p.Keep(0)
		}
		return nil
	})
	return parts, err
}

// writeSlide writes a slide and its notes.
func writeSlide(p *ooxml.Package, part string, mark documents.Mark, w *documents.Writer) error {
	var header header
	err := p.Scan(part, header.piece)
	if err != nil {
		return err
	}
	mark.Name, mark.Hidden = header.title.Text, header.hidden
	w.Mark(mark)
	if !p.Has(part) {
		w.Line([]byte("(this slide is missing in the file)"))
		return nil
	}
	err = p.Scan(part, (&writer{out: w, titled: mark.Name != ""}).piece)
	if err != nil {
		return err
	}
	notes, err := p.Related(part, "notesSlide")
	if err != nil {
		return err
	}
	if p.Missing(notes) {
		w.Line([]byte("(the notes of this slide are missing in the file)"))
	}
	return p.Scan(notes, (&writer{out: w, notes: true}).piece)
}

// A header reads the title of a slide, and whether it is hidden.
type header struct {
	title       documents.Title
	hidden      bool
	placeholder string // the placeholder that the current shape fills
}

func (h *header) piece(s *markup.Scanner) error {
	switch s.Piece {
	case markup.Start:
		h.start(s)
	case markup.Text:
		if h.inTitle() && s.Parent(0) == "t" {
			h.title.Add(string(s.Text))
		}
	}
	return nil
}

func (h *header) start(s *markup.Scanner) {
	switch s.Name {
	case "sld":
		show := s.Attr("show")
		h.hidden = show == "0" || show == "false"
	case "Fallback", "extLst":
		s.Skip()
	case "sp", "graphicFrame":
		h.placeholder = ""
	case "ph":
		h.placeholder = s.Attr("type")
	case "br", "p":
		if h.inTitle() {
			h.title.Add(" ")
		}
	}
}

func (h *header) inTitle() bool { return h.placeholder == "title" || h.placeholder == "ctrTitle" }
