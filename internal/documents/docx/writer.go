package docx

import (
	"strconv"
	"strings"

	"gander/internal/documents"
	"gander/internal/documents/formula"
	"gander/internal/documents/markup"
	"gander/internal/documents/ooxml"
)

// A writer writes the paragraphs and tables of a part.
type writer struct {
	*ooxml.Package
	styles    map[string]style
	lists     map[string]*list
	relations *ooxml.Relations // of the part

	section string // the name of the section, until its mark is written
	isNotes bool   // the part is not the document

	inline  documents.Inline
	run     documents.Style // of the text
	formula formula.Reader
	fields  []field
	checked bool // the box of a form that is read is ticked
	deleted bool // text was left out, because it is deleted

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
	bullet  string // or label of an item, after it was counted
	begun   bool   // text can follow
	hasText bool
}

func (w *writer) piece(s *markup.Scanner) {
	if w.formula.Read(s, w.inline.Insert) {
		return
	}
	switch s.Piece {
	case markup.Start:
		w.start(s)
	case markup.End:
		w.end(s)
	case markup.Text:
		switch s.Parent(0) {
		case "t":
			w.add(s.Text)
		case "instrText":
			w.addInstruction(s.Text)
		}
	}
}

func (w *writer) start(s *markup.Scanner) {
	switch s.Name {
	case "del", "moveFrom":
		w.deleted = w.deleted || s.Parent(0) != "rPr" && s.Parent(0) != "trPr"
		s.Skip()
	case "Fallback", "sectPr", "rt",
		"pPrChange", "rPrChange", "tblPrChange", "tcPrChange", "trPrChange":
		s.Skip()
	case "p":
		w.inline.End()
		w.Out.Break()
		w.paragraph = paragraph{}
	case "txbxContent":
		w.startBox()
	case "pStyle":
		w.paragraph.style = w.paragraph.with(w.resolve(s.Attr("val")))
		w.run = w.paragraph.text
	case "outlineLvl", "numId", "ilvl":
		w.paragraph.property(s)
	case "r":
		w.run = w.paragraph.text
	case "rStyle":
		w.run = w.resolve(s.Attr("val")).text
	case "vertAlign", "vanish":
		if s.Parent(1) == "r" { // otherwise of the mark of a paragraph
			readText(s, &w.run)
		}
	case "tbl":
		w.inline.End()
		w.Out.StartTable()
	case "tr":
		w.Out.Row()
	case "tc":
		w.Out.Cell()
	case "gridSpan":
		columns := s.Number("val", documents.MaxSpan)
		w.Out.Span(columns, 1)
		w.Out.Covered(columns - 1)
	case "vMerge":
		if s.Attr("val") != "restart" {
			w.Out.Text([]byte("[as above]"))
		}
	case "footnote", "endnote", "comment":
		w.note(s)
	case "hyperlink":
		w.begin()
		w.inline.StartLink(w.relations.Link(s.Prefixed("id")))
	case "fldSimple":
		w.startField("begin")
		w.addInstruction([]byte(s.Attr("instr")))
		w.startField("separate")
	case "fldChar":
		w.startField(s.Attr("fldCharType"))
	default:
		w.content(s)
	}
}

// content writes an element of a run that is not text.
func (w *writer) content(s *markup.Scanner) {
	switch s.Name {
	case "tab":
		if s.Parent(0) == "r" && !w.Out.Blank() { // otherwise a tab stop, or an indent
			w.add([]byte{'\t'})
		}
	case "textpath": // WordArt
		w.inline.Insert([]byte(documents.Name(s.Attr("string"))))
	case "checkBox":
		w.checked = false
	case "default", "checked":
		if s.Parent(0) == "checkBox" {
			w.checked = s.Attr("val") != "0"
		}
	case "br", "cr":
		w.lineBreak()
	case "noBreakHyphen":
		w.add([]byte{'-'})
	case "sym":
		if n, err := strconv.ParseUint(s.Attr("char"), 16, 16); err == nil {
			w.add([]byte(string(rune(n))))
		}
	case "footnoteReference", "endnoteReference", "commentReference":
		prefix := prefixes[strings.TrimSuffix(s.Name, "Reference")]
		w.inline.Insert(documents.Placeholder(prefix+s.Attr("id"), ""))
	case "docPr":
		w.description = s.Attr("descr")
	case "pic":
		w.placeholder("image", w.description)
	case "imagedata":
		w.placeholder("image", s.Attr("title"))
	case "chart", "relIds":
		w.graphic(s)
	case "OLEObject":
		w.placeholder("object", s.Attr("ProgID"))
	case "altChunk":
		w.placeholder("embedded document", "")
	}
}

