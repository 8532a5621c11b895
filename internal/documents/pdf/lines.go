package pdf

import (
	"encoding/binary"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// brokenWord is the character that PDFium writes for a hyphen where a word continues on the next
// line.
const brokenWord = '\ufffe'

// maxLine is the length of the lines, in characters, in which the order of words is restored. A
// longer line is written in parts.
const maxLine = 4096

// lines writes the lines of page n, which PDFium gives as UTF-16.
func (d *document) lines(n int, page []byte) {
	l := lineWriter{d: d, page: n}
	for len(page) >= 2 {
		c := rune(binary.LittleEndian.Uint16(page))
		page = page[2:]
		if utf16.IsSurrogate(c) && len(page) >= 2 {
			low := rune(binary.LittleEndian.Uint16(page))
			c = utf16.DecodeRune(c, low)
			if c != utf8.RuneError {
				page = page[2:]
			}
		}
		l.add(c)
	}
	l.end()
}

// A lineWriter collects the characters of a line.
type lineWriter struct {
	d      *document
	page   int
	begun  bool // the page has text
	broken bool // the last word continues on the next line
	line   []rune
	utf8   []byte
}

func (l *lineWriter) add(c rune) {
	switch {
	case c == 0 || c == '\r':
	case c == brokenWord:
		l.broken = true
	case c == '\n' && l.broken:
	case c == '\n', l.broken && unicode.IsSpace(c):
		l.end()
	default:
		l.line = append(l.line, c)
		if len(l.line) == maxLine {
			l.write()
		}
	}
}

// end ends the line. Empty lines are not written.
func (l *lineWriter) end() {
	l.write()
	l.d.w.End()
	l.broken = false
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
