package docx

import (
	"strconv"

	"gander/internal/documents"
	"gander/internal/documents/markup"
)

// A text writes the paragraphs and tables of a part.
type text struct {
	w      *documents.Writer
	styles map[string]style
	lists  map[string]*levels
	counts map[level]int // how many numbered items there are so far

	section   string // the name of the section, until its mark is written
	reference string // what precedes the number of a note or comment; empty in the document

	last      level  // the level of the last item
	paragraph style  // as the current paragraph and its style specify
	begun     bool   // text of the paragraph can follow
	label     string // written before the next paragraph: the number of a note
	author    string // written after the label
	image     string // description of the current drawing
}

// piece writes a piece of a part.
func (t *text) piece(s *markup.Scanner) error {
	switch s.Kind {
	case markup.Start:
		t.start(s)
	case markup.End:
		t.end(s)
	case markup.Text:
		if s.Parent(0) == "t" {
			t.add(s.Text)
		}
	}
	return t.w.Err()
}

func (t *text) start(s *markup.Scanner) {
	switch s.Name {
	case "Fallback", "del", "moveFrom", "sectPr", "rt",
		"pPrChange", "rPrChange", "tblPrChange", "tcPrChange", "trPrChange":
		s.Skip()
	case "p":
		t.w.Break()
		t.paragraph, t.begun = style{}, false
	case "pStyle":
		t.paragraph = t.paragraph.with(t.resolve(s.Attr("val")))
	case "outlineLvl", "numId", "ilvl":
		t.paragraph.property(s)
	case "tbl":
		t.w.StartTable()
	case "tr":
		t.w.Row()
	case "tc":
		t.w.Cell()
	case "footnote", "endnote", "comment":
		t.note(s)
	default:
		t.content(s)
	}
}

// content writes an element of a run that is not text.
func (t *text) content(s *markup.Scanner) {
	switch s.Name {
	case "tab":
		if s.Parent(1) == "r" && !t.w.Blank() { // otherwise a tab stop, or an indent
			t.add([]byte{'\t'})
		}
	case "br", "cr":
		t.lineBreak()
	case "noBreakHyphen":
		t.add([]byte{'-'})
	case "sym":
		if n, err := strconv.ParseUint(s.Attr("char"), 16, 16); err == nil {
			t.add([]byte(string(rune(n))))
		}
	case "footnoteReference":
		t.refer(footnote, s)
	case "endnoteReference":
		t.refer(endnote, s)
	case "commentReference":
		t.refer(comment, s)
	case "docPr":
		t.image = s.Attr("descr")
	case "pic":
		t.name("image", t.image)
	case "imagedata":
		t.name("image", s.Attr("title"))
	case "chart":
		t.name("chart", t.image)
	case "relIds":
		t.name("diagram", t.image)
	case "OLEObject":
		t.name("object", s.Attr("ProgID"))
	case "altChunk":
		t.name("embedded document", "")
	}
}

func (t *text) end(s *markup.Scanner) {
	switch s.Name {
	case "pPr":
		t.begin()
	case "p":
		t.endParagraph()
	case "tr":
		t.w.EndRow()
	case "tbl":
		t.w.EndTable()
	}
}

// resolve returns a style with what it inherits.
func (t *text) resolve(id string) style {
	s := t.styles[id]
	for range 16 { // styles can be based on each other in a circle
		base, ok := t.styles[s.based]
		if !ok {
			break
		}
		s = s.with(base)
		s.based = base.based
	}
	return s
}

// begin begins the current paragraph, once.
func (t *text) begin() {
	if t.begun {
		return
	}
	t.begun = true
	p := t.paragraph
	at, inTable := level{p.list, p.indent}, t.w.Tables() > 0
	switch {
	case t.label != "":
		t.w.Begin(t.label)
		t.w.Text([]byte(t.author))
		t.label = ""
	case t.reference != "":
		if !inTable {
			t.w.End()
		}
	case p.isItem() && inTable:
		t.nextBullet(at) // which a table does not show
	case inTable:
	case p.isHeading():
		t.w.Heading(p.heading)
	case p.isItem():
		t.beginItem(at)
	default:
		t.w.Gap()
	}
}

// beginItem begins an item. A list with numbers and one without are apart.
func (t *text) beginItem(at level) {
	if at.list != t.last.list && t.numbering(at).numbered != t.numbering(t.last).numbered {
		t.w.Gap()
	}
	t.last = at
	t.w.Item(at.indent, t.nextBullet(at))
}

func (t *text) endParagraph() {
	if t.w.Tables() > 0 || t.paragraph.isItem() || t.reference != "" {
		t.w.Break()
	} else {
		t.w.Gap()
	}
	t.paragraph, t.begun = style{}, false
}

// A level is a level of a list, from 0.
type level struct {
	list   string
	indent int
}

// numbering returns how the items of a level are numbered.
func (t *text) numbering(at level) numbering {
	if levels := t.lists[at.list]; levels != nil {
		return levels[at.indent]
	}
	return numbering{}
}

// maxCounts is the number of levels of lists whose items are counted.
const maxCounts = 10_000

// nextBullet counts the next item of a list, and returns its bullet or number. The items of deeper
// levels that follow are counted anew.
func (t *text) nextBullet(at level) string {
	for i := at.indent + 1; i <= maxLevel; i++ {
		delete(t.counts, level{at.list, i})
	}
	n := t.numbering(at)
	if !n.numbered || len(t.counts) > maxCounts {
		return documents.Bullet
	}
	if _, ok := t.counts[at]; !ok {
		t.counts[at] = n.first - 1
	}
	t.counts[at]++
	return strconv.Itoa(t.counts[at]) + "."
}

// add adds text to the current paragraph.
func (t *text) add(b []byte) {
	t.begin()
	if t.w.Tables() > 0 || t.reference != "" {
		t.w.Text(b)
	} else {
		t.w.Run(b)
	}
}

// lineBreak begins a new line of the paragraph, unless it is at its start.
func (t *text) lineBreak() {
	switch {
	case t.w.Blank():
	case t.paragraph.isHeading() || t.w.Tables() > 0:
		t.add([]byte{' '})
	default:
		t.w.End()
	}
}

// name writes what is not text.
func (t *text) name(what, description string) {
	t.add(documents.Placeholder(what, description))
	t.image = ""
}

// refer writes the reference to a note or comment.
func (t *text) refer(what string, s *markup.Scanner) {
	t.add([]byte("[" + what + s.Attr("id") + "]"))
}

// note begins a note or comment.
func (t *text) note(s *markup.Scanner) {
	if s.Attr("type") != "" { // a separator
		s.Skip()
		return
	}
	if t.section != "" {
		t.w.Mark(documents.Mark{Kind: documents.Section, Name: t.section})
		t.section = ""
	}
	t.label, t.author = "["+t.reference+s.Attr("id")+"] ", ""
	if author := s.Attr("author"); author != "" {
		t.author = author + ": "
	}
}
