package odf

import (
	"io"

	"gander/internal/documents"
	"gander/internal/documents/markup"
)

// An overview is what must be known about a document before its text is written.
type overview struct {
	parents map[string]string  // the parents of styles
	hidden  map[string]bool    // styles of sheets and slides that are not shown
	numbers map[string]*levels // the levels of styles of lists
	titles  []documents.Title  // the titles of the slides

	format  format
	archive *markup.Archive
	style   string // the current one
	class   string // the class of the current frame
}

// levels are the first numbers of the levels of a list, from 1, or 0 for those without numbers.
type levels [maxDepth + 1]int

func newOverview(f format, a *markup.Archive) *overview {
	return &overview{
		parents: map[string]string{},
		hidden:  map[string]bool{},
		numbers: map[string]*levels{},
		format:  f,
		archive: a,
	}
}

func (o *overview) piece(s *markup.Scanner) error {
	switch s.Kind {
	case markup.Start:
		return o.start(s)
	case markup.Text:
		if o.class == "title" && (s.Parent(0) == "p" || s.Parent(0) == "span") {
			o.addTitle(string(s.Text))
		}
	}
	return nil
}

func (o *overview) start(s *markup.Scanner) error {
	switch s.Name {
	case "style":
		o.style = s.Attr("name")
		parent := s.Attr("parent-style-name")
		o.parents[o.style] = parent
		return o.archive.Keep(len(o.style) + len(parent))
	case "list-style":
		const size = 8 * (maxDepth + 1)
		o.style = s.Attr("name")
		o.numbers[o.style] = new(levels)
		return o.archive.Keep(len(o.style) + size)
	case "table-properties":
		if s.Attr("display") == "false" {
			o.hidden[o.style] = true
		}
	case "drawing-page-properties":
		if s.Attr("visibility") == "hidden" {
			o.hidden[o.style] = true
		}
	case "list-level-style-number":
		if levels := o.numbers[o.style]; levels != nil {
			levels[s.Number("level", maxDepth)] = max(1, s.Number("start-value", 1<<30))
		}
	case "notes", "annotation":
		s.Skip()
	case "body":
		if o.format != Presentation { // nothing else is needed
			return io.EOF
		}
	case "page":
		o.titles, o.class = append(o.titles, documents.Title{}), ""
		return o.archive.Keep(documents.MaxTitle)
	case "frame", "custom-shape", "rect", "circle", "ellipse", "polygon", "polyline", "path", "connector":
		o.class = s.Attr("class")
	case "p", "line-break", "s":
		if o.class == "title" {
			o.addTitle(" ")
		}
	}
	return nil
}

// maxDepth is the maximum number of levels of a list that are told apart.
const maxDepth = 10

// addTitle adds text to the title of the current slide.
func (o *overview) addTitle(text string) {
	if n := len(o.titles); n > 0 {
		o.titles[n-1].Add(text)
	}
}

// isTitle reports whether a style is that of the title of a text, or based on it.
func (o *overview) isTitle(style string) bool {
	for range 16 { // styles can be based on each other in a circle
		if style == "Title" {
			return true
		}
		style = o.parents[style]
	}
	return false
}
