// Package object reads one JSON object strictly: the arguments of a call, or a message of a protocol. It knows JSON
// (RFC 8259), not what the keys mean, and writes none.
package jsonobject

import "slices"

// An Object is a JSON object that holds each key once. It refers to the bytes it was read from, which must not change.
type Object struct {
	keys   []string
	values map[string]Value
}

// Parse reads data, which must be exactly one JSON object, with nothing but white space around it. Refused, at every
// depth, are: a key given twice, text that is not UTF-8, a \u escape of half a surrogate pair, and nesting deeper than
// 128. Time and memory are bounded by the length of data. Errors say at which byte, counted from 1, and in which key.
func Parse(data []byte) (*Object, error) {
	s := scanner{data: data}
	s.space()
	if err := s.expectObject(); err != nil {
		return nil, err
	}
	o, err := s.object()
	if err != nil {
		return nil, err
	}
	s.space()
	if s.pos < len(data) {
		return nil, s.errorf("%s after the end of the object; give exactly one JSON object", s.found())
	}
	return o, nil
}

// ParseArguments is Parse for the arguments of a call, where no bytes at all stand for the empty object.
func ParseArguments(data []byte) (*Object, error) {
	if len(data) == 0 {
		return &Object{}, nil
	}
	return Parse(data)
}

// Keys returns the keys in the order given, with their escapes resolved.
func (o *Object) Keys() []string { return slices.Clone(o.keys) }

// Get returns the value of key, and whether the object has it. Keys are case-sensitive.
func (o *Object) Get(key string) (Value, bool) {
	v, ok := o.values[key]
	return v, ok
}
