package odf

import (
	"cmp"
	"io"
	"strings"

	"gander/internal/documents"
	"gander/internal/documents/markup"
)

// An overview has the properties of a document that must be known before its text is written.
type overview struct {
	parents map[string]string      // the parents of styles
	hidden  map[string]bool        // styles of sheets and slides that are not shown
	lists   map[string]*listLevels // how lists are numbered, by their styles
	outline listLevels             // how headings are numbered
	texts   map[string]run         // what the styles of texts mean
	titles  []documents.Title      // the titles of the slides

	format     format
	archive    *markup.Archive
	style      string // the current one
	inTitle    int    // shapes around the text, from the shape of a title on
	paragraphs int    // around the text
}

// The listLevels of a list say how the items of its levels, from 1, are numbered.
type listLevels [maxListLevel + 1]listLevel

// A listLevel says how the items of a level are numbered, and how many levels their labels show.
type listLevel struct {
	documents.Numbering
	shown int
}

// A run has the properties of text.
type run struct {
	script byte // as for documents.Inline
	hidden bool
}

func newOverview(f format, a *markup.Archive) *overview {
	return &overview{
		parents: map[string]string{},
		hidden:  map[string]bool{},
		lists:   map[string]*listLevels{},
		texts:   map[string]run{},
		format:  f,
		archive: a,
	}
}

func (o *overview) piece(s *markup.Scanner) error {
	switch s.Piece {
	case markup.Start:
		return o.start(s)
	case markup.End:
		o.end(s.Name)
	case markup.Text:
		if o.paragraphs > 0 && !isAside(s) {
			o.addTitle(string(s.Text))
		}
	}
	return nil
}

func (o *overview) end(name string) {
	switch {
	case isParagraph(name):
		o.paragraphs--
	case isShape(name) && o.inTitle > 0:
		o.inTitle--
	}
}

func (o *overview) start(s *markup.Scanner) error {
	if isOmitted(s.Name) {
		s.Skip()
		return nil
	}
	switch s.Name {
	case "style":
		o.style = s.Attr("name")
		parent := s.Attr("parent-style-name")
		o.parents[o.style] = parent
		return o.archive.Keep(len(o.style) + len(parent))
	case "list-style":
		const size = 72 * (maxListLevel + 1)
		o.style = s.Attr("name")
		o.lists[o.style] = new(listLevels)
		return o.archive.Keep(len(o.style) + size)
	case "table-properties":
		if s.Attr("display") == "false" {
			o.hidden[o.style] = true
		}
	case "drawing-page-properties":
		if s.Attr("visibility") == "hidden" {
			o.hidden[o.style] = true
		}
	case "text-properties":
		return o.readText(s)
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
			return io.EOF
		}
	case "page":
		o.titles, o.inTitle = append(o.titles, documents.Title{}), 0
		return o.archive.Keep(documents.MaxTitle)
	case "p", "h":
		o.paragraphs++
		o.addTitle(" ")
	case "line-break", "s", "tab":
		o.addTitle(" ")
	default:
		o.startShape(s)
	}
	return nil
}

func (o *overview) startShape(s *markup.Scanner) {
	if !isShape(s.Name) {
		return
	}
	if o.inTitle > 0 || s.Attr("class") == "title" {
		o.inTitle++
	}
}

// readText reads what the style of a text means.
func (o *overview) readText(s *markup.Scanner) error {
	var r run
	position := strings.TrimLeft(s.Attr("text-position"), "0% ")
	switch {
	case strings.HasPrefix(position, "sub"), strings.HasPrefix(position, "-"):
		r.script = '_'
	case position != "" && !strings.HasPrefix(s.Attr("text-position"), "0"):
		r.script = '^'
	}
	r.hidden = s.Attr("display") == "none"
	if r == (run{}) {
		return nil
	}
	o.texts[o.style] = r
	return o.archive.Keep(len(o.style))
}

// text returns what a style of a text means, with what it inherits.
func (o *overview) text(style string) run {
	var r run
	for range 16 { // styles can be based on each other in a circle
		own := o.texts[style]
		r.script = cmp.Or(r.script, own.script)
		r.hidden = r.hidden || own.hidden
		style = o.parents[style]
		if style == "" {
			break
		}
	}
	return r
}

// levelOf returns how a level of a list is numbered. Its format can show no number.
func levelOf(s *markup.Scanner) listLevel {
	return listLevel{numberingOf(s), max(s.Number("display-levels", maxListLevel), 1)}
}

func numberingOf(s *markup.Scanner) documents.Numbering {
	style := s.Attr("num-format")
	return documents.Numbering{
		Numbered: style != "", Next: s.Integer("start-value", 1), Style: style,
		Before: documents.Name(s.Attr("num-prefix")), After: documents.Name(s.Attr("num-suffix")),
	}
}

// maxListLevel is the maximum number of levels of a list that are told apart.
const maxListLevel = 10

// addTitle adds text to the title of the current slide, if it is part of that.
func (o *overview) addTitle(text string) {
	if n := len(o.titles); n > 0 && o.inTitle > 0 {
		o.titles[n-1].Add(text)
	}
}

// isTitle reports whether a style is the style of the title of a text, or based on it.
func (o *overview) isTitle(style string) bool {
	for range 16 { // styles can be based on each other in a circle
		if style == "Title" {
			return true
		}
		style = o.parents[style]
	}
	return false
}
