package pdf

import (
	"encoding/binary"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// hyphenOrUnknown is the character that PDFium writes for a character without Unicode, and for a hyphen
// with the line end after it, where a word continues on the next line.
const hyphenOrUnknown = '\ufffe'

// maxLine is the length of the lines, in characters, in which the order of words is restored. A
// longer line is written in parts.
const maxLine = 4096

// lines writes the lines of page n, which PDFium gives as UTF-16.
func (d *document) lines(n int, page []byte) {
	l := lineWriter{d: d, page: n}
	for len(page) > 0 {
		var c rune
		c, page = cutCharacter(page)
		if c == hyphenOrUnknown {
			after, _ := cutCharacter(page)
			l.addHyphenOrUnknown(after)
		} else {
			l.add(c)
		}
	}
	l.end()
}

// cutCharacter returns the first character of UTF-16 and the rest, or 0 if there is none.
func cutCharacter(utf16LE []byte) (c rune, rest []byte) {
	if len(utf16LE) < 2 {
		return 0, nil
	}
	c, rest = rune(binary.LittleEndian.Uint16(utf16LE)), utf16LE[2:]
	if !utf16.IsSurrogate(c) || len(rest) < 2 {
		return c, rest
	}
	c = utf16.DecodeRune(c, rune(binary.LittleEndian.Uint16(rest)))
	if c == utf8.RuneError { // the second is no half of it
		return c, rest
	}
	return c, rest[2:]
}

// A lineWriter collects the characters of a line.
type lineWriter struct {
	d      *document
	page   int
	begun  bool // the page has text
	joined bool // the line continues with the rest of a word, and ends after it
	line   []rune
	utf8   []byte
}

func (l *lineWriter) add(c rune) {
	switch {
	case c == 0 || c == '\r':
	case c == '\n', l.joined && unicode.IsSpace(c):
		l.end()
	default:
		if len(l.line) == maxLine {
			l.write()
		}
		l.line = append(l.line, c)
	}
}

// addHyphenOrUnknown joins the parts of a word if the line and the character after it are such parts.
// Otherwise it adds U+FFFD for the unknown character.
func (l *lineWriter) addHyphenOrUnknown(after rune) {
	n := len(l.line)
	isInWord := unicode.IsLetter(after) || unicode.IsDigit(after)
	if isInWord && n > 0 && unicode.IsLetter(l.line[n-1]) {
		l.joined = true
	} else {
		l.add(utf8.RuneError)
	}
}

// end ends the line. Empty lines are not written.
func (l *lineWriter) end() {
	l.write()
	l.d.w.End()
	l.joined = false
}

// write writes the characters of the line that are not written.
func (l *lineWriter) write() {
	readingOrder(l.line)
	l.utf8 = l.utf8[:0]
	for _, c := range l.line {
		l.utf8 = utf8.AppendRune(l.utf8, c)
		if !l.begun && !unicode.IsSpace(c) {
			l.d.begin(l.page)
			l.begun = true
		}
	}
	l.line = l.line[:0]
	if l.begun {
		l.d.w.Run(l.utf8)
	}
}
