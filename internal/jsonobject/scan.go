package jsonobject

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// maxDepth is how deep arrays and objects may be nested, the outermost object included.
const maxDepth = 128

// A scanner goes once over data and checks it. Its methods begin at pos, where the thing they read begins, and leave
// pos behind it, or at what is wrong.
type scanner struct {
	data  []byte
	pos   int
	depth int
}

// A syntaxError says what is wrong where, and within which key.
type syntaxError struct {
	key    string
	inKey  bool
	offset int
	text   string
}

func (e *syntaxError) Error() string {
	if e.inKey {
		return fmt.Sprintf("invalid JSON at byte %d, in %.60q: %s", e.offset+1, e.key, e.text)
	}
	return fmt.Sprintf("invalid JSON at byte %d: %s", e.offset+1, e.text)
}

func (s *scanner) errorf(format string, args ...any) *syntaxError {
	return &syntaxError{offset: s.pos, text: fmt.Sprintf(format, args...)}
}

// within names the key in whose value err lies; the innermost one stays.
func within(key string, err *syntaxError) *syntaxError {
	if !err.inKey {
		err.key, err.inKey = key, true
	}
	return err
}

// peek returns the byte at pos, or 0, which begins nothing in JSON, at the end.
func (s *scanner) peek() byte {
	if s.pos < len(s.data) {
		return s.data[s.pos]
	}
	return 0
}

// found describes what stands at pos.
func (s *scanner) found() string {
	if s.pos >= len(s.data) {
		return "end of input"
	}
	r, size := utf8.DecodeRune(s.data[s.pos:])
	if r == utf8.RuneError && size == 1 {
		return fmt.Sprintf("byte 0x%02x", s.data[s.pos])
	}
	return fmt.Sprintf("%q", r)
}

func (s *scanner) space() {
	for s.pos < len(s.data) {
		switch s.data[s.pos] {
		case ' ', '\t', '\n', '\r':
			s.pos++
		default:
			return
		}
	}
}

// expectObject reports what stands at pos in place of an object.
func (s *scanner) expectObject() error {
	if s.peek() == '{' {
		return nil
	}
	found := s.found()
	if kind := typeOf(s.peek()); kind != "" {
		found = string(kind)
	}
	return s.errorf("%s where a JSON object must stand; give one like {\"key\": \"value\"}", found)
}

// enter begins an array or object and passes the closing bracket where it is empty.
func (s *scanner) enter(closing byte) (more bool, err *syntaxError) {
	if s.depth == maxDepth {
		return false, s.errorf("nested deeper than %d; give flatter JSON", maxDepth)
	}
	s.depth++
	s.pos++
	s.space()
	if s.peek() == closing {
		s.leave()
		return false, nil
	}
	return true, nil
}

func (s *scanner) leave() {
	s.pos++
	s.depth--
}

// next passes the comma before a further element, or the closing bracket.
func (s *scanner) next(closing byte) (more bool, err *syntaxError) {
	s.space()
	switch s.peek() {
	case closing:
		s.leave()
		return false, nil
	case ',':
		s.pos++
		s.space()
		return true, nil
	default:
		return false, s.errorf("%s where ',' or '%c' must stand", s.found(), closing)
	}
}

// object reads an object. A key that comes a second time is an error.
func (s *scanner) object() (*Object, *syntaxError) {
	more, err := s.enter('}')
	if err != nil {
		return nil, err
	}
	o := &Object{values: make(map[string]Value)}
	for more {
		start := s.pos
		key, err := s.key()
		if err != nil {
			return nil, err
		}
		if _, ok := o.values[key]; ok {
			s.pos = start
			return nil, s.errorf("the key %.60q is given twice; give it once", key)
		}
		v, err := s.value()
		if err != nil {
			return nil, within(key, err)
		}
		o.keys = append(o.keys, key)
		o.values[key] = v
		if more, err = s.next('}'); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// key reads a member's name and the colon after it.
func (s *scanner) key() (string, *syntaxError) {
	if s.peek() != '"' {
		return "", s.errorf("%s where a key in double quotes must stand", s.found())
	}
	start := s.pos
	if err := s.text(); err != nil {
		return "", err
	}
	key := unquote(s.data[start:s.pos])
	s.space()
	if s.peek() != ':' {
		return "", within(key, s.errorf("%s where ':' must stand", s.found()))
	}
	s.pos++
	s.space()
	return key, nil
}

func (s *scanner) array(visit func(Value)) *syntaxError {
	more, err := s.enter(']')
	if err != nil {
		return err
	}
	for more {
		v, err := s.value()
		if err != nil {
			return err
		}
		visit(v)
		if more, err = s.next(']'); err != nil {
			return err
		}
	}
	return nil
}

func (s *scanner) value() (Value, *syntaxError) {
	start := s.pos
	var err *syntaxError
	switch typeOf(s.peek()) {
	case TypeObject:
		_, err = s.object()
	case TypeArray:
		err = s.array(func(Value) {})
	case TypeString:
		err = s.text()
	case TypeNumber:
		err = s.number()
	case TypeBoolean, TypeNull:
		err = s.word()
	default:
		err = s.errorf("%s where a value must stand", s.found())
	}
	if err != nil {
		return Value{}, err
	}
	return Value{raw: s.data[start:s.pos:s.pos]}, nil
}

// word reads true, false or null.
func (s *scanner) word() *syntaxError {
	for _, word := range []string{"true", "false", "null"} {
		if bytes.HasPrefix(s.data[s.pos:], []byte(word)) {
			s.pos += len(word)
			return nil
		}
	}
	return s.errorf("a word that JSON does not have; use true, false or null")
}

func (s *scanner) number() *syntaxError {
	if s.peek() == '-' {
		s.pos++
	}
	if s.peek() == '0' {
		s.pos++
	} else if err := s.digits(); err != nil {
		return err
	}
	if s.peek() == '.' {
		s.pos++
		if err := s.digits(); err != nil {
			return err
		}
	}
	if c := s.peek(); c == 'e' || c == 'E' {
		s.pos++
		if c := s.peek(); c == '+' || c == '-' {
			s.pos++
		}
		return s.digits()
	}
	return nil
}

// digits reads one digit or more.
func (s *scanner) digits() *syntaxError {
	start := s.pos
	for isDigit(s.peek()) {
		s.pos++
	}
	if s.pos == start {
		return s.errorf("%s where a digit must stand", s.found())
	}
	return nil
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
