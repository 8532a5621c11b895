package jsonobject

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// A Type is the type of a JSON value, as JSON Schema names it.
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

// typeOf returns the type of the value that raw begins with, or "" if raw begins with none.
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

// A Value is a value in an [Object]. The zero Value has no type.
type Value struct{ raw json.RawMessage }

// Raw returns the value as part of the input, which must not be changed.
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

// Literal returns the number or the boolean that v spells if it is a string such as "7" or "true".
// Otherwise it returns v.
func (v Value) Literal() Value {
	text, _ := v.Text()
	literal := Value{json.RawMessage(text)}
	t := literal.Type()
	if t != TypeNumber && t != TypeBoolean || strings.TrimSpace(text) != text ||
		!json.Valid(literal.raw) {
		return v
	}
	return literal
}

// Array returns the elements of an array; ok is false for other types.
func (v Value) Array() (elements []Value, ok bool) {
	if v.Type() != TypeArray {
		return nil, false
	}
	array, _, err := read(v.raw)
	return array.values, err == nil
}

// Object returns an object; ok is false for other types.
func (v Value) Object() (o *Object, ok bool) {
	if v.Type() != TypeObject {
		return nil, false
	}
	o, _, err := read(v.raw)
	return o, err == nil
}

// The errors of [Value.Integer].
var (
	ErrNotInteger = errors.New("not an integer") // or not a number
	ErrRange      = errors.New("integer out of range")
)

// Integer returns a number whose value is an integer, as JSON Schema defines it: 7, 7.0 and 70e-1
// alike. It does not round. With [ErrRange] it returns the nearest int64.
func (v Value) Integer() (int64, error) {
	if v.Type() != TypeNumber {
		return 0, ErrNotInteger
	}
	number, negative := strings.CutPrefix(strings.ToLower(string(v.raw)), "-")
	mantissa, exponent, _ := strings.Cut(number, "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	significant := strings.TrimRight(whole+fraction, "0")
	if strings.Trim(significant, "0") == "" {
		return 0, nil
	}
	// An exponent out of range saturates; 62 bits leave capacity to add a length.
	shift, _ := strconv.ParseInt(exponent, 10, 62)
	zeros := int64(len(whole)-len(significant)) + shift
	if zeros < 0 {
		return 0, ErrNotInteger
	}
	// 20 zeros after a digit other than zero are already out of range.
	digits := significant + strings.Repeat("0", int(min(zeros, 20)))
	if negative {
		digits = "-" + digits
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return n, ErrRange
	}
	return n, nil
}
