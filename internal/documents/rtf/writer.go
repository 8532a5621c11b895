package rtf

import (
	"bufio"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding"

	"gander/internal/documents"
)

// A writer writes the text of RTF.
type writer struct {
	in     *bufio.Reader
	out    *documents.Writer
	inline documents.Inline
	groups []group // around the text, from the outermost
	ended  bool    // what follows the document is no RTF

	page    encoding.Encoding         // of the document
	fonts   map[int]encoding.Encoding // by the numbers of fonts
	font    int                       // that is defined
	encoded []byte                    // bytes of text that are not decoded yet
	unit    rune                      // the first half of a character in UTF-16, or 0

	inTable bool // the paragraph is in a cell
	begun   bool // it has text
	inRow   bool
	label   []byte // of the item that begins
	deleted bool   // text was left out, because it is deleted
}

// A group has what ends with its brace.
type group struct {
	destination string // see destinations
	starred     bool   // a destination that may be unknown follows
	font        int
	style       documents.Style
	deleted     bool
	fallback    int  // bytes that stand for a character of Unicode
	skipped     int  // of these, still to come
	isLink      bool // the group is the field of a link
	text        []byte
}

// Limits of what is kept: bytes of text, and encodings of fonts.
const (
	maxText  = 4 << 10
	maxFonts = 4096
)

func (w *writer) group() *group {
	if len(w.groups) == 0 {
		w.groups = append(w.groups, group{fallback: 1})
	}
	return &w.groups[len(w.groups)-1]
}

func (w *writer) startGroup() {
	w.decode()
	g := group{fallback: 1}
	if n := len(w.groups); n > 0 {
		g = w.groups[n-1]
	}
	g.starred, g.isLink, g.skipped, g.text = false, false, 0, nil
	w.groups = append(w.groups, g)
}

func (w *writer) endGroup() {
	w.decode()
	last := len(w.groups) - 1
	if last < 0 {
		return
	}
	g := w.groups[last]
	w.groups = w.groups[:last]
	if last == 0 {
		w.ended = true
		return
	}
	if g.isLink {
		w.inline.EndLink()
	}
	around := &w.groups[last-1]
	switch {
	case around.destination != g.destination:
		w.endDestination(g)
	case !g.isText() && len(around.text)+len(g.text) <= maxText:
		around.text = append(around.text, g.text...)
	}
}

// isText reports whether the text is part of the document.
func (g group) isText() bool { return g.destination == "" || destinations[g.destination] }

// startDestination makes the group a destination, such as a footnote.
func (w *writer) startDestination(name string) {
	g := w.group()
	if !g.isText() && name != "fldrslt" { // in one that is no text
		return
	}
	g.destination, g.starred = name, false
	switch name {
	case "footnote":
		w.inline.Insert([]byte("[note: "))
	case "annotation":
		w.inline.Insert([]byte(" [comment: "))
	case "pict":
		w.inline.Insert(documents.Placeholder("image", ""))
	}
	if isAside(name) {
		w.endParagraph()
	}
}

// isAside reports whether a destination is a header or a footer.
func isAside(name string) bool {
	return strings.HasPrefix(name, "header") || strings.HasPrefix(name, "footer")
}

func (w *writer) endDestination(g group) {
	switch g.destination {
	case "footnote", "annotation":
		w.inline.Insert([]byte("]"))
	case "fldinst":
		target, isLink := documents.FieldLink(string(g.text))
		if isLink { // in the group of the field
			w.inline.StartLink(target)
			w.group().isLink = true
		}
	case "listtext", "pntext":
		w.label = g.text
	}
	if isAside(g.destination) {
		w.endParagraph()
	}
}

// addByte adds a byte of text in the encoding of the font.
func (w *writer) addByte(c byte) {
	g := w.group()
	if g.skipped > 0 {
		g.skipped--
		return
	}
	w.encoded = append(w.encoded, c)
	if len(w.encoded) >= maxText {
		w.decode()
	}
}

// decode writes the bytes of text so far.
func (w *writer) decode() {
	if len(w.encoded) == 0 {
		return
	}
	page := w.fonts[w.group().font]
	if page == nil {
		page = w.page
	}
	b, err := page.NewDecoder().Bytes(w.encoded)
	if err != nil {
		b = []byte(strings.ToValidUTF8(string(w.encoded), "\ufffd"))
	}
	w.encoded = w.encoded[:0]
	w.add(b)
}

// add adds text.
func (w *writer) add(b []byte) {
	g := w.group()
	if !g.isText() {
		if len(g.text)+len(b) <= maxText {
			g.text = append(g.text, b...)
		}
		return
	}
	if g.deleted {
		w.deleted = true
		return
	}
	w.inline.Set(g.style)
	w.inline.Add(b)
}

// addRune adds a character of Unicode, of which other characters can stand for each half.
func (w *writer) addRune(n int) {
	g := w.group()
	g.skipped = g.fallback
	r := rune(uint16(n))
	switch {
	case utf16.IsSurrogate(r) && w.unit == 0:
		w.unit = r
		return
	case w.unit != 0:
		r = utf16.DecodeRune(w.unit, r)
		w.unit = 0
	}
	w.add(utf8.AppendRune(nil, r))
}

// write writes text of the paragraph.
func (w *writer) write(b []byte) {
	if !w.begun {
		w.begin()
	}
	if w.out.Tables() > 0 {
		w.out.Text(b)
	} else {
		w.out.Run(b)
	}
}

// begin begins a paragraph with its first text.
func (w *writer) begin() {
	w.begun = true
	g := w.group()
	label := strings.TrimSpace(string(w.label))
	w.label = nil
	switch {
	case isAside(g.destination):
		w.out.Gap()
		w.out.Text([]byte(g.destination[:len("header")] + ": "))
	case w.inTable:
		if w.out.Tables() == 0 {
			w.out.StartTable()
		}
		if !w.inRow {
			w.inRow = true
			w.out.Row()
			w.out.Cell()
		}
	case w.out.Tables() > 0:
		w.out.EndTable()
		w.out.Gap()
	case label == "·" || label == "•" || label == "\uf0b7":
		w.out.Item(0, documents.Bullet)
		return
	default:
		w.out.Gap()
	}
	if label != "" {
		w.out.Text([]byte(label + " "))
	}
}

// endParagraph ends a paragraph. One in a table is part of its cell.
func (w *writer) endParagraph() {
	w.decode()
	w.inline.End()
	switch {
	case w.out.Tables() > 0 && w.inTable:
		w.out.Break()
		return
	case w.out.Tables() > 0:
		w.out.EndTable()
	default:
		w.out.End()
	}
	w.begun = false
}

// endCell ends a cell.
func (w *writer) endCell() {
	w.inline.End()
	w.inTable = true
	if !w.begun || !w.inRow {
		w.begin()
	}
	w.out.Cell()
}
