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
	counts map[itemKey]int // the numbers of the last items

	section   string // the name of the section, until its mark is written
	reference string // what precedes the number of a note or comment; empty in the document

	last      itemKey // that of the last item
	paragraph style   // as the current paragraph and its style specify
	begun     bool    // text of the paragraph can follow
	label     string  // written before the next paragraph: the number of a note
	author    string  // written after the label
	image     string  // description of the current drawing
}

// piece writes a piece of a part.
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
		w.paragraph, w.begun = style{}, false
	case "pStyle":
		w.paragraph = w.paragraph.with(w.resolve(s.Attr("val")))
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
		w.image = s.Attr("descr")
	case "pic":
		w.name("image", w.image)
	case "imagedata":
		w.name("image", s.Attr("title"))
	case "chart":
		w.name("chart", w.image)
	case "relIds":
		w.name("diagram", w.image)
	case "OLEObject":
		w.name("object", s.Attr("ProgID"))
	case "altChunk":
		w.name("embedded document", "")
	}
}

func (w *writer) end(s *markup.Scanner) {
	switch s.Name {
	case "pPr":
		w.begin()
	case "p":
		w.endParagraph()
	case "tr":
		w.out.EndRow()
	case "tbl":
		w.out.EndTable()
	}
}

// resolve returns a style with what it inherits.
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
	if w.begun {
		return
	}
	w.begun = true
	p := w.paragraph
	item, inTable := itemKey{w.lists[p.list], p.depth}, w.out.Tables() > 0
	switch {
	case w.label != "":
		w.out.Begin(w.label)
		w.out.Text([]byte(w.author))
		w.label = ""
	case w.reference != "":
		w.out.Break()
	case inTable && p.isItem():
		w.nextBullet(item) // counts the item, whose number a table does not show
	case inTable:
	case p.isHeading():
		w.out.Heading(p.heading)
	case p.isItem():
		w.beginItem(item)
	default:
		w.out.Gap()
	}
}

// beginItem begins an item. A list with numbers and one without are apart.
func (w *writer) beginItem(item itemKey) {
	isOther := item.list != w.last.list
	if isOther && numberingOf(item).numbered != numberingOf(w.last).numbered {
		w.out.Gap()
	}
	w.last = item
	w.out.Item(item.depth, w.nextBullet(item))
}

func (w *writer) endParagraph() {
	if w.out.Tables() > 0 || w.paragraph.isItem() || w.reference != "" {
		w.out.Break()
	} else {
		w.out.Gap()
	}
	w.paragraph, w.begun = style{}, false
}

// An itemKey stands for the items of a list at a depth, from 0.
type itemKey struct {
	list  *list // nil if the document does not say what the list is
	depth int
}

// numberingOf returns how items are numbered.
func numberingOf(item itemKey) numbering {
	if item.list == nil {
		return numbering{}
	}
	return item.list.byDepth[item.depth]
}

// maxCounts is the number of keys whose items are counted.
const maxCounts = 10_000

// nextBullet counts the next item, and returns its bullet or number. Deeper items that follow are counted
// anew.
func (w *writer) nextBullet(item itemKey) string {
	if item.list == nil {
		return documents.Bullet
	}
	counted := itemKey{item.list.counted, item.depth}
	for depth := item.depth + 1; depth <= maxDepth; depth++ {
		delete(w.counts, itemKey{counted.list, depth})
	}
	n := numberingOf(item)
	if !n.numbered || len(w.counts) > maxCounts {
		return documents.Bullet
	}
	if _, ok := w.counts[counted]; !ok {
		w.counts[counted] = n.first - 1
	}
	w.counts[counted]++
	return strconv.Itoa(w.counts[counted]) + "."
}

// add adds text to the current paragraph.
func (w *writer) add(b []byte) {
	w.begin()
	if w.out.Tables() > 0 || w.reference != "" {
		w.out.Text(b)
	} else {
		w.out.Run(b)
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

// name writes what is not text.
func (w *writer) name(what, description string) {
	w.add(documents.Placeholder(what, description))
	w.image = ""
}

// refer writes the reference to a note or comment.
func (w *writer) refer(what string, s *markup.Scanner) {
	w.add([]byte("[" + what + s.Attr("id") + "]"))
}

// note begins a note or comment.
func (w *writer) note(s *markup.Scanner) {
	if s.Attr("type") != "" { // a separator
		s.Skip()
		return
	}
	if w.section != "" {
		w.out.Mark(documents.Mark{Kind: documents.Section, Name: w.section})
		w.section = ""
	}
	w.label, w.author = "["+w.reference+s.Attr("id")+"] ", ""
	if author := s.Attr("author"); author != "" {
		w.author = author + ": "
	}
}
