package ooxml

import (
	"bytes"
	"strings"

	"gander/internal/documents"
	"gander/internal/documents/formula"
	"gander/internal/documents/markup"
)

// A Drawing writes what is drawn on a slide or a sheet: the texts of shapes, tables, charts and
// diagrams.
type Drawing struct {
	*Package
	Relations *Relations // nil for a drawing in another one, which has no charts or diagrams

	// Omits reports whether the text of a shape is not written. A shape is the type of the
	// placeholder that it fills, or "text" or "picture".
	Omits func(shape string) bool
	Place func(s Shape)           // of the next shape, or nil
	Item  func(shape string) bool // whether the paragraphs of a shape are items of a list

	shape     Shape
	groups    int // around the shape
	paragraph paragraph
	counts    [maxLevel + 1]int    // numbered paragraphs by their levels
	kinds     [maxLevel + 1]string // of their numbers
	inline    documents.Inline
	formula   formula.Reader
}

// A Shape is a shape of a drawing.
type Shape struct {
	Kind        string             // see Drawing.Omits
	Index       string             // of the placeholder that it fills
	At          documents.Position // zero if the placeholder decides
	HasPlace    bool
	description string
	hidden      bool
	placed      bool // Place has been called for it, or its group has the place
}

// A paragraph is a paragraph while it is read.
type paragraph struct {
	level    int
	label    string // the bullet or the number of an item, or "" if the shape decides
	noBullet bool
}

const maxLevel = 8

// Piece writes a piece of a drawing.
func (d *Drawing) Piece(s *markup.Scanner) {
	if d.inline.Out == nil {
		d.inline.Out = d.write
	}
	if d.formula.Read(s, d.inline.Insert) {
		return
	}
	switch s.Piece {
	case markup.Start:
		d.start(s)
	case markup.End:
		d.end(s)
	case markup.Text:
		if s.Parent(0) == "t" && s.Parent(1) != "pt" {
			d.inline.Hide(d.shape.hidden)
			d.inline.Add(s.Text)
		}
	}
}

func (d *Drawing) start(s *markup.Scanner) {
	switch s.Name {
	case "Fallback", "extLst":
		s.Skip()
	case "grpSp":
		if d.groups == 0 {
			d.startShape("group")
		}
		d.groups++
	case "sp", "graphicFrame", "cxnSp":
		d.startShape("text")
	case "pic":
		d.startShape("picture")
	case "cNvPr":
		d.shape.description = s.Attr("descr")
		d.shape.hidden = IsTrue(s.Attr("hidden"))
	case "ph":
		d.shape.Index = s.Attr("idx")
		d.shape.Kind = s.Attr("type")
		if d.shape.Kind == "" || d.shape.Kind == "obj" {
			d.shape.Kind = "body"
		}
	case "off", "ext":
		d.readPlace(s)
	case "txBody":
		if d.Omits != nil && d.Omits(d.shape.Kind) {
			s.Skip()
		}
	case "p", "pPr", "buNone", "buChar", "buAutoNum", "r", "rPr", "hlinkClick", "br", "tab":
		d.text(s)
	case "tbl", "tr", "tc":
		d.table(s)
	default:
		d.object(s)
	}
}

// Shape reads a piece of a drawing without writing it, and returns the current shape.
func (d *Drawing) Shape(s *markup.Scanner) Shape {
	switch s.Piece {
	case markup.Start:
		switch s.Name {
		case "grpSp", "sp", "graphicFrame", "cxnSp", "pic", "ph", "off", "ext":
			d.start(s)
		}
	case markup.End:
		if s.Name == "grpSp" {
			d.groups--
		}
	}
	return d.shape
}

func (d *Drawing) startShape(kind string) {
	if d.groups > 0 { // the place is the one of the group
		d.place()
	}
	d.shape = Shape{Kind: kind, placed: d.groups > 0}
}

// readPlace reads the place of a shape or of a group.
func (d *Drawing) readPlace(s *markup.Scanner) {
	if s.Parent(0) != "xfrm" || d.shape.placed {
		return
	}
	if s.Name == "off" {
		d.shape.HasPlace = true
		d.shape.At.Top, d.shape.At.Left = s.Integer("y", 0), s.Integer("x", 0)
	} else {
		d.shape.At.Height = s.Integer("cy", 0)
	}
}

// text reads an element of a paragraph.
func (d *Drawing) text(s *markup.Scanner) {
	p := &d.paragraph
	switch s.Name {
	case "p":
		*p = paragraph{}
		d.inline.Raise(0)
	case "pPr":
		p.level = s.Number("lvl", maxLevel)
	case "buNone":
		p.noBullet = true
	case "buChar":
		p.label = documents.Bullet
	case "buAutoNum":
		p.label = d.number(s)
	case "r":
		d.inline.Raise(0)
	case "rPr":
		d.inline.Raise(0)
		switch baseline := s.Attr("baseline"); {
		case strings.HasPrefix(baseline, "-"):
			d.inline.Raise('_')
		case strings.Trim(baseline, "0%") != "":
			d.inline.Raise('^')
		}
	case "hlinkClick":
		if d.Relations != nil && s.Parent(0) == "rPr" {
			d.inline.StartLink(d.Relations.Link(s.Prefixed("id")))
		}
	case "br", "tab":
		if s.Parent(0) == "p" || s.Parent(0) == "r" {
			d.inline.Insert([]byte{' '})
		}
	}
}

