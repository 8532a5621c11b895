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

// destinations are the destinations that are known, and whether they are text. Others follow a
// "\*", and are no text.
var destinations = map[string]bool{
	"rtf": true, "fldrslt": true, "footnote": true, "annotation": true,
	"header": true, "headerl": true, "headerr": true, "headerf": true,
	"footer": true, "footerl": true, "footerr": true, "footerf": true,
	"shpinst": true, "shppict": true, "shptxt": true, "result": true,

	"fldinst": false, "listtext": false, "pntext": false, "pict": false, "stylesheet": false,
	"fonttbl": false, "colortbl": false, "filetbl": false, "info": false, "nonshppict": false,
	"shprslt": false, "sp": false, "objdata": false, "objclass": false, "bkmkstart": false,
	"bkmkend": false, "xe": false, "tc": false, "ftnsep": false, "ftnsepc": false, "ftncn": false,
	"aftnsep": false, "aftnsepc": false, "aftncn": false, "nonesttables": false,
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
	w.decode()
	g := w.group()
	_, isDestination := destinations[word]
	switch {
	case word == "u":
		w.addRune(n)
	case characters[word] != "":
		w.add([]byte(characters[word]))
	case isDestination:
		w.startDestination(word)
	case g.starred: // a destination that is not known
		if word == "moMath" && g.isText() {
			w.inline.Insert([]byte("[formula]"))
		}
		g.starred, g.destination = false, "unknown"
	default:
		w.property(g, word, n, !given || n != 0)
	}
}

// property sets a property of the document, a font, a paragraph or text.
func (w *writer) property(g *group, word string, n int, isOn bool) {
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
		g.font, w.font = n, n
	case "fcharset":
		page := pages[pageOf[n]]
		if g.destination == "fonttbl" && page != nil && len(w.fonts) < maxFonts {
			w.fonts[w.font] = page
		}
	case "deleted":
		g.deleted = isOn
	case "v":
		g.style.Hidden = isOn
	case "super", "sub", "nosupersub", "plain":
		g.style.Script = 0
		if isOn {
			g.style.Script = map[string]byte{"super": '^', "sub": '_'}[word]
		}
		g.style.Hidden = g.style.Hidden && word != "plain"
	default:
		if g.isText() {
			w.structure(word)
		}
	}
}

// structure ends or begins paragraphs and cells.
func (w *writer) structure(word string) {
	switch word {
	case "par", "sect", "page":
		within := w.group().destination
		if within == "footnote" || within == "annotation" {
			w.addByte(' ')
		} else {
			w.endParagraph()
		}
	case "line":
		w.inline.End()
		w.out.Break()
	case "pard":
		w.inTable = false
	case "intbl":
		w.inTable = true
	case "cell", "nestcell":
		w.endCell()
	case "row", "nestrow":
		w.inRow, w.begun = false, false
	}
}
