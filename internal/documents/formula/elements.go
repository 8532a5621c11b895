package formula

import "strings"

// child returns the n-th child, which can be missing.
func (e element) child(n int) term {
	if n < len(e.children) {
		return e.children[n]
	}
	return term{kind: atom}
}

// term returns the element as a term.
func (e element) term() term {
	switch e.name {
	case "f", "mfrac":
		return e.fraction()
	case "sSub", "msub":
		return scripted(e.child(0), e.child(1), term{})
	case "sSup", "msup":
		return scripted(e.child(0), term{}, e.child(1))
	case "sSubSup", "msubsup", "munderover":
		return scripted(e.child(0), e.child(1), e.child(2))
	case "limLow", "munder":
		return scripted(e.whole(), e.child(1), term{})
	case "limUpp", "mover":
		accent := accents[strings.TrimSpace(e.child(1).text)]
		if accent != "" {
			return accented(e.child(0), accent)
		}
		return scripted(e.whole(), term{}, e.child(1))
	case "sPre": // the scripts are before their base
		scripts := scripted(term{kind: atom}, e.child(0), e.child(1)).text
		return term{text: scripts + " " + e.child(2).grouped(script), kind: product}
	case "mmultiscripts":
		return e.multiscripts()
	case "rad":
		if e.property("degHide", "0") != "0" {
			return root(e.child(len(e.children)-1), term{})
		}
		return root(e.child(1), e.child(0))
	case "msqrt":
		return root(joined(e.children), term{})
	case "mroot":
		return root(e.child(0), e.child(1))
	case "nary":
		return e.nary()
	case "func":
		name, argument := e.child(0), e.child(1).grouped(product)
		if name.kind == script || !strings.HasPrefix(argument, "(") {
			argument = " " + argument
		}
		return term{text: strings.TrimSpace(name.text) + argument, kind: product}
	case "d":
		separator := e.property("sepChr", "|")
		return term{
			text: e.property("begChr", "(") + e.list(separator) + e.property("endChr", ")"), kind: atom,
		}
	case "mfenced":
		separator := strings.TrimSpace(e.property("separators", ",")) + " "
		return term{
			text: e.property("open", "(") + e.list(separator) + e.property("close", ")"), kind: atom,
		}
	case "acc":
		return accented(e.child(0), e.property("chr", "\u0302"))
	case "bar":
		lines := map[string]string{"top": "\u0305", "bot": "\u0332"}
		return accented(e.child(0), lines[e.property("pos", "bot")])
	case "m", "mtable", "eqArr":
		return term{text: "[" + e.list("; ") + "]", kind: atom}
	case "mr", "mtr", "mlabeledtr":
		return term{text: e.list(", "), kind: sum}
	case "mspace":
		return term{text: " ", isToken: true}
	}
	return joined(e.children)
}

// whole returns the base of a limit, such as "lim", which needs no parentheses.
func (e element) whole() term {
	base := e.child(0)
	base.kind = max(base.kind, word)
	return base
}

// list returns the texts of the children with a separator.
func (e element) list(separator string) string {
	var texts []string
	for _, c := range e.children {
		texts = append(texts, strings.TrimSpace(c.text))
	}
	return strings.Join(texts, separator)
}

func (e element) fraction() term {
	upper, lower := e.child(0), e.child(1)
	if e.property("type", "bar") == "noBar" || e.property("linethickness", "1") == "0" {
		return term{text: "binom(" + upper.text + ", " + lower.text + ")", kind: atom}
	}
	least := product
	if strings.Contains(upper.text, " ") || upper.kind == fraction {
		least = script
	}
	return term{text: upper.grouped(least) + "/" + lower.grouped(script), kind: fraction}
}

// scripted returns a base with an index and an exponent, of which each can be empty.
func scripted(base, index, exponent term) term {
	text := base.grouped(word)
	if base.kind == script { // otherwise a power of a power
		text = base.grouped(atom)
	}
	return term{text: text + scriptOf("_", index) + scriptOf("^", exponent), kind: script}
}

func scriptOf(mark string, t term) string {
	signed := tokenOf(strings.TrimLeft(t.text, "+-−"))
	switch {
	case t.text == "":
		return ""
	case t.kind == sum && signed.kind == atom: // such as -1
		return mark + t.text
	}
	return mark + t.grouped(atom)
}

func root(of, degree term) term {
	if degree.text != "" && degree.text != "2" {
		return term{text: "√[" + degree.text + "](" + of.text + ")", kind: script}
	}
	return term{text: "√" + of.grouped(atom), kind: script}
}

// nary returns a large operator with its limits before a term.
func (e element) nary() term {
	operator := e.property("chr", "∫")
	index, exponent, body := e.child(0), e.child(1), e.child(2)
	scripts := scriptOf("_", index) + scriptOf("^", exponent)
	text := body.text
	if body.kind == sum && !strings.ContainsAny(body.text, relations) {
		text = body.grouped(product)
	}
	return term{text: operator + scripts + " " + text, kind: min(body.kind, product)}
}

// accents are the combining characters for the accents of MathML.
var accents = map[string]string{
	"^": "\u0302", "ˆ": "\u0302", "¯": "\u0305", "‾": "\u0305", "ˉ": "\u0305", "_": "\u0305",
	"→": "\u20d7", "⃗": "\u20d7", "~": "\u0303", "˜": "\u0303", ".": "\u0307", "˙": "\u0307",
	"¨": "\u0308",
}

func accented(t term, accent string) term {
	return term{text: t.grouped(atom) + accent, kind: atom}
}

// multiscripts returns a base with pairs of scripts. Those after "mprescripts" are before it.
func (e element) multiscripts() term {
	text := e.child(0).grouped(atom)
	for n := 1; n+1 < len(e.children); n += 2 {
		text += scriptOf("_", e.child(n)) + scriptOf("^", e.child(n+1))
	}
	return term{text: text, kind: script}
}
