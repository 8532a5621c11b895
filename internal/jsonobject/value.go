package jsonobject

import "encoding/json"

// A Type is what a value is, in the words of RFC 8259 and JSON Schema.
type Type string

// The types of value.
const (
	TypeNull    Type = "null"
	TypeBoolean Type = "boolean"
	TypeNumber  Type = "number"
	TypeString  Type = "string"
	TypeArray   Type = "array"
	TypeObject  Type = "object"
)

// typeOf returns the type of a value that begins with c, empty where none does.
func typeOf(c byte) Type {
	switch {
	case c == '{':
		return TypeObject
	case c == '[':
		return TypeArray
	case c == '"':
		return TypeString
	case c == 't', c == 'f':
		return TypeBoolean
	case c == 'n':
		return TypeNull
	case c == '-', isDigit(c):
		return TypeNumber
	default:
		return ""
	}
}

// A Value is a value within an [Object]. The zero Value is of no type; its readers find nothing.
type Value struct{ raw json.RawMessage }

// Raw returns the value as it was written. It is the input itself: it must not be changed.
func (v Value) Raw() json.RawMessage { return v.raw }

// Type returns what the value is.
func (v Value) Type() Type {
	if len(v.raw) == 0 {
		return ""
	}
	return typeOf(v.raw[0])
}

// Text returns the characters of a string; ok is false for other types.
func (v Value) Text() (text string, ok bool) {
	if v.Type() != TypeString {
		return "", false
	}
	return unquote(v.raw), true
}

// Bool returns the value of a boolean; ok is false for other types.
func (v Value) Bool() (value, ok bool) {
	return string(v.raw) == "true", v.Type() == TypeBoolean
}

// Array returns the elements of an array, never nil; ok is false for other types.
func (v Value) Array() (elements []Value, ok bool) {
	if v.Type() != TypeArray {
		return nil, false
	}
	elements = []Value{}
	s := scanner{data: v.raw}
	err := s.array(func(element Value) { elements = append(elements, element) })
	return elements, err == nil
}

// Object returns an object; ok is false for other types.
func (v Value) Object() (o *Object, ok bool) {
	if v.Type() != TypeObject {
		return nil, false
	}
	o, err := Parse(v.raw)
	return o, err == nil
}
