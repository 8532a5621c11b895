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

// Write implements [documents.Format]. It writes the slides, their notes and their comments.
func (f format) Write(ctx context.Context, src *documents.Source, w *documents.Writer) error {
	p, err := f.Open(ctx, src)
	if err != nil {
		return err
	}
	relations, err := p.Relations(p.Main)
	if err != nil {
		return err
	}
	d := &deck{Package: p, out: w, layouts: map[string]layout{}}
	d.authors, err = d.ReadAuthors(relations)
	if err != nil {
		return err
	}
	var parts []string // the slides in the order of presentation
	err = d.ScanStarts(d.Main, func(s *markup.Scanner) error {
		if s.Name == "sldId" {
			parts = append(parts, relations.Target(s.Prefixed("id")))
			return d.Keep(0)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i := w.First() - 1; i < len(parts); i++ {
		mark := documents.Mark{Kind: documents.Slide, Number: i + 1, Total: len(parts)}
		err := d.writeSlide(parts[i], mark)
		if err != nil {
			return err
		}
	}
	return nil
}

// A deck is a presentation.
type deck struct {
	*ooxml.Package
	out     *documents.Writer
	layouts map[string]layout // by their parts
	authors ooxml.Authors     // of comments
}

// writeSlide writes a slide, its notes and its comments.
func (d *deck) writeSlide(part string, mark documents.Mark) error {
	var header header
	err := d.Scan(part, header.piece)
	if err != nil {
		return err
	}
	mark.Name, mark.Hidden = header.title.Text, header.hidden
	d.out.Mark(mark)
	if !d.Has(part) {
		d.out.Line([]byte("(this slide is missing in the file)"))
		return nil
	}
	relations, err := d.Relations(part)
	if err != nil {
		return err
	}
	err = d.writeShapes(part, relations, mark.Name != "")
	if err != nil {
		return err
	}
	err = d.writeNotes(relations.First("notesSlide"))
	if err != nil {
		return err
	}
	return d.WriteComments(d.out, relations, d.authors)
}

// writeShapes writes the shapes of a slide. Their order is the one of reading.
func (d *deck) writeShapes(part string, relations *ooxml.Relations, isTitled bool) error {
	layout, err := d.layout(relations.First("slideLayout"))
	if err != nil {
		return err
	}
	at := documents.Position{}
	drawing := &ooxml.Drawing{
		Out: d.out, Package: d.Package, Relations: relations,
		Omits: func(shape string) bool {
			return shape == "sldNum" || isTitled && isTitle(shape)
		},
		Item: func(shape string) bool { return shape == "body" },
		Place: func(s ooxml.Shape) {
			if s.HasPlace {
				at = s.At
			} else if place, ok := layout[placeholder{s.Kind, s.Index}]; ok {
				at = place
			}
			d.out.Block(at)
		},
	}
	d.out.StartBlocks()
	err = d.Scan(part, drawing.Piece)
	d.out.EndBlocks()
	return err
}

// writeNotes writes the notes of a slide.
func (d *deck) writeNotes(part string) error {
	if d.Missing(part) {
		d.out.Line([]byte("(the notes of this slide are missing in the file)"))
	}
	relations, err := d.Relations(part)
	if err != nil {
		return err
	}
	begun := false
	drawing := &ooxml.Drawing{
		Out: d.out, Package: d.Package, Relations: relations,
		Omits: func(shape string) bool { return shape != "body" },
		Item:  func(string) bool { return false },
		Place: func(ooxml.Shape) {
			if !begun {
				begun = true
				d.out.Line([]byte("notes:"))
			}
		},
	}
	return d.Scan(part, drawing.Piece)
}

// A layout has the places of the placeholders of slides.
type layout map[placeholder]documents.Position

// A placeholder is known by its type and its index.
type placeholder struct{ kind, index string }

// layout returns the layout in a part.
func (d *deck) layout(part string) (layout, error) {
	if known, ok := d.layouts[part]; ok {
		return known, nil
	}
	places := layout{}
	drawing := &ooxml.Drawing{Out: new(documents.Writer), Package: d.Package}
	err := d.Scan(part, func(s *markup.Scanner) error {
		shape := drawing.Shape(s)
		if !shape.HasPlace || shape.Index == "" && shape.Kind == "" {
			return nil
		}
		places[placeholder{shape.Kind, shape.Index}] = shape.At
		return d.Keep(len(shape.Kind) + len(shape.Index))
	})
	d.layouts[part] = places
	return places, err
}

// A header reads the title of a slide, and whether it is hidden.
type header struct {
	title       documents.Title
	hidden      bool
	placeholder string // the placeholder that the current shape fills
}

func (h *header) piece(s *markup.Scanner) error {
	inTitle := isTitle(h.placeholder)
	switch {
	case s.Piece == markup.Text:
		if inTitle && s.Parent(0) == "t" {
			h.title.Add(string(s.Text))
		}
	case s.Piece == markup.End:
	case s.Name == "sld":
		h.hidden = s.Attr("show") == "0" || s.Attr("show") == "false"
	case s.Name == "Fallback", s.Name == "extLst":
		s.Skip()
	case s.Name == "sp", s.Name == "graphicFrame":
		h.placeholder = ""
	case s.Name == "ph":
		h.placeholder = s.Attr("type")
	case inTitle && (s.Name == "br" || s.Name == "p"):
		h.title.Add(" ")
	}
	return nil
}

// isTitle reports whether a placeholder is for the title of a slide.
func isTitle(placeholder string) bool {
	return placeholder == "title" || placeholder == "ctrTitle"
}