// number counts a numbered paragraph, and returns its number.
func (d *Drawing) number(s *markup.Scanner) string {
	level := d.paragraph.level
	kind := s.Attr("type")
	if d.counts[level] == 0 || d.kinds[level] != kind {
		d.counts[level], d.kinds[level] = max(s.Number("startAt", 1<<15)-1, 0), kind
	}
	d.counts[level]++
	clear(d.counts[level+1:])
	n := documents.Numbering{Numbered: true, Next: d.counts[level]}
	for prefix, style := range map[string]string{
		"alphaLc": "a", "alphaUc": "A", "romanLc": "i", "romanUc": "I",
	} {
		if strings.HasPrefix(kind, prefix) {
			n.Style = style
		}
	}
	switch {
	case strings.HasSuffix(kind, "ParenBoth"):
		n.Before, n.After = "(", ")"
	case strings.HasSuffix(kind, "ParenR"):
		n.After = ")"
	case strings.HasSuffix(kind, "Period"):
		n.After = "."
	}
	return n.Label()
}

// table reads an element of a table. A merged cell has cells without text beside or below it.
func (d *Drawing) table(s *markup.Scanner) {
	d.inline.Raise(0)
	switch s.Name {
	case "tbl":
		d.place()
		d.Out.StartTable()
	case "tr":
		d.Out.Row()
	case "tc":
		d.Out.Cell()
		d.Out.Span(s.Number("gridSpan", documents.MaxSpan), s.Number("rowSpan", documents.MaxSpan))
	}
}

// object writes something that is not text.
func (d *Drawing) object(s *markup.Scanner) {
	switch s.Name {
	case "blip":
		if s.Parent(1) == "pic" {
			d.placeholder("image")
		}
	case "oleObj":
		d.placeholder("object")
	case "chart", "relIds":
		what, part := d.Graphic(d.Relations, s)
		if part == "" {
			d.placeholder(what)
			return
		}
		d.place()
		d.WriteGraphic(part, what, d.shape.description)
	}
}

func (d *Drawing) placeholder(what string) {
	if d.Omits != nil && d.Omits(what) {
		return
	}
	d.place()
	d.Out.Break()
	d.Out.Text(documents.Placeholder(what, d.shape.description))
	d.Out.Break()
}

func (d *Drawing) end(s *markup.Scanner) {
	switch s.Name {
	case "grpSp":
		d.groups--
	case "txBody":
		clear(d.counts[:])
	case "r":
		d.inline.EndLink()
	case "p":
		if d.paragraph.label == "" || d.paragraph.label == documents.Bullet {
			d.counts[d.paragraph.level] = 0
		}
		d.inline.End()
		d.Out.Break()
	case "tbl":
		d.Out.EndTable()
	}
}

// place calls Place for a shape before its first text.
func (d *Drawing) place() {
	if !d.shape.placed {
		d.shape.placed = true
		if d.Place != nil {
			d.Place(d.shape)
		}
	}
}

// write writes text of the current paragraph or cell.
func (d *Drawing) write(b []byte) {
	if len(bytes.TrimSpace(b)) > 0 {
		d.place()
	}
	if d.Out.Blank() && d.Out.Tables() == 0 {
		p := d.paragraph
		switch {
		case p.label != "":
			d.Out.Item(p.level, p.label)
		case !p.noBullet && (d.Item == nil || d.Item(d.shape.Kind) || p.level > 0):
			d.Out.Item(p.level, documents.Bullet)
		}
	}
	d.Out.Text(b)
}

// Graphic returns what the element chart or relIds stands for, a chart or a diagram, and its part,
// or "" if the package does not have it. The relations can be nil.
func (p *Package) Graphic(relations *Relations, s *markup.Scanner) (what, part string) {
	what, id := "chart", s.Prefixed("id")
	if s.Name == "relIds" {
		what, id = "diagram", s.Prefixed("dm")
	}
	if relations == nil || !p.Has(relations.Target(id)) {
		return what, ""
	}
	return what, relations.Target(id)
}

// WriteGraphic writes a chart, or the texts of a diagram, after a description, on lines of its own.
func (p *Package) WriteGraphic(part, what, description string) {
	p.Out.Break()
	if what == "chart" {
		p.writeChart(part, description)
		return
	}
	p.Out.Text(documents.Placeholder(what, description))
	p.Out.Break()
	p.Scan(part, (&Drawing{Package: p}).Piece)
}
