package odf

import (
	"slices"
	"strings"

	"gander/internal/documents"
	"gander/internal/documents/markup"
)

// An overview has the properties of a document that must be known before its text is written.
type overview struct {
	parents map[string]string          // the parents of styles
	hidden  map[string]bool            // styles of sheets and slides that are not shown
	lists   map[string]*listLevels     // how lists are numbered, by their styles
	outline listLevels                 // how headings are numbered
	texts   map[string]documents.Style // what the styles of texts mean
	titles  []documents.Title          // the titles of the slides

	format     format
	archive    *markup.Archive
	style      string // the current one
	inTitle    int    // shapes around the text, from the shape of a title on
	paragraphs int    // around the text
}

func newOverview(f format, a *markup.Archive) *overview {
	return &overview{
		parents: map[string]string{}, hidden: map[string]bool{}, lists: map[string]*listLevels{},
		texts: map[string]documents.Style{}, format: f, archive: a,
	}
}

func (o *overview) piece(s *markup.Scanner) {
	switch s.Piece {
	case markup.Start:
		o.start(s)
	case markup.End:
		switch {
		case s.Name == "p" || s.Name == "h":
			o.paragraphs--
		case shapes[s.Name] && o.inTitle > 0:
			o.inTitle--
		}
	case markup.Text:
		if o.paragraphs > 0 && !isAside(s) {
			o.addTitle(string(s.Text))
		}
	}
}

func (o *overview) start(s *markup.Scanner) {
	switch s.Name {
	case "style":
		o.style = s.Attr("name")
		parent := s.Attr("parent-style-name")
		o.parents[o.style] = parent
		o.archive.Keep(len(o.style) + len(parent))
	case "list-style":
		const size = 72 * (maxListLevel + 1)
		o.style = s.Attr("name")
		o.lists[o.style] = new(listLevels)
		o.archive.Keep(len(o.style) + size)
	case "table-properties", "drawing-page-properties":
		if s.Attr("display") == "false" || s.Attr("visibility") == "hidden" {
			o.hidden[o.style] = true
		}
	case "text-properties":
		o.readText(s)
	case "list-level-style-number":
		if levels := o.lists[o.style]; levels != nil {
			levels[s.Number("level", maxListLevel)] = levelOf(s)
		}
	case "outline-level-style":
		o.outline[s.Number("level", maxListLevel)] = levelOf(s)
	case "notes", "annotation":
		s.Skip()
	case "body":
		if o.format != Presentation { // nothing else is needed
			s.Stop()
		}
	case "page":
		o.titles, o.inTitle = append(o.titles, documents.Title{}), 0
		o.archive.Keep(documents.MaxTitle)
	case "p", "h":
		o.paragraphs++
		o.addTitle(" ")
	case "line-break", "s", "tab":
		o.addTitle(" ")
	default:
		isInTitle := o.inTitle > 0 || s.Attr("class") == "title"
		switch {
		case omitted[s.Name]:
			s.Skip()
		case shapes[s.Name] && isInTitle:
			o.inTitle++
		}
	}
}

// addTitle adds text to the title of the current slide, if it is part of that.
func (o *overview) addTitle(text string) {
	if n := len(o.titles); n > 0 && o.inTitle > 0 {
		o.titles[n-1].Add(text)
	}
}

// readText reads what the style of a text means.
func (o *overview) readText(s *markup.Scanner) {
	r := documents.Style{Hidden: s.Attr("display") == "none"}
	position, _, _ := strings.Cut(s.Attr("text-position"), " ") // then the size
	switch {
	case position == "sub", strings.HasPrefix(position, "-"):
		r.Script = '_'
	case strings.Trim(position, "0%") != "":
		r.Script = '^'
	}
	if r != (documents.Style{}) {
		o.texts[o.style] = r
		o.archive.Keep(len(o.style))
	}
}

// inherited returns a style and those that it is based on.
func (o *overview) inherited(style string) []string {
	var styles []string
	for style != "" && len(styles) < 16 { // styles can be based on each other in a circle
		styles = append(styles, style)
		style = o.parents[style]
	}
	return styles
}

// text returns what a style of a text means, with what it inherits.
func (o *overview) text(style string) documents.Style {
	var text documents.Style
	for _, style := range o.inherited(style) {
		text = text.With(o.texts[style])
	}
	return text
}

// isTitle reports whether a style is the style of the title of a text, or based on it.
func (o *overview) isTitle(style string) bool {
	return slices.Contains(o.inherited(style), "Title")
}

// shapes are the shapes of a slide, which can contain text.
var shapes = map[string]bool{
	"frame": true, "custom-shape": true, "rect": true, "circle": true, "ellipse": true,
	"polygon": true, "regular-polygon": true, "polyline": true, "path": true, "line": true,
	"connector": true, "measure": true, "caption": true,
}

// omitted are the elements that are not part of the text.
var omitted = map[string]bool{
	"note-citation": true, "ruby-text": true, "creator-initials": true, "sender-initials": true,
	"binary-data": true, "script": true,
}

// isAside reports whether text is not part of the paragraph around it: it is the title or the
// description of a frame, unless that is the name of a field, or is between the parts of an
// annotation.
func isAside(s *markup.Scanner) bool {
	switch s.Parent(1) { // other elements in a paragraph are fields
	case "p", "h", "span", "a":
		return false
	}
	switch s.Parent(0) {
	case "title", "desc", "annotation":
		return true
	}
	return false
}
