package provider

import (
	"slices"

	"gander/internal/jsonobject"
)

func quote(s string) string { return string(appendString(nil, s)) }

func stringOf(v jsonobject.Value) string {
	s, _ := v.Text()
	return s
}

// stringsOf returns the strings of the array under key, or the one string under key.
func stringsOf(s *jsonobject.Object, key string) []string {
	v, _ := s.Get(key)
	if one, ok := v.Text(); ok {
		return []string{one}
	}
	elements, _ := v.Array()
	texts := make([]string, len(elements))
	for i, e := range elements {
		texts[i] = stringOf(e)
	}
	return texts
}

func typesOf(s *jsonobject.Object) []string { return stringsOf(s, "type") }

func requiredOf(s *jsonobject.Object) []string { return stringsOf(s, "required") }

// propertiesOf returns the schemas of an object's properties. It is empty if there are none.
func propertiesOf(s *jsonobject.Object) *jsonobject.Object {
	v, _ := s.Get("properties")
	if o, ok := v.Object(); ok {
		return o
	}
	return &jsonobject.Object{}
}

// isTyped reports whether a schema states the types of a value, and of its elements if it is an array. All APIs require
// that.
func isTyped(s *jsonobject.Object) bool {
	_, alternatives := s.Get("anyOf")
	_, items := s.Get("items")
	types := typesOf(s)
	return (len(types) > 0 || alternatives) && (items || !slices.Contains(types, "array"))
}

// acceptsNull reports whether the schema may accept null. It looks at the type alone.
func acceptsNull(s *jsonobject.Object) bool {
	types := typesOf(s)
	return len(types) == 0 || slices.Contains(types, "null")
}

// A size counts what a request bounds: strict tools, and the optional properties and unions in their schemas.
type size struct{ tools, optionals, unions int }

func (n size) plus(m size) size {
	return size{n.tools + m.tools, n.optionals + m.optionals, n.unions + m.unions}
}

// sizeOf returns the size of one tool with this schema.
func sizeOf(schema []byte) size {
	n := size{tools: 1}
	if s, err := jsonobject.Parse(schema); err == nil {
		n.count(s)
	}
	return n
}

func (n *size) count(s *jsonobject.Object) {
	properties, required := propertiesOf(s), requiredOf(s)
	alternatives, _ := s.Get("anyOf")
	if len(typesOf(s)) > 1 || alternatives.Type() == jsonobject.TypeArray {
		n.unions++
	}
	var nested []jsonobject.Value
	for _, name := range properties.Keys() {
		if !slices.Contains(required, name) {
			n.optionals++
		}
		v, _ := properties.Get(name)
		nested = append(nested, v)
	}
	items, _ := s.Get("items")
	branches, _ := alternatives.Array()
	for _, v := range append(append(nested, items), branches...) {
		if o, ok := v.Object(); ok {
			n.count(o)
		}
	}
}
