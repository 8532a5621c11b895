package odf

import (
	"bytes"
	"cmp"

	"gander/internal/documents"
	"gander/internal/documents/markup"
)

// A writer writes the content of a document.
type writer struct {
	format   format
	out      *documents.Writer
	overview *overview

	paragraphs int // around the text
	inline     int // notes, comments and cells around the text: their paragraphs are no lines
	frames     []frame
	lists      []list
	ended      documents.Numbering // of the list that ended last
	slides     int
	notes      bool // the notes of the slide, and their heading, begin with the next text
	sheets     int
	sheet      sheetWriter // writes the current sheet
}

// A frame is a frame around the text, with an image, an object or text.
type frame struct{ what, title, description string }

const textBox = "text-box"

func (w *writer) piece(s *markup.Scanner) error {
	switch s.Piece {
	case markup.Start:
		if w.omits(s) {
			s.Skip()
		} else {
			w.start(s)
		}
	case markup.End:
		w.end(s)
	case markup.Text:
		w.characters(s)
	}
	return w.out.Err()
}

// omits reports whether an element is not part of the text.
func (w *writer) omits(s *markup.Scanner) bool {
	switch s.Name {
	case "automatic-styles", "tracked-changes", "forms", "content-validations", "dde-links",
		"page-thumbnail", "named-expressions":
		return true
	case "date":
		return s.Parent(0) == "annotation" // otherwise it is a field
	case "shapes":
		return w.format == Spreadsheet
	}
	return isOmitted(s.Name) || isShape(s.Name) && w.omitsShape(s.Attr("class"))
}

// omitsShape reports whether a shape of a class is not part of the text: the mark has the title.
func (w *writer) omitsShape(class string) bool {
	switch class {
	case "header", "footer", "date-time", "page-number":
		return true
	case "title":
		return w.slides > 0 && w.overview.titles[w.slides-1].Text != ""
	}
	return false
}

func (w *writer) start(s *markup.Scanner) {
	switch s.Name {
	case "page":
		w.startSlide(s)
	case "notes":
		w.notes = true
	case "h", "p":
		w.startParagraph(s)
	case "s":
		w.white(bytes.Repeat([]byte{' '}, max(1, s.Number("c", maxSpaces))))
	case "tab":
		w.white([]byte{'\t'})
	case "line-break":
		w.lineBreak()
	case "note-body":
		w.inline++
		w.add([]byte("[note: "))
	case "annotation":
		w.inline++
		w.paragraphs++
		w.add([]byte(" [comment: "))
	case "list":
		w.startList(s)
	case "list-item":
		w.startItem(s)
	case "frame":
		w.frames = append(w.frames, frame{})
	case "image", "object", "object-ole", "plugin", textBox:
		w.fillFrame(s.Name)
	case "table", "table-row", "table-cell", "covered-table-cell":
		w.fillFrame(textBox)
		w.startTable(s)
	}
}

func (w *writer) end(s *markup.Scanner) {
	switch s.Name {
	case "h", "p":
		w.endParagraph(s.Name)
	case "note-body":
		w.add([]byte("]"))
		w.inline--
	case "annotation":
		w.add([]byte("] "))
		w.inline--
		w.paragraphs--
	case "creator":
		if s.Parent(0) == "annotation" {
			w.add([]byte(": "))
		}
	case "list":
		w.endList()
	case "frame":
		w.endFrame()
	case "table", "table-row", "table-cell", "covered-table-cell":
		w.endTable(s)
	}
}

// characters writes text, if it is part of a paragraph or the description of a frame.
func (w *writer) characters(s *markup.Scanner) {
	switch {
	case isAside(s):
		w.describe(s.Parent(0), s.Text)
	case w.paragraphs > 0:
		w.add(s.Text)
	}
}

// describe adds text to the title or the description of the current frame.
func (w *writer) describe(name string, text []byte) {
	n := len(w.frames)
	if n == 0 {
		return
	}
	f := &w.frames[n-1]
	switch name {
	case "title":
		f.title = appendShort(f.title, text)
	case "desc":
		f.description = appendShort(f.description, text)
	}
}

