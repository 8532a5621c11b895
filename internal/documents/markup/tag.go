package markup

import (
	"bytes"
	"errors"
	"html"
	"iter"
	"slices"
	"strconv"
	"strings"

	"gander/internal/documents"
)

const white = " \t\r\n"

// element reads the rest of a tag.
func (s *Scanner) element() error {
	err := s.readTag()
	if err != nil {
		return err
	}
	tag := s.tag
	closing := bytes.HasPrefix(tag, []byte("/"))
	tag = bytes.TrimPrefix(tag, []byte("/"))
	content, empty := bytes.CutSuffix(tag, []byte("/"))
	n := bytes.IndexAny(content, white)
	if n < 0 {
		n = len(content)
	}
	name, err := s.localName(content[:n])
	if err != nil {
		return err
	}
	s.attributes = content[n:]
	if closing {
		return s.end(name)
	}
	for s.html && slices.Contains(endedBy[s.current()], name) {
		s.endCurrent()
	}
	s.Name, s.started = name, true
	s.open = append(s.open, name)
	if len(s.open) > maxOpen {
		return documents.TooLargef("%s: more than %d nested elements", s.part, maxOpen)
	}
	s.emit(Start)
	if empty || s.html && voids[name] {
		s.endCurrent()
	}
	return nil
}

// readTag reads what is between "<" and ">". It empties the value in which a tag becomes too long,
// such as an image as a URL.
func (s *Scanner) readTag() error {
	s.tag = s.tag[:0]
	quote := byte(0)
	for len(s.tag) < maxTag {
		_, err := s.r.Peek(1)
		if err != nil {
			return s.early(err)
		}
		b, _ := s.r.Peek(min(s.r.Buffered(), maxTag-len(s.tag)))
		n := tagEnd(b, &quote)
		s.tag = append(s.tag, b[:n]...)
		s.discard(n)
		if n < len(b) {
			s.discard(1)
			return nil
		}
		if len(s.tag) < maxTag || quote == 0 {
			continue
		}
		err = s.emptyValue(quote)
		if err != nil {
			return err
		}
		quote = 0
	}
	return documents.TooLargef("%s: a tag of more than %d KiB", s.part, maxTag>>10)
}

// emptyValue removes the value with which the tag ends so far, and skips the rest of it.
func (s *Scanner) emptyValue(quote byte) error {
	begin := bytes.LastIndexByte(s.tag, quote) + 1
	s.tag = append(s.tag[:begin], quote)
	return s.skipTo(string(quote))
}

// tagEnd returns the index of the ">" that ends a tag, or len(b). The quote is that of the
// attribute value in which b begins, and is changed to that in which it ends.
func tagEnd(b []byte, quote *byte) int {
	for i, c := range b {
		switch {
		case *quote != 0:
			if c == *quote {
				*quote = 0
			}
		case c == '"' || c == '\'':
			*quote = c
		case c == '>':
			return i
		}
	}
	return len(b)
}

// localName returns a name without its prefix, in lower case for HTML.
func (s *Scanner) localName(name []byte) (string, error) {
	local := string(name[bytes.IndexByte(name, ':')+1:])
	if local == "" || len(local) > maxName {
		return "", s.invalid("it is not XML")
	}
	if s.html {
		local = strings.ToLower(local)
	}
	return local, nil
}

// end ends the innermost element, which must have the name. In HTML, other ends are ignored or end
// what is in their element.
func (s *Scanner) end(name string) error {
	if !s.html && s.current() != name {
		return s.invalid("the tags of its XML do not match")
	}
	if !slices.Contains(s.open, name) {
		return nil
	}
	for s.current() != name {
		s.endCurrent()
	}
	s.endCurrent()
	return nil
}

// endCurrent ends the innermost element.
func (s *Scanner) endCurrent() {
	s.Name = s.current()
	s.open = s.open[:len(s.open)-1]
	s.emit(End)
}

// allAttributes yields the names and values of the attributes.
func (s *Scanner) allAttributes() iter.Seq2[[]byte, []byte] {
	return func(yield func(name, value []byte) bool) {
		rest := s.attributes
		for {
			before, after, ok := bytes.Cut(rest, []byte("="))
			if !ok {
				return
			}
			before = bytes.TrimRight(before, white)
			name := before[bytes.LastIndexAny(before, white)+1:] // after attributes without a value
			var value []byte
			value, rest, ok = s.cutValue(bytes.TrimLeft(after, white))
			if !ok || !yield(name, value) {
				return
			}
		}
	}
}

// cutValue returns the value of an attribute, with which b begins, and what follows it. In HTML, it
// needs no quotes.
func (s *Scanner) cutValue(b []byte) (value, rest []byte, ok bool) {
	isQuoted := len(b) > 0 && (b[0] == '"' || b[0] == '\'')
	switch {
	case isQuoted:
		return bytes.Cut(b[1:], b[:1])
	case s.html:
		n := bytes.IndexAny(b, white)
		if n < 0 {
			n = len(b)
		}
		return b[:n], b[n:], true
	}
	return nil, nil, false
}

// Attr returns the value of an attribute of the element that starts, by its local name.
func (s *Scanner) Attr(local string) string {
	value, _ := s.find(local, false)
	return value
}

// Prefixed is [Scanner.Attr] for an attribute with a prefix, where another one without a prefix has
// the same local name.
func (s *Scanner) Prefixed(local string) string {
	value, _ := s.find(local, true)
	return value
}

// Has reports whether the element that starts has an attribute, by its local name.
func (s *Scanner) Has(local string) bool {
	_, found := s.find(local, false)
	return found
}

// find returns the value of the first attribute with a local name, or of the first that also has a
// prefix. The prefix xmlns does not count: it is that of declarations.
func (s *Scanner) find(local string, needsPrefix bool) (value string, found bool) {
	for name, value := range s.allAttributes() {
		prefix, after, hasPrefix := bytes.Cut(name, []byte(":"))
		isLocal := !needsPrefix && string(name) == local
		if isLocal || hasPrefix && string(after) == local && string(prefix) != "xmlns" {
			return html.UnescapeString(string(value)), true
		}
	}
	return "", false
}

// Integer returns an attribute as an integer of 32 bits, which can be negative, or other if it is
// none.
func (s *Scanner) Integer(local string, other int) int {
	n, err := strconv.ParseInt(s.Attr(local), 10, 32)
	if err != nil {
		return other
	}
	return int(n)
}

// Number returns an attribute as the nearest number from 0 to a maximum, and 0 if it is none.
func (s *Scanner) Number(local string, maximum int) int {
	n, err := strconv.Atoi(s.Attr(local))
	if err != nil && !errors.Is(err, strconv.ErrRange) { // for which n is the nearest integer
		return 0
	}
	return min(max(n, 0), maximum)
}
