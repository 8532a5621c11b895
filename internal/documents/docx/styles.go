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
	depth   int    // the depth of the item, from 0
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
		s.list, s.depth = base.list, max(s.depth, base.depth)
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
		s.depth = e.Number("val", maxDepth)
	}
}

// maxDepth is the maximum depth of an item of a list.
const maxDepth = 8

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

// A numbering says how the items of a list at some depth are numbered.
type numbering struct {
	numbered bool
	first    int
}

// A list is the list to which paragraphs belong as items.
type list struct {
	byDepth [maxDepth + 1]numbering // how items are numbered
	counted *list                   // with which list the items are counted: an abstract one, or this one
}

// A listReader reads lists by their identifiers. A list is numbered as an abstract one, which precedes it,
// and counted together with the other lists of that, except for what it says itself.
type listReader struct {
	p               *ooxml.Package
	abstract, lists map[string]*list
	current         *list // the last one
	depth           int   // the last one
}

// readLists returns the lists by their identifiers.
func readLists(p *ooxml.Package, part string) (map[string]*list, error) {
	r := &listReader{
		p:        p,
		abstract: map[string]*list{},
		lists:    map[string]*list{},
		current:  new(list),
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
		if abstract := r.abstract[e.Attr("val")]; abstract != nil {
			*r.current = *abstract
		}
	case "lvlOverride":
		r.depth = e.Number("ilvl", maxDepth)
		r.current.counted = r.current
	case "lvl":
		r.depth = e.Number("ilvl", maxDepth)
	case "start", "startOverride":
		r.current.byDepth[r.depth].first = e.Number("val", 1<<30)
	case "numFmt":
		format := e.Attr("val")
		r.current.byDepth[r.depth].numbered = format != "bullet" && format != "none"
	}
	return nil
}

// add adds a list, which is the current one then.
func (r *listReader) add(lists map[string]*list, id string) error {
	const size = 8 + 16*(maxDepth+1)
	r.current = new(list)
	r.current.counted = r.current
	lists[id] = r.current
	return r.p.Keep(len(id) + size)
}
