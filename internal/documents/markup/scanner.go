// Package markup reads XML, and XHTML that is not quite XML, in pieces: tags and text. Its memory
// does not depend on the input. It does not expand entities that a document declares.
package markup

import (
	"bufio"
	"bytes"
	"cmp"
	"html"
	"io"
	"slices"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"gander/internal/documents"
	"gander/internal/files/text"
)

// Limits of a document in XML.
const (
	maxTag  = 64 << 10 // bytes of a tag without long values
	maxOpen = 256      // open elements
	maxName = 256      // bytes of the name of an element
)

// A Piece is the kind of a piece that a [Scanner] reads: the start or the end of an element, or
// text.
type Piece byte

// The pieces of XML. Text comes in chunks of whole characters.
const (
	Start Piece = iota + 1
	End
	Text
)

// A Scanner reads XML. Elements and attributes are known by their local names. An element without
// content has a start and an end too.
type Scanner struct {
	Piece Piece
	Name  string // the element that starts or ends, without its prefix
	Text  []byte // valid until the next piece

	part    string // for errors
	r       *bufio.Reader
	html    bool
	out     *documents.Writer // its error ends the scan
	f       func(s *Scanner)
	started bool     // an element has started
	open    []string // names of the open elements
	skipped int      // the depth of the element that is skipped, from 1, or 0
	stopped bool     // the rest of the input is not read

	tag        []byte // the last tag
	attributes []byte // the part of it that follows the name
}

// decode returns r in UTF-8. It knows UTF-16 by its byte order mark, or by the zero in its first
// "<".
func decode(r *bufio.Reader) io.Reader {
	first, _ := r.Peek(2)
	decoder := unicode.UTF8.NewDecoder()
	switch string(first) {
	case "<\x00":
		decoder = unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM).NewDecoder()
	case "\x00<":
		decoder = unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM).NewDecoder()
	}
	return transform.NewReader(r, unicode.BOMOverride(decoder))
}

// isPartial reports whether XML cannot end here: an element is open, or there was none.
func (s *Scanner) isPartial() bool {
	if s.html {
		return false
	}
	return len(s.open) > 0 || !s.started
}

// Skip skips the rest of the element that starts, with its end.
func (s *Scanner) Skip() { s.skipped = len(s.open) }

// Stop leaves the rest of the input unread.
func (s *Scanner) Stop() { s.stopped = true }

func (s *Scanner) isDone() bool { return s.stopped || s.out.Err() != nil }

func (s *Scanner) invalid(cause string) error { return documents.Invalidf("%s: %s", s.part, cause) }

// Parent returns the name of the n-th element around the piece, from 0, or "".
func (s *Scanner) Parent(n int) string {
	if s.Piece == Start { // it is open itself
		n++
	}
	if n >= len(s.open) {
		return ""
	}
	return s.open[len(s.open)-1-n]
}

// In reports whether an element with a name is around the piece.
func (s *Scanner) In(name string) bool { return slices.Contains(s.open, name) }

// current returns the name of the innermost open element, or "".
func (s *Scanner) current() string {
	if len(s.open) == 0 {
		return ""
	}
	return s.open[len(s.open)-1]
}

// next reads a tag, a text, or a chunk of it.
func (s *Scanner) next() error {
	b, err := s.r.Peek(1)
	if err != nil {
		return err
	}
	if b[0] != '<' {
		s.text()
		return nil
	}
	b, _ = s.r.Peek(maxOpening)
	switch {
	case bytes.HasPrefix(b, []byte("<![CDATA[")):
		s.discard(len("<![CDATA["))
		return s.inCDATA()
	case s.isRaw(b): // before comments, which need no end there
		s.take(b[:1])
		return nil
	case bytes.HasPrefix(b, []byte("<!--")):
		s.discard(len("<!--"))
		return s.skipTo("-->")
	case bytes.HasPrefix(b, []byte("<?")):
		return s.skipTo("?>")
	case bytes.HasPrefix(b, []byte("<!")):
		return s.skipDoctype()
	case s.html && !isTag(b):
		s.take(b[:1])
		return nil
	}
	s.discard(1)
	return s.element()
}

