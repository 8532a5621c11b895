package odf

import (
	"bytes"
	"cmp"
	"slices"

	"gander/internal/documents"
	"gander/internal/documents/markup"
)

// A text writes the content of a document.
type text struct {
	format   format
	w        *documents.Writer
	overview *overview

	paragraphs int // around the text
	inline     int // notes, comments and cells around the text: their paragraphs are no lines
	frames     []frame
	lists      []list
	ended      int // the number that would be the next of the list that ended last, or 0
	slides     int
	notes      bool // the notes of the slide, and their heading, begin with the next text
	sheets     int
	sheet      sheetWriter // writes the current sheet
}

// A frame is a frame around the text. What it contains is an image, an object or text, and can be
// followed by an image of it.
type frame struct{ what, title, description string }

const textBox = "text-box"

// piece writes a piece of the content.
func (t *text) piece(s *markup.Scanner) error {
	switch s.Kind {
	case markup.Start:
		if t.omits(s) {
			s.Skip()
		} else {
			t.start(s)
		}
	case markup.End:
		t.end(s)
	case markup.Text:
		t.characters(s)
	}
	return t.w.Err()
}

// omits reports whether an element is not part of the text.
func (t *text) omits(s *markup.Scanner) bool {
	switch s.Name {
	case "automatic-styles", "tracked-changes", "forms", "content-validations", "dde-links",
		"note-citation", "ruby-text", "page-thumbnail", "creator-initials", "sender-initials",
		"named-expressions":
		return true
	case "date":
		return s.Parent(1) == "annotation" // otherwise it is a field
	case "shapes":
		return t.format == Spreadsheet
	}
	return isShape(s.Name) && t.omitsShape(s.Attr("class"))
}

// omitsShape reports whether a shape of a class is not part of the text: the mark has the title.
func (t *text) omitsShape(class string) bool {
	switch class {
	case "header", "footer", "date-time", "page-number":
		return true
	case "title":
		return t.slides > 0 && t.overview.titles[t.slides-1].Text != ""
	}
	return false
}

func (t *text) start(s *markup.Scanner) {
	switch s.Name {
	case "page":
		t.startSlide(s)
	case "notes":
		t.notes = true
	case "h", "p":
		t.startParagraph(s)
	case "s":
		t.spaces(s.Number("c", maxSpaces))
	case "tab":
		t.tab()
	case "line-break":
		t.lineBreak()
	case "note-body":
		t.inline++
		t.add([]byte("[note: "))
	case "annotation":
		t.inline++
		t.paragraphs++
		t.add([]byte(" [comment: "))
	case "list":
		t.startList(s)
	case "list-item":
		if len(t.lists) > 0 {
			t.lists[len(t.lists)-1].item = true
		}
	case "frame":
		t.frames = append(t.frames, frame{})
	case "image", "object", "object-ole", "plugin", textBox:
		if n := len(t.frames); n > 0 && t.frames[n-1].what == "" {
			t.frames[n-1].what = s.Name
		}
	case "table", "table-row", "table-cell", "covered-table-cell":
		if n := len(t.frames); n > 0 && t.frames[n-1].what == "" {
			t.frames[n-1].what = textBox
		}
		t.startTable(s)
	}
}

func (t *text) end(s *markup.Scanner) {
	switch s.Name {
	case "h", "p":
		t.endParagraph()
	case "note-body":
		t.add([]byte("]"))
		t.inline--
	case "annotation":
		t.add([]byte("] "))
		t.inline--
		t.paragraphs--
	case "creator":
		if s.Parent(0) == "annotation" {
			t.add([]byte(": "))
		}
	case "list":
		t.endList()
	case "frame":
		t.endFrame()
	case "table", "table-row", "table-cell", "covered-table-cell":
		t.endTable(s)
	}
}

// characters writes text, if it is part of a paragraph or the description of a frame.
func (t *text) characters(s *markup.Scanner) {
	isField := slices.Contains(inParagraph, s.Parent(1))
	switch name := s.Parent(0); {
	case isField:
	case name == "title", name == "desc":
		t.describe(name, s.Text)
		return
	case name == "annotation":
		return
	}
	if t.paragraphs > 0 {
		t.add(s.Text)
	}
}

