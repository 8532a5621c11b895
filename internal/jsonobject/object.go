// Package jsonobject reads a JSON object strictly: the arguments of a call, a message of a
// protocol, or a schema.
package jsonobject

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	// maxValues is the maximum number of keys, values and brackets. Each takes much more memory
	// than its few bytes of JSON.
	maxValues = 10_000
	// maxDepth is the maximum nesting of arrays and objects, including the outermost object.
	maxDepth = 128
)

// An Object is a JSON object whose keys are unique. It refers to the bytes that it was read from,
// which must not change.
type Object struct {
	keys   []string
	values []Value // in the order of keys
}

// Parse reads data, which must be exactly one JSON object, with only white space around it. At
// every depth it refuses a key that occurs twice, text that is not UTF-8, a \u escape of a lone
// surrogate, nesting deeper than 128, and more than 10,000 values. Time and memory are bounded by
// the length of data. An error names the byte, counted from 1, and the key around it.
func Parse(data []byte) (*Object, error) {
	if offset, found := next(data, 0); found != string(TypeObject) {
		return nil, errorf(offset, "",
			"%s where a JSON object must stand; give one like {\"key\": \"value\"}", found)
	}
	o, end, err := read(data)
	if err != nil {
		return nil, err
	}
	if offset, found := next(data, end); offset < int64(len(data)) {
		return nil, errorf(offset, "",
			"%s after the end of the object; give exactly one JSON object", found)
	}
	return o, nil
}

// Keys returns the keys in the order of the input, with escapes resolved. They must not be changed.
func (o *Object) Keys() []string { return o.keys }

// Get returns the value of key and reports whether the object has that key. Keys are
// case-sensitive.
func (o *Object) Get(key string) (Value, bool) {
	i := slices.Index(o.keys, key)
	if i < 0 {
		return Value{}, false
	}
	return o.values[i], true
}

// read reads the object or array that data begins with, and returns the offset of its end. An
// array is an object without keys.
func read(data []byte) (o *Object, end int64, err error) {
	// The decoder refuses duplicate keys and text that is not UTF-8. It does not copy the data of a
	// Buffer.
	d := jsontext.NewDecoder(bytes.NewBuffer(data))
	o = new(Object)
	for count := 1; ; count++ {
		token, err := d.ReadToken()
		start := end
		depth := d.StackDepth()
		switch end = d.InputOffset(); {
		case err != nil:
			return o, end, explain(err, end)
		case count > maxValues:
			return o, end, errorf(end, "", "more than %d values; give fewer", maxValues)
		case depth > maxDepth:
			return o, end, errorf(end-1, d.StackPointer(),
				"nested deeper than %d; give flatter JSON", maxDepth)
		case depth == 0:
			return o, end, nil
		case depth > 1:
			end = start
			continue
		}
		switch kind, length := d.StackIndex(1); {
		case length == 0: // the opening bracket
		case kind == '{' && length%2 == 1:
			o.keys = append(o.keys, token.String())
		default:
			raw := bytes.TrimLeft(data[start:end:end], " \t\r\n:,")
			o.values = append(o.values, Value{raw})
		}
	}
}

// next returns the offset of the next byte at or after start that is not white space, and describes
// what it begins.
func next(data []byte, start int64) (offset int64, found string) {
	rest := bytes.TrimLeft(data[start:], " \t\r\n")
	offset = int64(len(data) - len(rest))
	if len(rest) == 0 {
		return offset, "end of input"
	}
	if t := typeOf(rest); t != "" {
		return offset, string(t)
	}
	char, _ := utf8.DecodeRune(rest)
	return offset, fmt.Sprintf("%q", char)
}

// explain converts an error of the decoder.
func explain(err error, offset int64) error {
	syntax, ok := errors.AsType[*jsontext.SyntacticError](err)
	switch {
	case !ok:
		return errorf(offset, "", "%v", err)
	case syntax.Err == jsontext.ErrDuplicateName:
		return errorf(syntax.ByteOffset, syntax.JSONPointer.Parent(),
			"the key %.60q is given twice; give it once", syntax.JSONPointer.LastToken())
	case syntax.Err == io.ErrUnexpectedEOF:
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