// emit calls f for a piece, unless that is skipped or f wants no more.
func (s *Scanner) emit(p Piece) {
	switch {
	case s.isDone():
	case s.skipped == 0:
		s.Piece = p
		s.f(s)
	case len(s.open) < s.skipped:
		s.skipped = 0
	}
}

// maxDoctype is the number of bytes of a document type that show whether it declares something.
const maxDoctype = 1 << 10

// maxOpening is the number of bytes from a "<" on that show the kind of a tag.
const maxOpening = 64

// discard removes n bytes, which were peeked.
func (s *Scanner) discard(n int) { _, _ = s.r.Discard(n) }

// maxReference is the length within which an entity ends. The entities of HTML are shorter.
const maxReference = 40

// text reads text up to the next tag, or a chunk of it.
func (s *Scanner) text() {
	b, _ := s.r.Peek(s.r.Buffered())
	n := bytes.IndexByte(b, '<')
	if n < 0 {
		n = wholeText(b)
	}
	if n == 0 { // the chunk begins with a part of a character or of a reference
		b, _ = s.r.Peek(len(b) + maxReference)
		n = bytes.IndexByte(b, '<')
		if n < 0 {
			n = cmp.Or(wholeText(b), len(b))
		}
	}
	if bytes.IndexByte(b[:n], '&') < 0 {
		s.take(b[:n])
		return
	}
	s.Text = []byte(html.UnescapeString(string(b[:n])))
	s.discard(n)
	s.emit(Text)
}

// take makes the next bytes, which were peeked, a text.
func (s *Scanner) take(b []byte) {
	s.Text = b
	s.emit(Text)
	s.discard(len(b))
}

// wholeText returns the length of the prefix of b that does not end within a character or a
// reference.
func wholeText(b []byte) int {
	i := bytes.LastIndexByte(b, '&')
	if i >= 0 && len(b)-i < maxReference {
		b = b[:i]
	}
	return text.WholeCharacters(b)
}

// inCDATA reads the rest of a CDATA section.
func (s *Scanner) inCDATA() error {
	for !s.isDone() {
		b, done, err := s.until("]]>")
		if err != nil {
			return err
		}
		if done {
			s.take(b)
			s.discard(len("]]>"))
			return nil
		}
		s.take(b[:cmp.Or(text.WholeCharacters(b), len(b))])
	}
	return nil
}

// skipTo removes everything up to and including end.
func (s *Scanner) skipTo(end string) error {
	for {
		b, done, err := s.until(end)
		if err != nil {
			return err
		}
		s.discard(len(b))
		if done {
			s.discard(len(end))
			return nil
		}
	}
}

// until returns the input before end, which follows if done, or a chunk of it.
func (s *Scanner) until(end string) (b []byte, done bool, err error) {
	b, err = s.r.Peek(max(len(end)+utf8.UTFMax, s.r.Buffered()))
	i := bytes.Index(b, []byte(end))
	switch {
	case i >= 0:
		return b[:i], true, nil
	case len(b) == 0:
		return nil, false, s.early(err)
	case err != nil: // these are the last bytes, and the next call returns the error
		return b, false, nil
	default:
		return b[:len(b)-len(end)+1], false, nil
	}
}

// skipDoctype removes a document type, with what it declares between brackets.
func (s *Scanner) skipDoctype() error {
	b, _ := s.r.Peek(maxDoctype)
	if n := bytes.IndexByte(b, '>'); n >= 0 && bytes.IndexByte(b[:n], '[') >= 0 {
		return s.skipTo("]>")
	}
	return s.skipTo(">")
}

// early returns the error for the end of the input where it must not end, or err.
func (s *Scanner) early(err error) error {
	if err == io.EOF {
		return s.invalid("it ends early")
	}
	return err
}
