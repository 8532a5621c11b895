package docx

import (
	"cmp"
	"strconv"
	"strings"

	"gander/internal/documents/markup"
	"gander/internal/documents/ooxml"
)

// A style is what a style says about paragraphs, or a paragraph about itself.
type style struct {
	heading int    // level from 1, bodyText for none, or 0 if it is not specified
	list    string // identifier of the list of its items, or "0"
	indent  int    // level of the item
	based   string // identifier of the style that it is based on
}

// bodyText says that paragraphs are no headings, where their style is based on that of headings.
const bodyText = 10

func (s style) isHeading() bool { return 0 < s.heading && s.heading < bodyText }

// isItem reports whether paragraphs are items of a list. A heading with a number is none.
func (s style) isItem() bool { return !s.isHeading() && s.list != "" && s.list != "0" }

// with returns the style, and what another one says where it says nothing.
func (s style) with(base style) style {
	s.heading = cmp.Or(s.heading, base.heading)
	if s.list == "" {
		s.list, s.indent = base.list, max(s.indent, base.indent)
	}
	return s
}

// property reads an element of a paragraph or a style.
func (s *style) property(e *markup.Scanner) {
	switch e.Name {
	case "name":
		s.heading = headingOf(e.Attr("val"))
	case "basedOn":
		s.based = e.Attr("val")
	case "outlineLvl":
		s.heading = e.Number("val", bodyText-1) + 1
	case "numId":
		s.list = e.Attr("val")
	case "ilvl":
		s.indent = e.Number("val", maxLevel)
	}
}

const maxLevel = 8

// A styleReader reads the styles of paragraphs by their identifiers.
type styleReader struct {
	p       *ooxml.Package
	styles  map[string]style
	id      string // the ID of the style being read
	current style
}

// readStyles returns the styles of paragraphs by their identifiers.
func readStyles(p *ooxml.Package, part string) (map[string]style, error) {
	r := &styleReader{p: p, styles: map[string]style{}}
	err := p.Scan(part, r.piece)
	return r.styles, err
}

func (r *styleReader) piece(e *markup.Scanner) error {
	switch e.Piece {
	case markup.Start:
		r.start(e)
	case markup.End:
		if e.Name == "style" {
			r.styles[r.id] = r.current
			return r.p.Keep(len(r.id) + len(r.current.based) + len(r.current.list))
		}
	}
	return nil
}

func (r *styleReader) start(e *markup.Scanner) {
	switch e.Name {
	case "style":
		r.id, r.current = e.Attr("styleId"), style{}
	case "pPrChange", "rPrChange":
		e.Skip()
	default:
		r.current.property(e)
	}
}

// headingOf returns the level of the headings that have a style, by its name in Word.
func headingOf(name string) int {
	name = strings.ToLower(name)
	if name == "title" {
		return 1
	}
	level, ok := strings.CutPrefix(name, "heading ")
	n, err := strconv.Atoi(level)
	if !ok || err != nil || n < 1 {
		return 0
	}
	return min(n, 9)
}

// A numbering says how the items of a level of a list are numbered.
type numbering struct {
	numbered bool
	first    int
}

// levels is the numbering of a list, by the levels of its items.
type levels [maxLevel + 1]numbering

// A listReader reads the numbering of lists by their identifiers. A list is numbered as an abstract
// one, which precedes it, except for what it says itself.
type listReader struct {
	p               *ooxml.Package
	abstract, lists map[string]*levels
	current         *levels // the levels of the last list
	indent          int     // the last level
}

// readLists returns the numbering of the levels of lists.
func readLists(p *ooxml.Package, part string) (map[string]*levels, error) {
	r := &listReader{
		p:        p,
		abstract: map[string]*levels{},
		lists:    map[string]*levels{},
		current:  new(levels),
	}
	err := p.ScanStarts(part, r.start)
	return r.lists, err
}

func (r *listReader) start(e *markup.Scanner) error {
	switch e.Name {
	case "abstractNum":
		return r.add(r.abstract, e.Attr("abstractNumId"))
	case "num":
		return r.add(r.lists, e.Attr("numId"))
	case "abstractNumId":
		if levels := r.abstract[e.Attr("val")]; levels != nil {
			*r.current = *levels
		}
	case "lvl", "lvlOverride":
		r.indent = e.Number("ilvl", maxLevel)
	case "start", "startOverride":
		r.current[r.indent].first = e.Number("val", 1<<30)
	case "numFmt":
		format := e.Attr("val")
		r.current[r.indent].numbered = format != "bullet" && format != "none"
	}
	return nil
}

// add adds a list, which is the current one then.
func (r *listReader) add(lists map[string]*levels, id string) error {
	const size = 16 * (maxLevel + 1)
	r.current = new(levels)
	lists[id] = r.current
	return r.p.Keep(len(id) + size)
}
