// Package pptx reads PPTX files, the presentations of PowerPoint.
package pptx

import (
	"gander/internal/documents"
	"gander/internal/documents/markup"
	"gander/internal/documents/ooxml"
)

// Format is the format PPTX.
var Format documents.Format = ooxml.Format{
	Title: "PPTX", Root: "presentation", Standard: "ppt/presentation.xml", Text: write,
}

// write writes the slides, their notes and their comments.
func write(_ *documents.Source, p *ooxml.Package) {
	relations := p.Relations(p.Main)
	d := &deck{Package: p, layouts: map[string]layout{}}
	d.ReadAuthors(relations)
	var parts []string // the slides in the order of presentation
	d.ScanStarts(d.Main, func(s *markup.Scanner) {
		if s.Name == "sldId" {
			parts = append(parts, relations.Target(s.Prefixed("id")))
			d.Keep(0)
		}
	})
	for i := p.Out.First() - 1; i < len(parts); i++ {
		mark := documents.Mark{Kind: documents.Slide, Number: i + 1, Total: len(parts)}
		d.writeSlide(parts[i], mark)
	}
}

// A deck is a presentation.
type deck struct {
	*ooxml.Package
	layouts map[string]layout // by their parts
}

// writeSlide writes a slide, its notes and its comments.
func (d *deck) writeSlide(part string, mark documents.Mark) {
	var header header
	d.Scan(part, header.piece)
	mark.Name, mark.Hidden = header.title.Text, header.hidden
	d.Out.Mark(mark)
	if !d.Has(part) {
		d.Out.Line([]byte("(this slide is missing in the file)"))
		return
	}
	relations := d.Relations(part)
	d.writeShapes(part, relations, mark.Name != "")
	d.writeNotes(relations.First("notesSlide"))
	d.WriteComments(relations)
}

// writeShapes writes the shapes of a slide. Their order is the one of reading.
func (d *deck) writeShapes(part string, relations *ooxml.Relations, isTitled bool) {
	layout := d.layout(relations.First("slideLayout"))
	at := documents.Position{}
	drawing := &ooxml.Drawing{
		Package: d.Package, Relations: relations,
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
			d.Out.Block(at)
		},
	}
	d.Out.StartBlocks()
	d.Scan(part, drawing.Piece)
	d.Out.EndBlocks()
}

// writeNotes writes the notes of a slide.
func (d *deck) writeNotes(part string) {
	if d.Missing(part) {
		d.Out.Line([]byte("(the notes of this slide are missing in the file)"))
	}
	begun := false
	drawing := &ooxml.Drawing{
		Package: d.Package, Relations: d.Relations(part),
		Omits: func(shape string) bool { return shape != "body" },
		Item:  func(string) bool { return false },
		Place: func(ooxml.Shape) {
			if !begun {
				begun = true
				d.Out.Line([]byte("notes:"))
			}
		},
	}
	d.Scan(part, drawing.Piece)
}

// A layout has the places of the placeholders of slides.
type layout map[placeholder]documents.Position

// A placeholder is known by its type and its index.
type placeholder struct{ kind, index string }

// layout returns the layout in a part.
func (d *deck) layout(part string) layout {
	if known, ok := d.layouts[part]; ok {
		return known
	}
	places := layout{}
	drawing := &ooxml.Drawing{Package: d.Package}
	d.Scan(part, func(s *markup.Scanner) {
		shape := drawing.Shape(s)
		if shape.HasPlace && (shape.Index != "" || shape.Kind != "") {
			places[placeholder{shape.Kind, shape.Index}] = shape.At
			d.Keep(len(shape.Kind) + len(shape.Index))
		}
	})
	d.layouts[part] = places
	return places
}

// A header reads the title of a slide, and whether it is hidden.
type header struct {
	title       documents.Title
	hidden      bool
	placeholder string // the placeholder that the current shape fills
}

func (h *header) piece(s *markup.Scanner) {
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
}

// isTitle reports whether a placeholder is for the title of a slide.
func isTitle(placeholder string) bool {
	return placeholder == "title" || placeholder == "ctrTitle"
}
