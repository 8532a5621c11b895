package jsonobject

import (
	"encoding/json"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// A Type is the type of a JSON value, in the words of JSON Schema.
type Type string

// The types of JSON values.
const (
	TypeNull    Type = "null"
	TypeBoolean Type = "boolean"
	TypeNumber  Type = "number"
	TypeString  Type = "string"
	TypeArray   Type = "array"
	TypeObject  Type = "object"
)

// typeOf returns the type of the value that raw begins with, or "" if its first byte begins none.
func typeOf(raw []byte) Type {
	switch jsontext.Value(raw).Kind() {
	case '{':
		return TypeObject
	case '[':
		return TypeArray
	case '"':
		return TypeString
	case 't', 'f':
		return TypeBoolean
	case 'n':
		return TypeNull
	case '0':
		return TypeNumber
	default:
		return ""
	}
}

// A Value is a value in an [Object]. The zero Value has no type, and no method finds anything in it.
type Value struct{ raw json.RawMessage }

// Raw returns the value as it was written. It is part of the input and must not be changed.
func (v Value) Raw() json.RawMessage { return v.raw }

// Type returns the type of the value.
func (v Value) Type() Type { return typeOf(v.raw) }

// Text returns the characters of a string; ok is false for other types.
func (v Value) Text() (text string, ok bool) {
	if v.Type() != TypeString {
		return "", false
	}
	unquoted, err := jsontext.AppendUnquote(nil, v.raw)
	return string(unquoted), err == nil
}

// Bool returns a boolean; ok is false for other types.
func (v Value) Bool() (value, ok bool) {
	return string(v.raw) == "true", v.Type() == TypeBoolean
}

// Literal returns the number or the boolean that a string spells, as "7" and "true" do, and v itself if it is no such string.
func (v Value) Literal() Value {
	text, _ := v.Text()
	switch literal := jsontext.Value(text); {
	case text == "true", text == "false":
		return Value{json.RawMessage(text)}
	case literal.Kind() == '0' && literal.IsValid() && strings.TrimSpace(text) == text:
		return Value{json.RawMessage(text)}
	default:
		return v
	}
}

// Array returns the elements of an array, never nil; ok is false for other types.
func (v Value) Array() (elements []Value, ok bool) {
	if v.Type() != TypeArray {
		return nil, false
	}
	r := newReader(v.raw)
	_, err := r.token()
	elements = []Value{}
	for err == nil && r.PeekKind() != ']' {
		var element Value
		element, err = r.value()
		elements = append(elements, element)
	}
	return elements, err == nil
}

// Texts returns the strings among the elements of an array, or the string that v itself is.
func (v Value) Texts() []string {
	elements, ok := v.Array()
	if !ok {
		elements = []Value{v}
	}
	var texts []string
	for _, e := range elements {
		if text, ok := e.Text(); ok {
			texts = append(texts, text)
		}
	}
	return texts
}

// Object returns an object; ok is false for other types.
func (v Value) Object() (o *Object, ok bool) {
	if v.Type() != TypeObject {
		return nil, false
	}
	o, err := Parse(v.raw)
	return o, err == nil
}
