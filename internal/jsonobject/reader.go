package jsonobject

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// maxDepth is the maximum nesting of arrays and objects, including the outermost object.
const maxDepth = 128

// A reader reads values from data. The decoder refuses duplicate keys and text that is not UTF-8.
type reader struct {
	*jsontext.Decoder

	data   []byte
	tokens int // read so far
}

// newReader returns a reader of data, which the decoder uses in place as a [bytes.Buffer].
func newReader(data []byte) *reader {
	return &reader{Decoder: jsontext.NewDecoder(bytes.NewBuffer(data)), data: data}
}

// object reads the object that comes next.
func (r *reader) object() (*Object, error) {
	if _, err := r.token(); err != nil {
		return nil, err
	}
	o := &Object{values: make(map[string]Value)}
	for r.PeekKind() != '}' {
		token, err := r.token()
		if err != nil {
			return nil, err
		}
		key := token.String()
		if o.values[key], err = r.value(); err != nil {
			return nil, err
		}
		o.keys = append(o.keys, key)
	}
	_, err := r.token()
	return o, err
}

// value reads the value that comes next. It reads arrays and objects token by token, to check
// their depth.
func (r *reader) value() (Value, error) {
	if kind := r.PeekKind(); kind != '[' && kind != '{' {
		raw, err := r.ReadValue()
		return r.since(r.InputOffset() - int64(len(raw))), r.locate(err)
	}
	depth := r.StackDepth()
	if _, err := r.token(); err != nil {
		return Value{}, err
	}
	start := r.InputOffset() - 1
	for r.StackDepth() > depth {
		if _, err := r.token(); err != nil {
			return Value{}, err
		}
	}
	return r.since(start), nil
}

// since returns the value from start to the current offset. Appending to it does not change data.
func (r *reader) since(start int64) Value {
	end := r.InputOffset()
	return Value{r.data[start:end:end]}
}

func (r *reader) token() (jsontext.Token, error) {
	token, err := r.ReadToken()
	if r.tokens++; err == nil && r.tokens > maxValues {
		return token, r.errorf(r.InputOffset(), "", "more than %d values; give fewer", maxValues)
	}
	if err == nil && r.StackDepth() > maxDepth {
		offset, pointer := r.InputOffset()-1, r.StackPointer()
		return token, r.errorf(offset, pointer, "nested deeper than %d; give flatter JSON", maxDepth)
	}
	return token, r.locate(err)
}

// next returns the offset of the next byte that is not white space, and describes what it begins.
func (r *reader) next() (offset int64, found string) {
	rest := bytes.TrimLeft(r.data[r.InputOffset():], " \t\r\n")
	offset = int64(len(r.data) - len(rest))
	if len(rest) == 0 {
		return offset, "end of input"
	}
	if t := typeOf(rest); t != "" {
		return offset, string(t)
	}
	char, _ := utf8.DecodeRune(rest)
	return offset, fmt.Sprintf("%q", char)
}

// locate returns an error of the decoder in the words of this package.
func (r *reader) locate(err error) error {
	if err == nil {
		return nil
	}
	syntax, ok := errors.AsType[*jsontext.SyntacticError](err)
	switch {
	case !ok:
		return r.errorf(r.InputOffset(), "", "%v", err)
	case syntax.Err == jsontext.ErrDuplicateName:
		return r.errorf(syntax.ByteOffset, syntax.JSONPointer.Parent(),
			"the key %.60q is given twice; give it once", syntax.JSONPointer.LastToken())
	case syntax.Err == io.ErrUnexpectedEOF:
		return r.errorf(syntax.ByteOffset, syntax.JSONPointer,
			"unexpected end of input; give the whole object")
	default:
		return r.errorf(syntax.ByteOffset, syntax.JSONPointer, "%v", syntax.Err)
	}
}

// errorf returns an error about the byte at offset, in the value at pointer.
func (r *reader) errorf(offset int64, pointer jsontext.Pointer, format string, args ...any) error {
	place := fmt.Sprintf("byte %d", offset+1)
	if pointer != "" {
		place += fmt.Sprintf(", in %.60q", pointer[1:])
	}
	return fmt.Errorf("invalid JSON at %s: %s", place, fmt.Sprintf(format, args...))
}
