package epub

import (
	"bytes"

	"gander/internal/documents"
	"gander/internal/documents/markup"
)

// A text writes a document in XHTML.
type text struct {
	w       *documents.Writer
	lists   []list
	pre     int  // elements around the text
	heading bool // the text is in one
}

// A list is a list around the text.
type list struct {
	next int  // number of the next item, or 0
	item bool // the next text begins an item
}

func (t *text) piece(s *markup.Scanner) error {
	switch s.Kind {
	case markup.Start:
		t.start(s)
	case markup.End:
		t.end(s)
	case markup.Text:
		t.add(s.Text)
	}
	return t.w.Err()
}

func (t *text) start(s *markup.Scanner) {
	switch s.Name {
	case "head", "script", "style", "template", "annotation", "rt", "rp":
		s.Skip()
	case "ul":
		t.startList(0)
	case "ol":
		t.startList(max(1, s.Number("start", 1<<30)))
	case "li":
		t.block(s.Name)
		if n := len(t.lists); n > 0 {
			t.lists[n-1].item = true
		}
	case "br":
		if t.heading {
			t.w.Text([]byte{' '})
		} else {
			t.w.Break()
		}
	case "pre":
		t.block(s.Name)
		t.pre++
	case "table":
		t.w.StartTable()
	case "tr":
		t.w.Row()
	case "td", "th":
		t.w.Cell()
	case "img":
		t.add(documents.Placeholder("image", s.Attr("alt")))
	case "image", "audio", "video", "object":
		t.add(documents.Placeholder(s.Name, s.Attr("alt")))
	case "h1", "h2", "h3", "h4", "h5", "h6":
		if t.w.Tables() > 0 {
			t.w.Break()
		} else {
			t.w.Heading(int(s.Name[1] - '0'))
			t.heading = true
		}
	default:
		t.block(s.Name)
	}
}

func (t *text) end(s *markup.Scanner) {
	switch s.Name {
	case "ul", "ol":
		t.endList()
	case "pre":
		t.pre--
		t.block(s.Name)
	case "tr":
		t.w.EndRow()
	case "table":
		t.w.EndTable()
	case "h1", "h2", "h3", "h4", "h5", "h6":
		t.heading = false
		t.block(s.Name)
	default:
		t.block(s.Name)
	}
}

// block ends the line where an element that is a block starts or ends.
func (t *text) block(name string) {
	switch name {
	case "h1", "h2", "h3", "h4", "h5", "h6", "p", "pre", "blockquote", "figure", "dl", "hr":
		if t.w.Tables() == 0 && len(t.lists) == 0 {
			t.w.Gap()
			return
		}
	case "div", "section", "article", "aside", "header", "footer", "nav", "main", "body", "address",
		"li", "dt", "dd", "figcaption", "caption", "center":
	default:
		return
	}
	t.w.Break()
}

// add adds text to the current line.
func (t *text) add(b []byte) {
	if t.pre > 0 && t.w.Tables() == 0 {
		t.begin()
		t.w.Verbatim(b)
		return
	}
	if t.w.Blank() && len(bytes.TrimSpace(b)) == 0 {
		return
	}
	t.begin()
	t.w.Text(b)
}

// begin begins an item of a list.
func (t *text) begin() {
	n := len(t.lists)
	if n == 0 || !t.lists[n-1].item || t.w.Tables() > 0 {
		return
	}
	l := &t.lists[n-1]
	l.item = false
	t.w.NextItem(n-1, &l.next)
}

func (t *text) startList(first int) {
	t.block("li")
	t.lists = append(t.lists, list{next: first})
}

func (t *text) endList() {
	t.block("li")
	if n := len(t.lists); n > 0 {
		t.lists = t.lists[:n-1]
	}
	if len(t.lists) == 0 && t.w.Tables() == 0 {
		t.w.Gap()
	}
}
