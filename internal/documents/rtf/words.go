package rtf

import (
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// pages are the encodings of documents by their numbers.
var pages = map[int]encoding.Encoding{
	437: charmap.CodePage437, 850: charmap.CodePage850, 852: charmap.CodePage852,
	866: charmap.CodePage866, 874: charmap.Windows874, 932: japanese.ShiftJIS,
	936: simplifiedchinese.GBK, 949: korean.EUCKR, 950: traditionalchinese.Big5,
	1250: charmap.Windows1250, 1251: charmap.Windows1251, 1252: charmap.Windows1252,
	1253: charmap.Windows1253, 1254: charmap.Windows1254, 1255: charmap.Windows1255,
	1256: charmap.Windows1256, 1257: charmap.Windows1257, 1258: charmap.Windows1258,
	10000: charmap.Macintosh,
}

// pageOf are the encodings of fonts by their character sets.
var pageOf = map[int]int{
	0: 1252, 77: 10000, 128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258,
	177: 1255, 178: 1256, 186: 1257, 204: 1251, 222: 874, 238: 1250, 255: 437,
}

// characters are the control words that are characters.
var characters = map[string]string{
	"tab": "\t", "emdash": "—", "endash": "–", "emspace": " ", "enspace": " ", "bullet": "•",
	"lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”",
}

// symbol adds the character for a control that is no letter.
func (w *writer) symbol(c byte) {
	switch c {
	case '\\', '{', '}':
		w.addByte(c)
	case '~':
		w.decode()
		w.add([]byte("\u00a0"))
	case '_':
		w.addByte('-')
	case '*':
		w.group().starred = true
	case '\r', '\n':
		w.word("par", 0, false)
	}
}

// word does what a control word says.
func (w *writer) word(word string, n int, given bool) {
	g := w.group()
	if text := characters[word]; text != "" {
		w.decode()
		w.add([]byte(text))
		return
	}
	_, isDestination := destinations[word]
	switch {
	case word == "u":
		w.addRune(n)
		return
	case isDestination:
		w.decode()
		w.startDestination(word)
		return
	case g.starred: // a destination that is not known
		g.starred = false
		if word == "moMath" && g.isText() {
			w.decode()
			w.inline.Insert([]byte("[formula]"))
		}
		g.destination = "private"
		return
	}
	if g.isText() {
		w.structure(word)
	}
	isOn := !given || n != 0
	switch word {
	case "ansicpg":
		if page := pages[n]; page != nil {
			w.page = page
		}
	case "mac":
		w.page = charmap.Macintosh
	case "uc":
		g.fallback = min(max(n, 0), 16)
	case "f":
		w.decode()
		g.font = n
		w.font = n
	case "fcharset":
		page := pages[pageOf[n]]
		isFont := g.destination == "fonttbl" && page != nil
		if isFont && len(w.fonts) < maxDefined {
			w.fonts[w.font] = page
		}
	case "s":
		w.style = n
		if g.isText() {
			w.paragraph.heading = w.styles[n]
		}
	case "outlinelevel":
		if g.isText() && n < 9 {
			w.paragraph.heading = n + 1
		}
	case "deleted":
		w.decode()
		g.deleted = isOn
	case "super", "sub", "nosupersub", "v", "plain":
		w.decode()
		w.format(g, word, isOn)
	}
}

// format sets a property of text.
func (w *writer) format(g *group, word string, isOn bool) {
	switch {
	case word == "v":
		g.hidden = isOn
	case word == "super" && isOn:
		g.script = '^'
	case word == "sub" && isOn:
		g.script = '_'
	default:
		g.script = 0
		g.hidden = g.hidden && word != "plain"
	}
}

// structure ends or begins paragraphs and cells.
func (w *writer) structure(word string) {
	switch word {
	case "par", "sect", "page":
		within := w.group().destination
		if within == "footnote" || within == "annotation" {
			w.addByte(' ')
			return
		}
		w.endParagraph()
	case "line":
		w.decode()
		w.inline.End()
		w.out.Break()
	case "pard":
		w.decode()
		w.paragraph = paragraph{}
	case "intbl":
		w.paragraph.inTable = true
	case "cell", "nestcell":
		w.endCell()
	case "row", "nestrow":
		w.endRow()
	}
}