// graphic writes a chart or a diagram.
func (w *writer) graphic(s *markup.Scanner) {
	what, part := w.Graphic(w.relations, s)
	description := w.description
	if part == "" {
		w.placeholder(what, description)
		return
	}
	w.description = ""
	w.begin()
	w.inline.End()
	w.WriteGraphic(part, what, description)
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
		w.Out.EndTable()
	case "hyperlink":
		w.inline.EndLink()
	case "checkBox":
		marks := map[bool]string{true: "[x]", false: "[ ]"}
		w.inline.Insert([]byte(marks[w.checked]))
	case "fldSimple":
		w.startField("end")
	}
}

// startBox begins a box of text, whose paragraphs come before the rest of the current one. If that
// has no text yet, it begins again after the box. Otherwise its rest is a paragraph without
// properties.
func (w *writer) startBox() {
	w.inline.End()
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
	next := w.item(p.style)
	isListed := p.list != "" && p.list != "0"
	if isListed && p.bullet == "" {
		p.bullet = next.count()
	}
	if w.section != "" && w.label == "" {
		w.startSection()
	}
	switch {
	case w.label != "":
		w.Out.Begin(w.label)
		w.Out.Text([]byte(w.author))
		if w.author != "" {
			w.label = ""
		}
	case w.isNotes:
		w.Out.Break()
	case w.Out.Tables() > 0:
		w.Out.Label(p.bullet)
	case p.isHeading():
		w.Out.Heading(p.heading)
		w.Out.Label(p.bullet)
	case p.isItem():
		w.beginItem(next)
	default:
		w.Out.Gap()
	}
}

// item returns the item that a paragraph of a style is. A level can name the style instead of the
// other way round.
func (w *writer) item(s style) item {
	next := item{w.lists[s.list], s.depth}
	if next.list == nil || s.lister == "" || s.depth > 0 {
		return next
	}
	for depth := range next.list.levels {
		if next.list.levels[depth].style == s.lister {
			next.depth = depth
		}
	}
	return next
}

// beginItem begins an item. A list with numbers and one without are apart.
func (w *writer) beginItem(next item) {
	isOther := next.list != w.last.list
	if isOther && next.isNumbered() != w.last.isNumbered() {
		w.Out.Gap()
	}
	w.last = next
	w.Out.Item(next.depth, w.paragraph.bullet)
}

func (w *writer) endParagraph() {
	w.inline.End()
	if w.Out.Tables() > 0 || w.paragraph.isItem() || w.isNotes {
		w.Out.Break()
	} else {
		w.Out.Gap()
	}
	w.paragraph = paragraph{}
}

// add adds text of a run to the current paragraph.
func (w *writer) add(b []byte) {
	if w.inInstruction() {
		return
	}
	w.inline.Set(w.run)
	w.inline.Add(b)
}

// write writes text of the current paragraph.
func (w *writer) write(b []byte) {
	w.begin()
	if w.Out.Tables() > 0 || w.isNotes {
		w.Out.Text(b)
	} else {
		w.Out.Run(b)
	}
	if !w.Out.Blank() {
		w.label = ""
		w.paragraph.hasText = true
	}
}

// lineBreak begins a new line of the paragraph, unless it is at its start.
func (w *writer) lineBreak() {
	w.inline.End()
	switch {
	case w.Out.Blank():
	case w.paragraph.isHeading() || w.Out.Tables() > 0:
		w.add([]byte{' '})
	default:
		w.Out.End()
	}
}

// placeholder writes a placeholder for something that is not text.
func (w *writer) placeholder(what, description string) {
	w.inline.Insert(documents.Placeholder(what, description))
	w.description = ""
}

// startSection writes the mark of a section, once.
func (w *writer) startSection() {
	if w.section != "" {
		w.Out.Mark(documents.Mark{Kind: documents.Section, Name: w.section})
		w.section = ""
	}
}

// note begins a note or comment.
func (w *writer) note(s *markup.Scanner) {
	kind := s.Attr("type")
	if kind != "" && kind != "normal" { // a separator
		s.Skip()
		return
	}
	w.startSection()
	w.label, w.author = string(documents.Placeholder(prefixes[s.Name]+s.Attr("id"), ""))+" ", ""
	if author := s.Attr("author"); author != "" {
		w.author = documents.Name(author) + ": "
	}
}
