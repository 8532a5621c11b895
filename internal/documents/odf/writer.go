package odf

import (
	"bytes"
	"cmp"
	"strings"

	"gander/internal/documents"
	"gander/internal/documents/formula"
	"gander/internal/documents/markup"
)

// A writer writes the content of a document.
type writer struct {
	format   format
	out      *documents.Writer
	overview *overview
	isObject bool // the content of an object in a document

	paragraphs   int // around the text
	inline       int // notes, comments and cells around the text: their paragraphs are no lines
	frames       []frame
	spans        []documents.Style // of text around the text
	hidden       int               // elements around the text, from a hidden one on
	styled       documents.Inline
	formula      formula.Reader
	lists        []listLevel         // around the text
	ended        documents.Numbering // of the list that ended last
	outline      listLevels          // counts the headings
	slides       int
	deleted      bool              // text was left out, because it is deleted
	declared     string            // the name of the footer whose text is read
	declarations map[string]string // the texts of footers by their names
	footers      []string          // the names of the date and the footer of the slide
	notes        bool              // they begin with the next text, after their heading
	sheets       int
	sheet        sheetWriter // writes the current sheet
	objects      []frame     // of the sheet
}

// A frame is a frame around the text, with an image, an object or text.
type frame struct{ what, title, description, object string }

const textBox = "text-box"

func newWriter(f format, out *documents.Writer, o *overview) *writer {
	w := &writer{
		format: f, out: out, overview: o, outline: o.outline, declarations: map[string]string{},
	}
	w.styled.Out = w.add
	return w
}

func (w *writer) piece(s *markup.Scanner) {
	if w.formula.Read(s, w.add) {
		return
	}
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
}

// omits reports whether an element is not part of the text.
func (w *writer) omits(s *markup.Scanner) bool {
	switch s.Name {
	case "tracked-changes":
		w.deleted = w.deleted || w.format == "text"
		return true
	case "automatic-styles", "forms", "content-validations", "dde-links", "page-thumbnail",
		"named-expressions":
		return true
	case "date":
		return s.Parent(0) == "annotation" // otherwise it is a field
	}
	class := s.Attr("class")
	isTitle := class == "title" && w.slides > 0 && w.overview.titles[w.slides-1].Text != ""
	return omitted[s.Name] || shapes[s.Name] && (class == "page-number" || isTitle)
}

func (w *writer) start(s *markup.Scanner) {
	if w.hidden > 0 || s.Name == "section" && s.Attr("display") == "none" {
		w.hidden++
	}
	w.place(s)
	switch s.Name {
	case "page":
		w.startSlide(s)
	case "notes":
		w.endShapes()
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
		w.startNote("[note: ")
	case "annotation":
		w.paragraphs++
		w.startNote(" [comment: ")
	case "list":
		w.startList(s)
	case "list-item":
		w.startItem(s)
	case "frame":
		w.frames = append(w.frames, frame{})
	case "image", "object", "object-ole", "plugin", textBox:
		w.fillFrame(s.Name)
		if n := len(w.frames); n > 0 && s.Name == "object" {
			w.frames[n-1].object = s.Attr("href")
		}
	case "span":
		w.spans = append(w.spans, w.overview.text(s.Attr("style-name")))
	case "a":
		w.style()
		target := s.Attr("href")
		if strings.HasPrefix(target, "#") { // in the document
			target = ""
		}
		w.styled.StartLink(target)
	case "chart":
		if s.Parent(0) != "chart" { // the body of an object has a chart in it
			w.out.Text([]byte("[chart]"))
		}
	case "footer-decl", "date-time-decl":
		w.declared = s.Attr("name")
	case "table", "table-row", "table-cell", "covered-table-cell":
		w.fillFrame(textBox)
		w.startTable(s)
	}
}

