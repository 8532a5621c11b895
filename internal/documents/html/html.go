// Package html writes HTML and XHTML as the lines of a document.
package html

import (
	"bytes"
	"strings"

	"gander/internal/documents"
	"gander/internal/documents/formula"
	"gander/internal/documents/markup"
)

// A Writer writes a document in HTML. Its zero value needs only Out.
type Writer struct {
	Out *documents.Writer

	inline  documents.Inline
	lists   []documents.Numbering // around the text, with the number of the current item
	pending bool                  // an item begins with the next text
	pre     int                   // elements around the text
	heading bool                  // the text is in one
	hidden  int                   // elements around the text, from a hidden one on
	formula formula.Reader

	column  int         // of the next cell
	covered map[int]int // by columns, how many rows the cells above still cover
}

// Piece writes a piece.
func (w *Writer) Piece(s *markup.Scanner) {
	if w.inline.Out == nil {
		w.inline.Out, w.covered = w.write, map[int]int{}
	}
	if w.formula.Read(s, w.inline.Insert) {
		return
	}
	switch s.Piece {
	case markup.Start:
		w.hide(s)
		w.start(s)
	case markup.End:
		w.end(s)
		if w.hidden > 0 {
			w.hidden--
		}
	case markup.Text:
		w.inline.Hide(w.hidden > 0)
		if w.isText(s.Text) {
			w.inline.Add(s.Text)
		}
	}
}

// isText reports whether text is written: white space before a line is not.
func (w *Writer) isText(b []byte) bool {
	isVerbatim := w.pre > 0 && w.Out.Tables() == 0
	return isVerbatim || !w.Out.Blank() || len(bytes.TrimSpace(b)) > 0
}

// hide counts a hidden element and those in it.
func (w *Writer) hide(s *markup.Scanner) {
	if w.hidden > 0 {
		w.hidden++
		return
	}
	style := strings.ReplaceAll(s.Attr("style"), " ", "")
	isHidden := strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden")
	if isHidden || s.Has("hidden") {
		w.hidden++
	}
}

func (w *Writer) start(s *markup.Scanner) {
	switch s.Name {
	case "head", "script", "style", "template", "annotation", "rt", "rp":
		s.Skip()
		w.hidden = max(w.hidden-1, 0) // its end is skipped, too
	case "ul":
		w.startList(documents.Numbering{})
	case "ol":
		w.startList(documents.Numbering{
			Numbered: true, Next: s.Integer("start", 1) - 1, Style: s.Attr("type"), After: ".",
		})
	case "li":
		w.block(s.Name)
		if last := len(w.lists) - 1; last >= 0 {
			w.pending = true
			w.lists[last].Next = s.Integer("value", w.lists[last].Next+1)
		}
	case "br":
		if w.heading {
			w.inline.Insert([]byte{' '})
		} else {
			w.inline.End()
			w.Out.Break()
		}
	case "pre":
		w.block(s.Name)
		w.pre++
	case "sup":
		w.inline.Raise('^')
	case "sub":
		w.inline.Raise('_')
	case "a":
		target := s.Attr("href")
		if !strings.Contains(target, ":") { // in the book: it has no scheme
			target = ""
		}
		w.inline.StartLink(target)
	case "table":
		w.Out.StartTable()
		w.covered = map[int]int{}
	case "tr":
		w.inline.End()
		w.Out.Row()
		w.column = 0
	case "td", "th":
		w.startCell(s)
	case "img", "image", "audio", "video", "object":
		what := strings.Replace(s.Name, "img", "image", 1)
		w.inline.Insert(documents.Placeholder(what, s.Attr("alt")))
	case "h1", "h2", "h3", "h4", "h5", "h6":
		if w.Out.Tables() > 0 {
			w.Out.Break()
		} else {
			w.Out.Heading(int(s.Name[1] - '0'))
			w.heading = true
		}
	default:
		w.block(s.Name)
	}
}

func (w *Writer) end(s *markup.Scanner) {
	switch s.Name {
	case "li":
		w.block(s.Name)
		w.pending = false
	case "ul", "ol":
		w.endList()
	case "pre":
		w.pre--
		w.block(s.Name)
	case "sup", "sub":
		w.inline.Raise(0)
	case "a":
		w.inline.EndLink()
	case "table":
		w.inline.End()
		w.Out.EndTable()
	case "h1", "h2", "h3", "h4", "h5", "h6":
		w.heading = false
		w.block(s.Name)
	default:
		w.block(s.Name)
	}
}

// startCell begins a cell, after the cells that one above covers.
func (w *Writer) startCell(s *markup.Scanner) {
	w.inline.End()
	if w.Out.Tables() != 1 {
		w.Out.Cell()
		return
	}
	for w.covered[w.column] > 0 {
		w.covered[w.column]--
		w.column++
		w.Out.Cell()
	}
	w.Out.Cell()
	columns := max(s.Number("colspan", documents.MaxSpan), 1)
	rows := max(s.Number("rowspan", documents.MaxSpan), 1)
	for range columns {
		if w.column < documents.MaxSpan {
			w.covered[w.column] = rows - 1
		}
		w.column++
	}
	w.Out.Span(columns, rows)
	w.Out.Covered(columns - 1)
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
func (w *Writer) block(name string) {
	isApart, isBlock := blocks[name]
	if isBlock {
		w.inline.End()
	}
	isOutside := w.Out.Tables() == 0 && len(w.lists) == 0
	switch {
	case w.heading && w.Out.Blank(): // the first text of the heading follows
	case isApart && isOutside:
		w.Out.Gap()
	case isBlock:
		w.Out.Break()
	}
}

// write writes text of the current line.
func (w *Writer) write(b []byte) {
	if w.pending && w.Out.Tables() == 0 {
		w.pending = false
		last := len(w.lists) - 1
		w.Out.Item(last, w.lists[last].Label())
	}
	if w.pre > 0 && w.Out.Tables() == 0 {
		w.Out.Verbatim(b)
	} else {
		w.Out.Text(b)
	}
}

func (w *Writer) startList(numbering documents.Numbering) {
	w.inline.End()
	w.Out.Break()
	w.lists = append(w.lists, numbering)
}

func (w *Writer) endList() {
	w.inline.End()
	w.Out.Break()
	w.lists, w.pending = w.lists[:max(len(w.lists)-1, 0)], false
	if len(w.lists) == 0 && w.Out.Tables() == 0 {
		w.Out.Gap()
	}
}
