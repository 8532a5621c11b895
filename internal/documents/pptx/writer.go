package pptx

import (
	"bytes"

	"gander/internal/documents"
	"gander/internal/documents/markup"
)

// A writer writes the text of a slide or of its notes.
type writer struct {
	out    *documents.Writer
	titled bool // the title is in the mark
	notes  bool // the text is in the notes
	begun  bool // the heading of the notes is written

	shape       string // the kind of placeholder of the current shape, or "text" or "picture"
	description string // of the shape
	level       int    // of the paragraph
}

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
		if s.Parent(0) == "t" {
			w.add(s.Text)
		}
	}
	return w.out.Err()
}

// omits reports whether an element is not part of the text.
func (w *writer) omits(s *markup.Scanner) bool {
	switch s.Name {
	case "Fallback", "extLst":
		return true
	case "txBody":
		switch w.shape {
		case "sldNum", "dt", "ftr", "hdr":
			return true
		case "title", "ctrTitle":
			return w.titled
		}
		return w.notes && w.shape != "body"
	}
	return false
}

func (w *writer) start(s *markup.Scanner) {
	switch s.Name {
	case "sp", "graphicFrame", "cxnSp":
		w.shape, w.description = "text", ""
	case "pic":
		w.shape, w.description = "picture", ""
	case "cNvPr":
		w.description = s.Attr("descr")
	case "ph":
		w.shape = s.Attr("type")
		if w.shape == "" || w.shape == "obj" {
			w.shape = "body"
		}
	case "blip":
		if s.Parent(1) == "pic" {
			w.writePlaceholder("image")
		}
	case "chart":
		w.writePlaceholder("chart")
	case "relIds":
		w.writePlaceholder("diagram")
	case "oleObj":
		w.writePlaceholder("object")
	case "p":
		w.level = 0
	case "pPr":
		w.level = s.Number("lvl", 8)
	case "br":
		w.out.Text([]byte{' '})
	case "tbl":
		w.out.StartTable()
	case "tr":
		w.out.Row()
	case "tc":
		w.out.Cell()
	}
}

func (w *writer) end(s *markup.Scanner) {
	switch s.Name {
	case "p":
		w.out.Break()
	case "tbl":
		w.out.EndTable()
	}
}

// add adds text to the current paragraph or cell.
func (w *writer) add(b []byte) {
	if w.notes && !w.begun {
		if len(bytes.TrimSpace(b)) == 0 {
			return
		}
		w.begun = true
		w.out.Line([]byte("notes:"))
	}
	if w.inItem() && w.out.Blank() {
		w.out.Item(w.level, documents.Bullet)
	}
	w.out.Text(b)
}

// inItem reports whether the current paragraph is an item of a list.
func (w *writer) inItem() bool {
	if w.notes || w.out.Tables() > 0 {
		return false
	}
	return w.shape == "body" || w.level > 0
}

// writePlaceholder writes a placeholder for something that is not text.
func (w *writer) writePlaceholder(what string) {
	if w.notes {
		return
	}
	w.out.End()
	w.out.Text(documents.Placeholder(what, w.description))
	w.out.End()
}