func (w *writer) end(s *markup.Scanner) {
	if w.hidden > 0 {
		w.hidden--
	}
	switch s.Name {
	case "h", "p":
		w.endParagraph(s.Name)
	case "span":
		w.spans = w.spans[:max(len(w.spans)-1, 0)]
	case "a":
		w.styled.EndLink()
	case "page":
		w.endShapes()
	case "note-body":
		w.endNote("]")
	case "annotation":
		w.endNote("] ")
		w.paragraphs--
	case "creator":
		if s.Parent(0) == "annotation" {
			w.add([]byte(": "))
		}
	case "list":
		w.endList()
	case "list-item":
		w.endItem()
	case "frame":
		w.endFrame()
	case "table", "table-row", "table-cell", "covered-table-cell":
		w.endTable(s.Name)
	case "footer-decl", "date-time-decl":
		w.declared = ""
	}
}

// characters writes text, if it is part of a paragraph or the description of a frame.
func (w *writer) characters(s *markup.Scanner) {
	switch {
	case isAside(s):
		w.describe(s.Parent(0), s.Text)
	case w.paragraphs > 0:
		w.style()
		w.styled.Add(s.Text)
	case w.declared != "":
		w.declarations[w.declared] = appendShort(w.declarations[w.declared], s.Text)
		w.overview.archive.KeepText(string(s.Text))
	}
}

// style says what the style of the text means.
func (w *writer) style() {
	text := documents.Style{Hidden: w.hidden > 0}
	for _, span := range w.spans {
		text = span.With(text)
	}
	w.styled.Set(text)
}

// startNote begins a note or a comment in the text.
func (w *writer) startNote(before string) {
	w.styled.End()
	w.inline++
	w.add([]byte(before))
}

func (w *writer) endNote(after string) {
	w.styled.End()
	w.add([]byte(after))
	w.inline--
}

// describe adds text to the title or the description of the current frame.
func (w *writer) describe(name string, text []byte) {
	if len(w.frames) == 0 {
		return
	}
	switch f := &w.frames[len(w.frames)-1]; name {
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
	w.styled.Insert(nil)
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
		w.sheet.after.Add(w.out, b)
	case w.sheet.inCell:
		w.sheet.text.Add(w.out, b)
	default:
		if w.notes {
			w.notes = false
			w.out.Line([]byte("notes:"))
			w.beginItem()
		}
		w.out.Text(b)
	}
}

// joins reports whether the text continues a line or cell, whatever paragraphs begin and end in it.
func (w *writer) joins() bool { return w.inline > 0 || w.out.Tables() > 0 }

func (w *writer) startParagraph(s *markup.Scanner) {
	w.paragraphs++
	w.styled.End()
	if w.inline == 0 {
		w.spans = append(w.spans[:0], w.overview.text(s.Attr("style-name")))
	}
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
	label := w.beginItem()
	level := w.headingLevel(s)
	switch {
	case level > 0:
		w.out.Heading(level)
		w.out.Label(cmp.Or(label, w.headingLabel(s, level)))
	case label != "":
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
	w.styled.End()
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
	w.styled.End()
	if w.joins() {
		w.add([]byte{' '})
	} else {
		w.out.End()
	}
}

// fillFrame records what the current frame contains, unless that is known: an image of it can
// follow.
func (w *writer) fillFrame(what string) {
	if n := len(w.frames); n > 0 && w.frames[n-1].what == "" {
		w.frames[n-1].what = what
	}
}

func (w *writer) endFrame() {
	n := len(w.frames) - 1
	f := w.frames[n]
	w.frames = w.frames[:n]
	if f.what == "" || f.what == textBox || w.writeObject(f) {
		return
	}
	if w.slides > 0 {
		w.out.End()
	}
	w.insert(documents.Placeholder(f.what, cmp.Or(f.description, f.title)))
}

// insert adds something that is not text. In a cell of a sheet, it follows the value.
func (w *writer) insert(b []byte) {
	if w.sheet.inCell {
		w.sheet.after.Add(w.out, append([]byte{' '}, b...))
	} else {
		w.styled.Insert(b)
	}
}