// inParagraph are the elements with the text of paragraphs. Other elements in them are fields.
var inParagraph = []string{"p", "h", "span", "a"}

// describe adds text to the title or the description of the current frame.
func (t *text) describe(name string, text []byte) {
	n := len(t.frames)
	if n == 0 {
		return
	}
	f := &t.frames[n-1]
	if name == "title" {
		f.title = appendShort(f.title, text)
	} else {
		f.description = appendShort(f.description, text)
	}
}

// maxSpaces is the maximum number of spaces that follow each other.
const maxSpaces = 100

// spaces adds n spaces, at least 1, to the current paragraph, or one to a cell.
func (t *text) spaces(n int) {
	if t.joins() {
		t.add([]byte{' '})
	} else {
		t.w.Run(bytes.Repeat([]byte{' '}, max(1, n)))
	}
}

func (t *text) tab() {
	if t.w.Tables() > 0 {
		t.add([]byte{' '})
	} else {
		t.w.Run([]byte{'\t'})
	}
}

// appendShort adds text to a description, which stays short.
func appendShort(description string, text []byte) string {
	if len(description)+len(text) > 4096 {
		return description
	}
	return description + string(text)
}

// add adds text to the current line or cell.
func (t *text) add(b []byte) {
	switch {
	case t.sheet.inCell && t.inline > 0:
		t.w.Fail(t.sheet.after.Add(b))
	case t.sheet.inCell:
		t.w.Fail(t.sheet.text.Add(b))
	default:
		if t.notes {
			t.notes = false
			t.w.Line([]byte("notes:"))
			t.item()
		}
		t.w.Text(b)
	}
}

// joins reports whether the text continues a line or cell, whatever paragraphs begin and end in it.
func (t *text) joins() bool { return t.inline > 0 || t.w.Tables() > 0 }

func (t *text) startParagraph(s *markup.Scanner) {
	t.paragraphs++
	switch {
	case t.sheet.inCell && t.inline == 0 && len(t.sheet.text.Bytes) == 0:
	case t.joins():
		t.add([]byte{' '})
	case t.notes: // their first item begins after their heading
		t.w.End()
	case t.item():
	case t.slides > 0:
		t.w.End()
	case s.Name == "h":
		t.w.Heading(s.Number("outline-level", 10))
	case len(t.lists) > 0:
		t.w.End()
	case t.overview.isTitle(s.Attr("style-name")):
		t.w.Heading(1)
	default:
		t.w.Gap()
	}
}

func (t *text) endParagraph() {
	t.paragraphs--
	switch {
	case t.inline > 0 || t.sheet.inCell:
	case t.w.Tables() > 0: // text of a paragraph around this one can follow
		t.w.Break()
	case t.slides > 0 || len(t.lists) > 0:
		t.w.End()
	default:
		t.w.Gap()
	}
}

func (t *text) lineBreak() {
	if t.joins() {
		t.add([]byte{' '})
	} else {
		t.w.End()
	}
}

func (t *text) endFrame() {
	n := len(t.frames) - 1
	f := t.frames[n]
	t.frames = t.frames[:n]
	if f.what == "" || f.what == textBox {
		return
	}
	placeholder := documents.Placeholder(f.what, cmp.Or(f.description, f.title))
	switch {
	case t.sheet.inCell:
		t.sheet.addApart(placeholder)
		return
	case t.slides > 0:
		t.w.End()
	}
	t.add(placeholder)
}

// startSlide begins a slide. Only a hostile file has one in the notes of another, where the
// overview does not count it.
func (t *text) startSlide(s *markup.Scanner) {
	if t.format != Presentation || t.slides == len(t.overview.titles) {
		return
	}
	t.slides++
	t.notes = false
	t.w.Mark(documents.Mark{
		Kind:   documents.Slide,
		Number: t.slides,
		Total:  len(t.overview.titles),
		Name:   t.overview.titles[t.slides-1].Text,
		Hidden: t.overview.hidden[s.Attr("style-name")],
	})
}
