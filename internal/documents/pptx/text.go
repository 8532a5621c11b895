package pptx

import (
	"gander/internal/documents"
	"gander/internal/documents/markup"
)

// A text writes the text of a slide or of its notes.
type text struct {
	w      *documents.Writer
	titled bool // the title is in the mark
	notes  bool // the text is that of the notes
	begun  bool // the heading of the notes is written

	shape string // what the current shape is: a kind of placeholder, "text" or "picture"
	image string // description of the shape
	level int    // the level of the paragraph
}

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
		if s.Parent(0) == "t" {
			t.add(s.Text)
		}
	}
	return t.w.Err()
}

// omits reports whether an element is not part of the text.
func (t *text) omits(s *markup.Scanner) bool {
	switch s.Name {
	case "Fallback", "extLst":
		return true
	case "txBody":
		switch t.shape {
		case "sldNum", "dt", "ftr", "hdr":
			return true
		case "title", "ctrTitle":
			return t.titled
		}
		return t.notes && t.shape != "body"
	}
	return false
}

func (t *text) start(s *markup.Scanner) {
	switch s.Name {
	case "sp", "graphicFrame", "cxnSp":
		t.shape, t.image = "text", ""
	case "pic":
		t.shape, t.image = "picture", ""
	case "cNvPr":
		t.image = s.Attr("descr")
	case "ph":
		t.shape = s.Attr("type")
		if t.shape == "" || t.shape == "obj" {
			t.shape = "body"
		}
	case "blip":
		if s.Parent(2) == "pic" {
			t.name("image")
		}
	case "chart":
		t.name("chart")
	case "relIds":
		t.name("diagram")
	case "oleObj":
		t.name("object")
	case "p":
		t.level = 0
	case "pPr":
		t.level = s.Number("lvl", 8)
	case "br":
		t.w.Text([]byte{' '})
	case "tbl":
		t.w.StartTable()
	case "tr":
		t.w.Row()
	case "tc":
		t.w.Cell()
	}
}

func (t *text) end(s *markup.Scanner) {
	switch s.Name {
	case "p":
		t.w.Break()
	case "tr":
		t.w.EndRow()
	case "tbl":
		t.w.EndTable()
	}
}

// add adds text to the current paragraph or cell.
func (t *text) add(b []byte) {
	if t.notes && !t.begun {
		t.begun = true
		t.w.Line([]byte("notes:"))
	}
	if t.inItem() && t.w.Blank() {
		t.w.Item(t.level, documents.Bullet)
	}
	t.w.Text(b)
}

// inItem reports whether the current paragraph is an item of a list.
func (t *text) inItem() bool {
	if t.notes || t.w.Tables() > 0 {
		return false
	}
	return t.shape == "body" || t.level > 0
}

// name writes what is not text.
func (t *text) name(what string) {
	if t.notes {
		return
	}
	t.w.End()
	t.w.Text(documents.Placeholder(what, t.image))
	t.w.End()
}
