// Package formula writes the formulas of documents, in OMML or MathML, on one line that has one
// meaning: "(a+b)/c", "x_1^2", "∫_0^1 x^2 dx = 1/3".
package formula

import (
	"strings"

	"gander/internal/documents"
	"gander/internal/documents/markup"
)

// maxBytes limits a formula: the text of its elements and their names.
const maxBytes = 32 << 10

// A Reader reads the formulas among the pieces of a document. Its zero value is ready for use.
type Reader struct {
	open  []element // around the next piece, from the outermost element of the formula
	bytes int       // of the text and the names of elements so far
}

// An element is an element that has started.
type element struct {
	name       string
	children   []term
	properties map[string]string // of OMML, such as "chr", and attributes of MathML
}

// Read reads a piece, and reports whether that is part of a formula. Where the formula ends, it
// passes the text to write.
func (r *Reader) Read(s *markup.Scanner, write func([]byte)) bool {
	isFormula := s.Name == "oMath" || s.Name == "math"
	if len(r.open) == 0 && (s.Piece != markup.Start || !isFormula) {
		return false
	}
	switch s.Piece {
	case markup.Start:
		r.start(s)
	case markup.Text:
		r.addText(string(s.Text))
	case markup.End:
		last := len(r.open) - 1
		e := r.open[last]
		r.open = r.open[:last]
		if last > 0 {
			r.open[last-1].add(e)
			break
		}
		text := strings.TrimSpace(joined(e.children).text)
		if r.bytes > maxBytes {
			text += " (the rest of this formula is too long)"
		}
		r.bytes = 0
		write([]byte(text))
	}
	return true
}

// add adds an element that has ended. One without text is an operand, too, if it is in its place.
func (e *element) add(child element) {
	isProperties := strings.HasSuffix(child.name, "Pr") || child.name == "mprescripts"
	if isProperties {
		return
	}
	if t := child.term(); t.text != "" || operators[e.name] {
		e.children = append(e.children, t)
	}
}

func (r *Reader) start(s *markup.Scanner) {
	r.bytes += len(s.Name)
	isIgnored := r.bytes > maxBytes || ignored[s.Name]
	if isIgnored {
		s.Skip()
		return
	}
	e := element{name: s.Name, properties: map[string]string{}}
	if last := len(r.open) - 1; last > 0 && strings.HasSuffix(r.open[last].name, "Pr") {
		r.open[last-1].properties[s.Name] = documents.Name(s.Attr("val"))
	}
	for _, name := range []string{"open", "close", "separators", "linethickness"} {
		if s.Has(name) {
			e.properties[name] = documents.Name(s.Attr(name))
		}
	}
	r.open = append(r.open, e)
}

// ignored are the elements that say nothing about the text.
var ignored = map[string]bool{
	"annotation": true, "annotation-xml": true, "mphantom": true, "rPr": true, "ctrlPr": true,
}

// property returns a property, or another value if it is not set.
func (e element) property(name, other string) string {
	if value, ok := e.properties[name]; ok {
		return value
	}
	return other
}

// addText adds text to the innermost element, if that can have some.
func (r *Reader) addText(s string) {
	r.bytes += len(s)
	if r.bytes > maxBytes {
		return
	}
	e := &r.open[len(r.open)-1]
	switch e.name {
	case "t", "mn", "mo":
		e.children = append(e.children, token(s))
	case "mi", "mtext", "ms":
		t := token(strings.TrimSpace(s))
		if len([]rune(t.text)) > 1 {
			t.kind = word
		}
		e.children = append(e.children, t)
	}
}

// operators are the elements in which the place of a child says what it means.
var operators = map[string]bool{
	"f": true, "sSup": true, "sSub": true, "sSubSup": true, "sPre": true, "rad": true, "nary": true,
	"d": true, "func": true, "limLow": true, "limUpp": true, "m": true, "mr": true, "eqArr": true,
	"mfrac": true, "msup": true, "msub": true, "msubsup": true, "mroot": true, "munder": true,
	"mover": true, "munderover": true, "mtable": true, "mtr": true, "mlabeledtr": true,
	"mfenced": true, "mmultiscripts": true,
}
