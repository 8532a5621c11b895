// Package charset decides whether the beginning of a file is text, and in which encoding.
package charset

import (
	"bytes"
	"fmt"
	"io"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
	"golang.org/x/text/transform"

	"gander/internal/files/text"
)

// HeadSize is how much of the beginning of a file decides, in bytes.
const HeadSize = 64 << 10

// An Encoding is how a text is stored. The zero value is UTF-8 without a byte order mark.
type Encoding struct {
	Name    string // as results show it, or "" for UTF-8
	Mark    int64  // the size of the byte order mark, in bytes
	Guessed bool   // from the frequency of characters
	decoded encoding.Encoding
}

// IsUTF8 reports whether the text needs no decoding.
func (e Encoding) IsUTF8() bool { return e.decoded == nil }

// NewDecoder returns a decoder of the text after the mark. It has no state between characters.
func (e Encoding) NewDecoder() transform.Transformer { return e.decoded.NewDecoder() }

// Reader decodes a text, whose mark it skips.
func (e Encoding) Reader(text *io.SectionReader) io.Reader {
	after := io.NewSectionReader(text, e.Mark, max(text.Size()-e.Mark, 0))
	if e.IsUTF8() {
		return after
	}
	return transform.NewReader(after, e.NewDecoder())
}

// Named returns the encoding with a label of the WHATWG's standard, such as "gbk" or "latin1".
func Named(label string) (Encoding, error) {
	for _, m := range marks {
		if label == m.label {
			return Encoding{Name: m.name, decoded: m.encoding}, nil
		}
	}
	e, err := htmlindex.Get(label)
	name, nameErr := htmlindex.Name(e)
	switch {
	case err != nil, nameErr != nil, name == "replacement", e == japanese.ISO2022JP:
		return Encoding{}, fmt.Errorf("there is no encoding %.60q; give one such as utf-8, utf-16le, "+
			"windows-1252, windows-1251, gbk, big5, shift_jis, euc-jp or euc-kr", label)
	case e == unicode.UTF8:
		return Encoding{}, nil
	}
	return Encoding{Name: name, decoded: e}, nil
}

// A mark is a byte order mark.
type mark struct {
	bytes, name, label string
	encoding           encoding.Encoding
}

var marks = []mark{
	{"\xff\xfe\x00\x00", "UTF-32", "utf-32le", utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM)},
	{"\x00\x00\xfe\xff", "UTF-32", "utf-32be", utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM)},
	{"\xff\xfe", "UTF-16", "utf-16le", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)},
	{"\xfe\xff", "UTF-16", "utf-16be", unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)},
	{"\xef\xbb\xbf", "UTF-8 with a byte order mark", "", nil},
}

// Marked returns the encoding that a byte order mark names, if the text begins with one.
func Marked(head []byte) (Encoding, bool) {
	for _, m := range marks {
		if bytes.HasPrefix(head, []byte(m.bytes)) {
			return Encoding{Name: m.name, Mark: int64(len(m.bytes)), decoded: m.encoding}, true
		}
	}
	return Encoding{}, false
}

// IsUTF8 reports whether the beginning of a file is UTF-8 without a NUL, or with few of them and of
// other control characters. The end may be part of a character.
func IsUTF8(head []byte) bool {
	isText := bytes.IndexByte(head, 0) < 0 || fewControls(head)
	return isText && utf8.Valid(head[:text.WholeCharacters(head)])
}

// fewControls reports whether at most one in sixteen characters is a control that text rarely has.
func fewControls(head []byte) bool {
	n := 0
	for _, c := range head {
		isFormat := '\a' <= c && c <= '\r' || c == '\x1b' || c == '\x1a'
		if c < ' ' && !isFormat {
			n++
		}
	}
	return n <= len(head)/16
}
