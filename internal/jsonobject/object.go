// Package jsonobject reads a JSON object strictly: the arguments of a call, a message of a protocol,
// or a schema.
package jsonobject

// An Object is a JSON object whose keys are unique. It refers to the bytes that it was read from,
// which must not change.
type Object struct {
	keys   []string
	values map[string]Value
}

// maxValues is the maximum number of keys, values and brackets. Each takes much more memory than the
// few bytes that it has in JSON.
const maxValues = 10_000

// Parse reads data, which must be exactly one JSON object, with only white space around it. At
// every depth it refuses a key that occurs twice, text that is not UTF-8, a \u escape of a lone
// surrogate, nesting deeper than 128, and more than 10,000 values. Time and memory are bounded by
// the length of data. An error names the byte, counted from 1, and the key around it.
func Parse(data []byte) (*Object, error) {
	r := newReader(data)
	if offset, found := r.next(); found != string(TypeObject) {
		return nil, r.errorf(offset, "",
			"%s where a JSON object must stand; give one like {\"key\": \"value\"}", found)
	}
	o, err := r.object()
	if err != nil {
		return nil, err
	}
	if offset, found := r.next(); offset < int64(len(data)) {
		return nil, r.errorf(offset, "",
			"%s after the end of the object; give exactly one JSON object", found)
	}
	return o, nil
}

// Keys returns the keys in the order of the input, with escapes resolved. They must not be changed.
func (o *Object) Keys() []string { return o.keys }

// Get returns the value of key and reports whether the object has that key. Keys are case-sensitive.
func (o *Object) Get(key string) (Value, bool) {
	v, ok := o.values[key]
	return v, ok
}
