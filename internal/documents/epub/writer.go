package epub

import (
	"bytes"

	"gander/internal/documents"
	"gander/internal/documents/markup"
)

// A writer writes a document in XHTML.
type writer struct {
	out     *documents.Writer
	lists   []documents.List
	pre     int  // elements around the text
	heading bool // the text is in one
}

func (w *writer) piece(s *markup.Scanner) error {
	switch s.Piece {
	case markup.Start:
		w.start(s)
	case markup.End:
		w.end(s)
	case markup.Text:
		w.add(s.Text)
	}
	return w.out.Err()
}

func (w *writer) start(s *markup.Scanner) {
	switch s.Name {
	case "head", "script", "style", "template", "annotation", "rt", "rp":
		s.Skip()
	case "ul":
		w.startList(documents.Numbering{})
	case "ol":
		w.startList(documents.Numbering{Numbered: true, Next: s.Integer("start", 1)})
	case "li":
		w.block(s.Name)
		w.startItem(s)
	case "br":
		if w.heading {
			w.out.Text([]byte{' '})
		} else {
			w.out.Break()
		}
	case "pre":
		w.block(s.Name)
		w.pre++
	case "table":
		w.out.StartTable()
	case "tr":
		w.out.Row()
	case "td", "th":
		w.out.Cell()
	case "img":
		w.add(documents.Placeholder("image", s.Attr("alt")))
	case "image", "audio", "video", "object":
		w.add(documents.Placeholder(s.Name, s.Attr("alt")))
	case "h1", "h2", "h3", "h4", "h5", "h6":
		if w.out.Tables() > 0 {
			w.out.Break()
		} else {
			w.out.Heading(int(s.Name[1] - '0'))
			w.heading = true
		}
	default:
		w.block(s.Name)
	}
}

func (w *writer) end(s *markup.Scanner) {
	switch s.Name {
	case "li":
		w.block(s.Name)
		w.endItem()
	case "ul", "ol":
		w.endList()
	case "pre":
		w.pre--
		w.block(s.Name)
	case "table":
		w.out.EndTable()
	case "h1", "h2", "h3", "h4", "h5", "h6":
		w.heading = false
		w.block(s.Name)
	default:
		w.block(s.Name)
	}
}

// blocks are the elements that are blocks, and whether an empty line is around each.
var blocks = map[string]bool{
	"h1": true, "h2": true, "h3": true, "h4": true, "h5": true, "h6": true,
	"p": true, "pre": true, "blockquote": true, "figure": true, "dl": true, "hr": true,
	"div": false, "section": false, "article": false, "aside": false, "header": false, "footer": false,
	"nav": false, "main": false, "body": false, "address": false, "center": false,
	"li": false, "dt": false, "dd": false, "figcaption": false, "caption": false,
}

// block ends the line where an element starts or ends, if it is a block.
func (w *writer) block(name string) {
	isApart, isBlock := blocks[name]
	isOutside := w.out.Tables() == 0 && len(w.lists) == 0
	switch {
	case w.heading && w.out.Blank(): // the first text of the heading follows
	case isApart && isOutside:
		w.out.Gap()
	case isBlock:
		w.out.Break()
	}
}

// add adds text to the current line.
func (w *writer) add(b []byte) {
	if w.pre > 0 && w.out.Tables() == 0 {
		w.begin()
		w.out.Verbatim(b)
		return
	}
	if w.out.Blank() && len(bytes.TrimSpace(b)) == 0 {
		return
	}
	w.begin()
	w.out.Text(b)
}

// begin begins an item of a list, if one is pending.
func (w *writer) begin() {
	if n := len(w.lists); n > 0 && w.out.Tables() == 0 {
		w.out.NextItem(n-1, &w.lists[n-1])
	}
}

func (w *writer) startList(numbering documents.Numbering) {
	w.out.Break()
	w.lists = append(w.lists, documents.List{Numbering: numbering})
}

// startItem begins an item of a list, which can have a number of its own, with its first text.
func (w *writer) startItem(s *markup.Scanner) {
	if n := len(w.lists); n > 0 {
		l := &w.lists[n-1]
		l.Pending = true
		l.Next = s.Integer("value", l.Next)
	}
}

// endItem counts an item that had no text.
func (w *writer) endItem() {
	n := len(w.lists)
	if n == 0 || !w.lists[n-1].Pending {
		return
	}
	l := &w.lists[n-1]
	l.Pending = false
	l.Next++
}

func (w *writer) endList() {
	w.out.Break()
	if n := len(w.lists); n > 0 {
		w.lists = w.lists[:n-1]
	}
	if len(w.lists) == 0 && w.out.Tables() == 0 {
		w.out.Gap()
	}
}
