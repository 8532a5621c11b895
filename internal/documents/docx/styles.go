package docx

import (
	"cmp"

	"gander/internal/documents"
	"gander/internal/documents/markup"
	"gander/internal/documents/ooxml"
)

// A style has the properties that a style gives to paragraphs, or a paragraph to itself.
type style struct {
	heading int    // level from 1, bodyText for none, or 0 if it is not specified
	list    string // identifier of the list of its items, or "0"
	depth   int    // the depth of the item, from 0
	lister  string // identifier of the style that specifies the list, or ""
	based   string // identifier of the style that it is based on

	text documents.Style
}

// readText reads an element of a run or a style.
func readText(e *markup.Scanner, text *documents.Style) {
	switch e.Name {
	case "vertAlign":
		text.Script = ooxml.Scripts[e.Attr("val")]
	case "vanish":
		value := e.Attr("val")
		text.Hidden = value != "0" && value != "false"
	}
}

// bodyText is the level of paragraphs that are no headings, although their style is based on such a
// style.
const bodyText = 10

func (s style) isHeading() bool { return 0 < s.heading && s.heading < bodyText }

// isItem reports whether paragraphs are items of a list. A heading with a number is none.
func (s style) isItem() bool { return !s.isHeading() && s.list != "" && s.list != "0" }

// with returns the style, completed by the properties of another one.
func (s style) with(base style) style {
	s.heading = cmp.Or(s.heading, base.heading)
	if s.list == "" {
		s.list, s.depth, s.lister = base.list, max(s.depth, base.depth), base.lister
	}
	s.text = s.text.With(base.text)
	return s
}

// property reads an element of a paragraph or a style.
func (s *style) property(e *markup.Scanner) {
	switch e.Name {
	case "name":
		s.heading = documents.HeadingLevel(e.Attr("val"))
	case "basedOn":
		s.based = e.Attr("val")
	case "outlineLvl":
		s.heading = e.Number("val", bodyText-1) + 1
	case "numId":
		s.list = e.Attr("val")
	case "ilvl":
		s.depth = e.Number("val", maxListDepth)
	default:
		readText(e, &s.text)
	}
}

// readStyles returns the styles of paragraphs by their identifiers.
func readStyles(p *ooxml.Package, part string) map[string]style {
	styles := map[string]style{}
	id, current := "", style{}
	p.Scan(part, func(e *markup.Scanner) {
		isStart := e.Piece == markup.Start
		switch {
		case isStart && e.Name == "style":
			id, current = e.Attr("styleId"), style{}
		case isStart && (e.Name == "pPrChange" || e.Name == "rPrChange"):
			e.Skip()
		case isStart:
			current.property(e)
		case e.Piece == markup.End && e.Name == "style":
			if current.list != "" {
				current.lister = id
			}
			styles[id] = current
			p.Keep(len(id) + len(current.based) + len(current.list) + 48)
		}
	})
	return styles
}
