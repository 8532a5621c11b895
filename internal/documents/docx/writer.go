package docx

import (
	"strconv"

	"gander/internal/documents"
	"gander/internal/documents/markup"
)

// A writer writes the paragraphs and tables of a part.
type writer struct {
	out    *documents.Writer
	styles map[string]style
	lists  map[string]*list

	section   string // the name of the section, until its mark is written
	reference string // the prefix of the number of a note or comment; empty in the document

	last        item        // the item that was written last
	paragraph   paragraph   // the current one
	anchors     []paragraph // around the boxes of text, from the outermost
	label       string      // the number of a note, until its first text is written
	author      string      // of a comment, written after the label
	description string      // of the current drawing
}

// A paragraph is a paragraph while it is read.
type paragraph struct {
	style          // as it and its style specify
	bullet  string // or number of an item, after it was counted
	begun   bool   // text can follow
	hasText bool
}

func (w *writer) piece(s *markup.Scanner) error {
	switch s.Piece {
	case markup.Start:
		w.start(s)
	case markup.End:
		w.end(s)
	case markup.Text:
		if s.Parent(0) == "t" {
			w.add(s.Text)
		}
	}
	return w.out.Err()
}

func (w *writer) start(s *markup.Scanner) {
	switch s.Name {
	case "Fallback", "del", "moveFrom", "sectPr", "rt",
		"pPrChange", "rPrChange", "tblPrChange", "tcPrChange", "trPrChange":
		s.Skip()
	case "p":
		w.out.Break()
		w.paragraph = paragraph{}
	case "txbxContent":
		w.startBox()
	case "pStyle":
		w.paragraph.style = w.paragraph.with(w.resolve(s.Attr("val")))
	case "outlineLvl", "numId", "ilvl":
		w.paragraph.property(s)
	case "tbl":
		w.out.StartTable()
	case "tr":
		w.out.Row()
	case "tc":
		w.out.Cell()
	case "footnote", "endnote", "comment":
		w.note(s)
	default:
		w.content(s)
	}
}

// content writes an element of a run that is not text.
func (w *writer) content(s *markup.Scanner) {
	switch s.Name {
	case "tab":
		if s.Parent(0) == "r" && !w.out.Blank() { // otherwise a tab stop, or an indent
			w.add([]byte{'\t'})
		}
	case "br", "cr":
		w.lineBreak()
	case "noBreakHyphen":
		w.add([]byte{'-'})
	case "sym":
		if n, err := strconv.ParseUint(s.Attr("char"), 16, 16); err == nil {
			w.add([]byte(string(rune(n))))
		}
	case "footnoteReference":
		w.refer(footnote, s)
	case "endnoteReference":
		w.refer(endnote, s)
	case "commentReference":
		w.refer(comment, s)
	case "docPr":
		w.description = s.Attr("descr")
	case "pic":
		w.writePlaceholder("image", w.description)
	case "imagedata":
		w.writePlaceholder("image", s.Attr("title"))
	case "chart":
		w.writePlaceholder("chart", w.description)
	case "relIds":
		w.writePlaceholder("diagram", w.description)
	case "OLEObject":
		w.writePlaceholder("object", s.Attr("ProgID"))
	case "altChunk":
		w.writePlaceholder("embedded document", "")
	}
}

func (w *writer) end(s *markup.Scanner) {
	switch s.Name {
	case "pPr":
		w.begin()
	case "p":
		w.endParagraph()
	case "txbxContent":
		w.endBox()
	case "tbl":
		w.out.EndTable()
	}
}

// startBox begins a box of text, whose paragraphs come before the rest of the current one. If that has no
// text yet, it begins again after the box. Otherwise its rest is a paragraph without properties.
func (w *writer) startBox() {
	anchor := w.paragraph
	if anchor.hasText {
		anchor = paragraph{}
	}
	anchor.begun = false
	w.anchors = append(w.anchors, anchor)
}

func (w *writer) endBox() {
	last := len(w.anchors) - 1
	w.paragraph = w.anchors[last]
	w.anchors = w.anchors[:last]
}

// resolve returns a style with the properties that it inherits.
func (w *writer) resolve(id string) style {
	s := w.styles[id]
	for range 16 { // styles can be based on each other in a circle
		base, ok := w.styles[s.based]
		if !ok {
			break
		}
		s = s.with(base)
		s.based = base.based
	}
	return s
}

// begin begins the current paragraph, once.
func (w *writer) begin() {
	p := &w.paragraph
	if p.begun {
		return
	}
	p.begun = true
	next := item{w.lists[p.list], p.depth}
	if p.isItem() && p.bullet == "" {
		p.bullet = next.count() // although a table does not show the number
	}
	switch {
	case w.label != "":
		w.out.Begin(w.label)
		w.add([]byte(w.author))
	case w.reference != "":
		w.out.Break()
	case w.out.Tables() > 0:
	case p.isHeading():
		w.out.Heading(p.heading)
	case p.isItem():
		w.beginItem(next)
	default:
		w.out.Gap()
	}
}

// beginItem begins an item. A list with numbers and one without are apart.
func (w *writer) beginItem(next item) {
	isOther := next.list != w.last.list
	if isOther && next.numbering().numbered != w.last.numbering().numbered {
		w.out.Gap()
	}
	w.last = next
	w.out.Item(next.depth, w.paragraph.bullet)
}

func (w *writer) endParagraph() {
	if w.out.Tables() > 0 || w.paragraph.isItem() || w.reference != "" {
		w.out.Break()
	} else {
		w.out.Gap()
	}
	w.paragraph = paragraph{}
}

// add adds text to the current paragraph.
func (w *writer) add(b []byte) {
	w.begin()
	if w.out.Tables() > 0 || w.reference != "" {
		w.out.Text(b)
	} else {
		w.out.Run(b)
	}
	if !w.out.Blank() {
		w.label = ""
		w.paragraph.hasText = true
	}
}

// lineBreak begins a new line of the paragraph, unless it is at its start.
func (w *writer) lineBreak() {
	switch {
	case w.out.Blank():
	case w.paragraph.isHeading() || w.out.Tables() > 0:
		w.add([]byte{' '})
	default:
		w.out.End()
	}
}

// writePlaceholder writes a placeholder for something that is not text.
func (w *writer) writePlaceholder(what, description string) {
	w.add(documents.Placeholder(what, description))
	w.description = ""
}

// refer writes the reference to a note or comment.
func (w *writer) refer(what string, s *markup.Scanner) {
	w.add(documents.Placeholder(what+s.Attr("id"), ""))
}

// note begins a note or comment.
func (w *writer) note(s *markup.Scanner) {
	kind := s.Attr("type")
	if kind != "" && kind != "normal" { // a separator
		s.Skip()
		return
	}
	if w.section != "" {
		w.out.Mark(documents.Mark{Kind: documents.Section, Name: w.section})
		w.section = ""
	}
	w.label, w.author = string(documents.Placeholder(w.reference+s.Attr("id"), ""))+" ", ""
	if author := s.Attr("author"); author != "" {
		w.author = documents.Name(author) + ": "
	}
}
