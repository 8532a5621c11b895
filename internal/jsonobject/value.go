package jsonobject

import "encoding/json"

// A Kind is what a value is, in the words of RFC 8259 and JSON Schema.
type Kind string

// The kinds of value.
const (
	KindNull    Kind = "null"
	KindBoolean Kind = "boolean"
	KindNumber  Kind = "number"
	KindString  Kind = "string"
	KindArray   Kind = "array"
	KindObject  Kind = "object"
)

// kindOf returns the kind of a value that begins with c, empty where none does.
func kindOf(c byte) Kind {
	switch {
	case c == '{':
		return KindObject
	case c == '[':
		return KindArray
	case c == '"':
		return KindString
	case c == 't', c == 'f':
		return KindBoolean
	case c == 'n':
		return KindNull
	case c == '-', isDigit(c):
		return KindNumber
	default:
		return ""
	}
}

// A Value is a value within an [Object]. The zero Value is of no kind; its readers find nothing.
type Value struct{ raw json.RawMessage }

// Raw returns the value as it was written. It is the input itself: it must not be changed.
func (v Value) Raw() json.RawMessage { return v.raw }

// Kind returns what the value is.
func (v Value) Kind() Kind {
	if len(v.raw) == 0 {
		return ""
	}
	return kindOf(v.raw[0])
}

// Text returns the characters of a string; ok is false for other kinds.
func (v Value) Text() (text string, ok bool) {
	if v.Kind() != KindString {
		return "", false
	}
	return unquote(v.raw), true
}

// Bool returns the value of a boolean; ok is false for other kinds.
func (v Value) Bool() (value, ok bool) {
	return string(v.raw) == "true", v.Kind() == KindBoolean
}

// Array returns the elements of an array, never nil; ok is false for other kinds.
func (v Value) Array() (elements []Value, ok bool) {
	if v.Kind() != KindArray {
		return nil, false
	}
	elements = []Value{}
	s := scanner{data: v.raw}
	err := s.array(func(element Value) { elements = append(elements, element) })
	return elements, err == nil
}

// Object returns an object; ok is false for other kinds.
func (v Value) Object() (o *Object, ok bool) {
	if v.Kind() != KindObject {
		return nil, false
	}
	o, err := Parse(v.raw)
	return o, err == nil
}
