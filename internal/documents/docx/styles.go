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
	heading int    // level from 1, or 0
	list    string // identifier of the list of its items, or "0"
	indent  int    // level of the item
	based   string // identifier of the style that it is based on
}

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
		if n := e.Number("val", 9); n < 9 { // 9 is text
			s.heading = n + 1
		}
	case "numId":
		s.list = e.Attr("val")
	case "ilvl":
		s.indent = e.Number("val", maxLevel)
	}
}

const maxLevel = 8

// readStyles returns the styles of paragraphs by their identifiers.
func readStyles(p *ooxml.Package, part string) (map[string]style, error) {
	styles := map[string]style{}
	var id string
	var current style
	err := p.Scan(part, func(e *markup.Scanner) error {
		isStyle := e.Name == "style"
		switch {
		case e.Kind == markup.Start && isStyle:
			id, current = e.Attr("styleId"), style{}
		case e.Kind == markup.Start && (e.Name == "pPrChange" || e.Name == "rPrChange"):
			e.Skip()
		case e.Kind == markup.Start:
			current.property(e)
		case e.Kind == markup.End && isStyle:
			styles[id] = current
			return p.Keep(len(id) + len(current.based) + len(current.list))
		}
		return nil
	})
	return styles, err
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

// A level is a level of a list.
type level struct {
	list   string
	indent int
}

// A numbering says how the items of a level are numbered.
type numbering struct {
	numbered bool
	first    int
}

// readLists returns the numbering of the levels of lists.
func readLists(p *ooxml.Package, part string) (map[level]numbering, error) {
	abstract, lists := map[level]numbering{}, map[level]numbering{}
	var at level // in an abstract list, then in a list
	current := abstract
	err := p.ScanStarts(part, func(e *markup.Scanner) error {
		entry := current[at]
		switch e.Name {
		case "abstractNum":
			at.list = e.Attr("abstractNumId")
			return nil
		case "num":
			at.list, current = e.Attr("numId"), lists
			return nil
		case "lvl", "lvlOverride":
			at.indent = e.Number("ilvl", maxLevel)
			return nil
		case "start", "startOverride":
			entry.first = e.Number("val", 1<<30)
		case "numFmt":
			format := e.Attr("val")
			entry.numbered = format != "bullet" && format != "none"
		case "abstractNumId":
			for i := range maxLevel + 1 {
				if n, ok := abstract[level{e.Attr("val"), i}]; ok {
					lists[level{at.list, i}] = n
				}
			}
			return p.Keep((maxLevel + 1) * (len(at.list) + 64))
		default:
			return nil
		}
		current[at] = entry
		return p.Keep(len(at.list))
	})
	return lists, err
}