// maxSpaces is the maximum number of spaces that follow each other.
const maxSpaces = 100

// white adds white space to the current line, or a space to a cell.
func (w *writer) white(b []byte) {
	if w.joins() {
		w.add([]byte{' '})
	} else {
		w.out.Run(b)
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
func (w *writer) add(b []byte) {
	switch {
	case w.sheet.inCell && w.inline > 0:
		w.out.Fail(w.sheet.after.Add(b))
	case w.sheet.inCell:
		w.out.Fail(w.sheet.text.Add(b))
	default:
		if w.notes {
			w.notes = false
			w.out.Line([]byte("notes:"))
			w.beginPendingItem()
		}
		w.out.Text(b)
	}
}

// joins reports whether the text continues a line or cell, whatever paragraphs begin and end in it.
func (w *writer) joins() bool { return w.inline > 0 || w.out.Tables() > 0 }

func (w *writer) startParagraph(s *markup.Scanner) {
	w.paragraphs++
	if w.joins() {
		isFirstInCell := w.sheet.inCell && w.inline == 0 && len(w.sheet.text.Bytes) == 0
		if !isFirstInCell {
			w.add([]byte{' '})
		}
		return
	}
	if w.notes { // their first item begins after their heading
		w.out.End()
		return
	}
	isItem := w.beginPendingItem()
	level := w.headingLevel(s)
	switch {
	case level > 0: // in a list, it is counted, but shows no number
		w.out.Heading(level)
	case isItem:
	case w.slides > 0 || len(w.lists) > 0:
		w.out.End()
	default:
		w.out.Gap()
	}
}

// headingLevel returns the level of the heading that a paragraph is, or 0 if it is none.
func (w *writer) headingLevel(s *markup.Scanner) int {
	switch {
	case w.slides > 0:
		return 0
	case s.Name == "h":
		return max(1, s.Number("outline-level", 10))
	case len(w.lists) == 0 && w.overview.isTitle(s.Attr("style-name")):
		return 1
	}
	return 0
}

func (w *writer) endParagraph(name string) {
	w.paragraphs--
	isInList := len(w.lists) > 0 && name != "h"
	switch {
	case w.inline > 0 || w.sheet.inCell:
	case w.out.Tables() > 0: // text of a paragraph around this one can follow
		w.out.Break()
	case w.slides > 0 || isInList:
		w.out.End()
	default:
		w.out.Gap()
	}
}

func (w *writer) lineBreak() {
	if w.joins() {
		w.add([]byte{' '})
	} else {
		w.out.End()
	}
}

// fillFrame records what the current frame contains, unless that is known: an image of it can follow.
func (w *writer) fillFrame(what string) {
	if n := len(w.frames); n > 0 && w.frames[n-1].what == "" {
		w.frames[n-1].what = what
	}
}

func (w *writer) endFrame() {
	n := len(w.frames) - 1
	f := w.frames[n]
	w.frames = w.frames[:n]
	if f.what == "" || f.what == textBox {
		return
	}
	placeholder := documents.Placeholder(f.what, cmp.Or(f.description, f.title))
	switch {
	case w.sheet.inCell:
		w.sheet.addApart(placeholder)
		return
	case w.slides > 0:
		w.out.End()
	}
	w.add(placeholder)
}

// startSlide begins a slide. Only a hostile file has one in the notes of another, where the
// overview does not count it.
func (w *writer) startSlide(s *markup.Scanner) {
	if w.format != Presentation || w.slides == len(w.overview.titles) {
		return
	}
	w.slides++
	w.notes = false
	w.out.Mark(documents.Mark{
		Kind:   documents.Slide,
		Number: w.slides,
		Total:  len(w.overview.titles),
		Name:   w.overview.titles[w.slides-1].Text,
		Hidden: w.overview.hidden[s.Attr("style-name")],
	})
}
