package formula

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A kind says how tightly a term holds together.
type kind byte

const (
	sum      kind = iota // has an operator or a relation
	product              // terms one after the other
	fraction             // with a slash
	word                 // such as "sin": a space is around it
	script               // with an exponent or an index
	atom                 // a letter, a number, or in parentheses
)

// A term is a part of a formula.
type term struct {
	text    string
	kind    kind
	isToken bool // the text of the document as it is
}

const (
	signs     = "+-−±∓,;"
	relations = "=<>≤≥≠≈≡≅∼∝→←↔⇒⇐⇔∈∉⊂⊆↦"
)

// token returns a text as a term, with spaces around relations.
func token(s string) term {
	var b strings.Builder
	for _, r := range s {
		switch {
		case strings.ContainsRune(relations, r):
			b.WriteString(" " + string(r) + " ")
		case '\u2061' <= r && r <= '\u2064': // invisible operators
		case unicode.IsSpace(r):
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
	}
	return tokenOf(b.String())
}

// tokenOf returns a term of a text in which relations have spaces.
func tokenOf(s string) term {
	t := term{text: s, kind: product, isToken: true}
	trimmed := strings.TrimSpace(s)
	isNumber := trimmed != "" && strings.Trim(trimmed, "0123456789.,") == ""
	first, size := utf8.DecodeRuneInString(trimmed)
	rest := strings.TrimFunc(trimmed[size:], func(r rune) bool { return unicode.Is(unicode.M, r) })
	isLetter := !strings.ContainsRune(signs+relations, first) && rest == ""
	switch {
	case isNumber || isLetter || isEnclosed(trimmed):
		t.kind = atom
	case strings.ContainsAny(s, signs+relations):
		t.kind = sum
	}
	return t
}

// grouped returns the text of a term, in parentheses unless it is at least of a kind.
func (t term) grouped(least kind) string {
	if t.kind >= least {
		return strings.TrimSpace(t.text)
	}
	return "(" + strings.TrimSpace(t.text) + ")"
}

// joined returns terms one after the other.
func joined(all []term) term {
	var terms []term
	for _, t := range all { // tokens can be cut anywhere
		last := len(terms) - 1
		if t.isToken && t.kind != word && last >= 0 && terms[last].isToken && terms[last].kind != word {
			terms[last] = tokenOf(terms[last].text + t.text)
		} else {
			terms = append(terms, t)
		}
	}
	if len(terms) == 1 {
		terms[0].isToken = false
		return terms[0]
	}
	var b strings.Builder
	result := term{kind: product}
	for n, t := range terms {
		before := b.String()
		after := ""
		if n+1 < len(terms) {
			after = terms[n+1].text
		}
		text := t.text
		if t.kind == fraction && (endsOperand(before) || beginsOperand(after)) {
			text = t.grouped(atom)
		}
		needsSpace := n > 0 && (t.kind == word || terms[n-1].kind != atom && !terms[n-1].isToken ||
			terms[n-1].kind == word || t.kind == fraction)
		if needsSpace && endsOperand(before) && beginsOperand(text) {
			b.WriteByte(' ')
		}
		b.WriteString(text)
		if t.kind == sum {
			result.kind = sum
		}
	}
	result.text = strings.Join(strings.Fields(b.String()), " ")
	if isEnclosed(result.text) {
		result.kind = atom
	}
	return result
}

// isEnclosed reports whether a text is in parentheses as a whole.
func isEnclosed(s string) bool {
	if !strings.HasPrefix(s, "(") || !strings.HasSuffix(s, ")") {
		return false
	}
	depth := 0
	for i, c := range []byte(s) {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 && i < len(s)-1 {
			return false
		}
	}
	return true
}

// endsOperand reports whether a text ends with a letter, a number or a bracket, and beginsOperand
// whether it begins with one.
func endsOperand(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return unicode.In(r, unicode.L, unicode.Nd, unicode.M) || strings.ContainsRune(")]}", r)
}

func beginsOperand(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("([{√∫∑∏", r)
}
