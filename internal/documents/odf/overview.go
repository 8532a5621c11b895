package odf

import (
	"gander/internal/documents"
	"gander/internal/documents/markup"
)

// A styles is what must be known about a document before its text is written.
type styles struct {
	parents map[string]string // of styles
	hidden  map[string]bool   // styles of sheets and slides that are not shown
	numbers map[level]int     // the first numbers of the levels of lists that have numbers
	titles  []documents.Title // of the slides

	presentation bool
	archive      *markup.Archive
	style        string // the current one
	class        string // of the current frame
}

// A level is a level of a list style, from 1.
type level struct {
	style string
	depth int
}

func newStyles(f format, a *markup.Archive) *styles {
	return &styles{
		parents:      map[string]string{},
		hidden:       map[string]bool{},
		numbers:      map[level]int{},
		presentation: f == Presentation,
		archive:      a,
	}
}

func (t *styles) piece(s *markup.Scanner) error {
	switch s.Kind {
	case markup.Start:
		return t.start(s)
	case markup.Text:
		if t.class == "title" && (s.Parent(0) == "p" || s.Parent(0) == "span") {
			t.addTitle(string(s.Text))
		}
	}
	return nil
}

func (t *styles) start(s *markup.Scanner) error {
	switch s.Name {
	case "style":
		t.style = s.Attr("name")
		parent := s.Attr("parent-style-name")
		t.parents[t.style] = parent
		return t.archive.Keep(len(t.style) + len(parent))
	case "list-style":
		t.style = s.Attr("name")
		return t.archive.Keep(len(t.style))
	case "table-properties":
		if s.Attr("display") == "false" {
			t.hidden[t.style] = true
		}
	case "drawing-page-properties":
		if s.Attr("visibility") == "hidden" {
			t.hidden[t.style] = true
		}
	case "list-level-style-number":
		at := level{t.style, s.Number("level", maxDepth)}
		t.numbers[at] = max(1, s.Number("start-value", 1<<30))
		return t.archive.Keep(len(t.style))
	case "notes", "annotation":
		s.Skip()
	case "page":
		if t.presentation {
			t.titles, t.class = append(t.titles, documents.Title{}), ""
			return t.archive.Keep(documents.MaxTitle)
		}
	case "frame", "custom-shape", "rect", "circle", "ellipse", "polygon", "polyline", "path", "connector":
		t.class = s.Attr("class")
	case "p", "line-break", "s":
		if t.class == "title" {
			t.addTitle(" ")
		}
	}
	return nil
}

// maxDepth is the maximum number of levels of a list that are told apart.
const maxDepth = 10

// addTitle adds text to the title of the current slide.
func (t *styles) addTitle(text string) {
	if n := len(t.titles); n > 0 {
		t.titles[n-1].Add(text)
	}
}

// isTitle reports whether a style is that of the title of a text, or based on it.
func (t *styles) isTitle(style string) bool {
	for range 16 { // styles can be based on each other in a circle
		if style == "Title" {
			return true
		}
		style = t.parents[style]
	}
	return false
}
