// Package jsonobject reads a JSON object strictly: the arguments of a call, a message of a
// protocol, or a schema.
package jsonobject

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	// maxValues is the maximum number of keys, values and brackets. Each takes much more memory
	// than its few bytes of JSON.
	maxValues = 10_000
	// maxDepth is the maximum nesting of arrays and objects, including the outermost object.
	maxDepth = 128
)

// literal matches the values that are words, whose types package jsontext guesses from one letter.
var literal = regexp.MustCompile("^(?:null|true|false)")

// An Object is a JSON object whose keys are unique. It refers to the bytes that it was read from,
// which must not change.
type Object struct {
	keys   []string
	values []Value // have the order of keys
}

// Parse reads data, which must be exactly one JSON object, with only white space around it. At
// every depth it refuses a key that occurs twice, text that is not UTF-8, a \u escape of a lone
// surrogate, nesting deeper than 128, and more than 10,000 values. An error names the byte, counted
// from 1, and the key around it.
func Parse(data []byte) (*Object, error) {
	if offset, found := describeNext(data, 0); found != string(TypeObject) {
		return nil, errorf(offset, "",
			"%s where a JSON object is expected; give one like {\"key\": \"value\"}", found)
	}
	keys, values, end, err := readMembers(data)
	if err != nil {
		return nil, err
	}
	if offset, found := describeNext(data, end); offset < int64(len(data)) {
		return nil, errorf(offset, "",
			"%s after the end of the object; give exactly one JSON object", found)
	}
	return &Object{keys, values}, nil
}

// Keys returns the unescaped keys in the order of the input. They must not be changed.
func (o *Object) Keys() []string { return o.keys }

// Get returns the value of key, if any. If o is nil, there is none.
func (o *Object) Get(key string) (Value, bool) {
	if o == nil {
		return Value{}, false
	}
	i := slices.Index(o.keys, key)
	if i < 0 {
		return Value{}, false
	}
	return o.values[i], true
}

// readMembers reads the object or the array that data begins with. It returns the keys of an
// object, the values or elements, and the offset of the end.
func readMembers(data []byte) (keys []string, values []Value, end int64, err error) {
	// The decoder refuses duplicate keys and text that is not UTF-8. It does not copy the data of a
	// Buffer.
	d := jsontext.NewDecoder(bytes.NewBuffer(data))
	var begin int64 // of the current key or value, with what separates it from the one before
	for count := 1; ; count++ {
		token, err := d.ReadToken()
		depth := d.StackDepth()
		end = d.InputOffset()
		switch {
		case err != nil:
			return nil, nil, 0, explain(err, end)
		case count > maxValues:
			return nil, nil, 0, errorf(end, "", "more than %d values; give fewer", maxValues)
		case depth > maxDepth:
			return nil, nil, 0, errorf(end-1, d.StackPointer(),
				"nested deeper than %d; give flatter JSON", maxDepth)
		case depth == 0:
			return keys, values, end, nil
		case depth > 1: // in a value
			continue
		}
		// The length counts the keys and the values that have been read.
		kind, length := d.StackIndex(1)
		isKey := kind == '{' && length%2 == 1
		switch {
		case length == 0: // the opening bracket
		case isKey:
			keys = append(keys, token.String())
		default:
			raw := bytes.TrimLeft(data[begin:end:end], " \t\r\n:,")
			values = append(values, Value{raw})
		}
		begin = end
	}
}

// describeNext returns the offset of the next byte that is not white space, and its kind.
func describeNext(data []byte, start int64) (offset int64, found string) {
	rest := bytes.TrimLeft(data[start:], " \t\r\n")
	offset = int64(len(data) - len(rest))
	if len(rest) == 0 {
		return offset, "end of input"
	}
	isWord := 'a' <= rest[0] && rest[0] <= 'z'
	if isWord && !literal.Match(rest) {
		return offset, "text"
	}
	return offset, cmp.Or(string(typeOf(rest)), "text")
}

func explain(err error, offset int64) error {
	syntax := &jsontext.SyntacticError{ByteOffset: offset, Err: err}
	errors.As(err, &syntax)
	switch syntax.Err {
	case jsontext.ErrDuplicateName:
		return errorf(syntax.ByteOffset, syntax.JSONPointer.Parent(),
			"the key %.60q is given twice; give it once", syntax.JSONPointer.LastToken())
	case io.ErrUnexpectedEOF:
		return errorf(syntax.ByteOffset, syntax.JSONPointer,
			"unexpected end of input; give the whole object")
	default:
		return errorf(syntax.ByteOffset, syntax.JSONPointer, "%v", syntax.Err)
	}
}

