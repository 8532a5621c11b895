// Package formula writes the formulas of documents, in OMML or MathML, on one line that has one
// meaning: "(a+b)/c", "x_1^2", "∫_0^1 x^2 dx = 1/3".
package formula

import (
	"strings"

	"gander/internal/documents"
	"gander/internal/documents/markup"
)

// maxBytes is the maximum length of the text in a formula.
const maxBytes = 32 << 10

// A Reader reads a formula in pieces, from the start of its outermost element to its end.
type Reader struct {
	open  []element // around the next piece, from the outermost
	bytes int       // of the text so far
	text  string    // of the formula, when it has ended
}

// An element is an element that has started.
type element struct {
	name       string
	children   []term
	properties map[string]string // of OMML, such as "chr", and attributes of MathML
}

// Starts reports whether an element of a document is a formula.
func Starts(name string) bool { return name == "oMath" || name == "math" }

// Piece reads the next piece, and reports whether the formula has ended.
func (r *Reader) Piece(s *markup.Scanner) (ended bool) {
	switch s.Piece {
	case markup.Start:
		r.start(s)
	case markup.Text:
		r.addText(string(s.Text))
	case markup.End:
		last := len(r.open) - 1
		e := r.open[last]
		r.open = r.open[:last]
		if last == 0 {
			r.text = joined(e.children).text
			return true
		}
		isProperties := strings.HasSuffix(e.name, "Pr") || e.name == "mprescripts"
		if isProperties {
			return false
		}
		parent := &r.open[last-1]
		if t := e.term(); t.text != "" || isOperand(parent.name) {
			parent.children = append(parent.children, t)
		}
	}
	return false
}

// Text returns the text of the formula.
func (r *Reader) Text() []byte { return []byte(strings.TrimSpace(r.text)) }

func (r *Reader) start(s *markup.Scanner) {
	switch s.Name {
	case "annotation", "annotation-xml", "mphantom", "rPr", "ctrlPr":
		s.Skip()
		return
	}
	e := element{name: s.Name}
	if last := len(r.open) - 1; last >= 0 && strings.HasSuffix(r.open[last].name, "Pr") {
		owner := &r.open[max(last-1, 0)]
		owner.set(s.Name, s.Attr("val"))
	}
	for _, name := range []string{"open", "close", "separators", "linethickness"} {
		if s.Name == "mfenced" || s.Name == "mfrac" {
			e.setOnce(name, s)
		}
	}
	r.open = append(r.open, e)
}

// set sets a property of an element that is known by its presence, too.
func (e *element) set(name, value string) {
	if e.properties == nil {
		e.properties = map[string]string{}
	}
	e.properties[name] = documents.Name(value)
}

func (e *element) setOnce(name string, s *markup.Scanner) {
	if s.Has(name) {
		e.set(name, s.Attr(name))
	}
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
	e := &r.open[len(r.open)-1]
	r.bytes += len(s)
	if r.bytes > maxBytes {
		s = ""
		if r.bytes-len(s) <= 2*maxBytes { // said once
			s = " (the rest of this formula is too long) "
			r.bytes += 2 * maxBytes
		}
	}
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

// isOperand reports whether each child of an element has a meaning by its place, even an empty one.
func isOperand(name string) bool {
	switch name {
	case "f", "sSup", "sSub", "sSubSup", "sPre", "rad", "nary", "d", "func", "limLow", "limUpp", "m",
		"mr", "mfrac", "msup", "msub", "msubsup", "mroot", "munder", "mover", "munderover", "mtable",
		"mtr", "mlabeledtr", "mfenced", "mmultiscripts", "eqArr":
		return true
	}
	return false
}