// errorf returns an error about the byte at offset, in the value at pointer.
func errorf(offset int64, pointer jsontext.Pointer, format string, args ...any) error {
	position := fmt.Sprintf("byte %d", offset+1)
	if pointer != "" {
		position += fmt.Sprintf(", in %.60q", pointer[1:])
	}
	return fmt.Errorf("invalid JSON at %s: %s", position, fmt.Sprintf(format, args...))
}

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

var typeOfKind = [256]Type{
	'n': TypeNull, 't': TypeBoolean, 'f': TypeBoolean, '0': TypeNumber, '"': TypeString,
	'[': TypeArray, '{': TypeObject,
}

// typeOf returns the type of the value that raw begins with, or "" if raw begins with none.
func typeOf(raw []byte) Type { return typeOfKind[jsontext.Value(raw).Kind()] }

// A Value is a value in an [Object]. The zero Value has no type. The methods that convert it report
// whether it has their type.
type Value struct{ raw json.RawMessage }

// Raw returns the value as part of the input. It must not be changed.
func (v Value) Raw() json.RawMessage { return v.raw }

// Type returns the type of the value.
func (v Value) Type() Type { return typeOf(v.raw) }

// Text returns the characters of a string.
func (v Value) Text() (text string, ok bool) {
	if v.Type() != TypeString {
		return "", false
	}
	unquoted, err := jsontext.AppendUnquote(nil, v.raw)
	return string(unquoted), err == nil
}

// Bool returns a boolean.
func (v Value) Bool() (value, ok bool) {
	return string(v.raw) == "true", v.Type() == TypeBoolean
}

// Literal returns the number or the boolean that v spells if it is a string such as "7" or "true".
// Otherwise it returns v.
func (v Value) Literal() Value {
	const longest = 400 // bytes; the text of a longer string is not copied
	if len(v.raw) > longest {
		return v
	}
	text, _ := v.Text()
	literal := Value{json.RawMessage(text)}
	isLiteral := literal.Type() == TypeNumber || literal.Type() == TypeBoolean
	if !isLiteral {
		return v
	}
	if strings.TrimSpace(text) != text || !json.Valid(literal.raw) {
		return v
	}
	return literal
}

// Array returns the elements of an array.
func (v Value) Array() (elements []Value, ok bool) {
	if v.Type() != TypeArray {
		return nil, false
	}
	_, elements, _, err := readMembers(v.raw)
	return elements, err == nil
}

// Object returns an object.
func (v Value) Object() (o *Object, ok bool) {
	if v.Type() != TypeObject {
		return nil, false
	}
	keys, values, _, err := readMembers(v.raw)
	return &Object{keys, values}, err == nil
}

// The errors of [Value.Integer].
var (
	ErrNotInteger = errors.New("not an integer") // or not a number
	ErrRange      = errors.New("integer out of range")
)

// Integer returns what [Value.Integer] returns for the value number.
func Integer(number json.Number) (int64, error) {
	return Value{json.RawMessage(number)}.Integer()
}

// Integer returns a number whose value is exactly an integer, as JSON Schema defines it: 7, 7.0 and
// 70e-1 alike. With [ErrRange] it returns the nearest int64.
func (v Value) Integer() (int64, error) {
	if v.Type() != TypeNumber {
		return 0, ErrNotInteger
	}
	digits, exponent := v.decimal()
	if exponent < 0 {
		return 0, ErrNotInteger
	}
	const tooLarge = 19 // Any integer but 0 is out of range with as many zeros.
	n, err := strconv.ParseInt(digits+strings.Repeat("0", min(exponent, tooLarge)), 10, 64)
	if err != nil {
		return n, ErrRange
	}
	return n, nil
}

// decimal returns a number as an integer, which is "0" or does not end in 0, and a power of ten. A
// power of more than 31 bits becomes the nearest one of 31, so that the exponent does not overflow.
func (v Value) decimal() (digits string, exponent int) {
	mantissa, power, _ := strings.Cut(strings.ToLower(string(v.raw)), "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits = strings.TrimRight(whole+fraction, "0")
	if digits == "" || digits == "-" {
		return "0", 0
	}
	shift, _ := strconv.ParseInt(power, 10, 31)
	return digits, int(shift) + len(whole) - len(digits)
}
