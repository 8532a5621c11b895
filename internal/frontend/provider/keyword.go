package provider

import (
	"slices"

	"gander/internal/jsonobject"
)

func quote(s string) string { return string(field(nil, s)) }

func textOf(v jsonobject.Value) string {
	s, _ := v.Text()
	return s
}

// textsOf returns the strings in the array under key, or the one string under it.
func textsOf(s *jsonobject.Object, key string) []string {
	v, _ := s.Get(key)
	if one, ok := v.Text(); ok {
		return []string{one}
	}
	elements, _ := v.Array()
	texts := make([]string, len(elements))
	for i, e := range elements {
		texts[i] = textOf(e)
	}
	return texts
}

func typesOf(s *jsonobject.Object) []string { return textsOf(s, "type") }

func requiredOf(s *jsonobject.Object) []string { return textsOf(s, "required") }

// propertiesOf returns the schemas of an object's properties, an empty object where there are none.
func propertiesOf(s *jsonobject.Object) *jsonobject.Object {
	v, _ := s.Get("properties")
	if o, ok := v.Object(); ok {
		return o
	}
	return &jsonobject.Object{}
}

// isTyped reports whether a schema says what a value may be, as all interfaces want to know.
func isTyped(s *jsonobject.Object) bool {
	_, alternatives := s.Get("anyOf")
	_, items := s.Get("items")
	types := typesOf(s)
	return (len(types) > 0 || alternatives) && (items || !slices.Contains(types, "array"))
}

// acceptsNull reports whether null is a value by the schema; where that takes more than a look, it is taken for one.
func acceptsNull(s *jsonobject.Object) bool {
	types := typesOf(s)
	return len(types) == 0 || slices.Contains(types, "null")
}

// A size is what strict tools add up to in one request.
type size struct{ tools, optionals, unions int }

func (n size) plus(m size) size {
	return size{n.tools + m.tools, n.optionals + m.optionals, n.unions + m.unions}
}

// sizeOf returns the size of a tool with this schema.
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
	var within []jsonobject.Value
	for _, name := range properties.Keys() {
		if !slices.Contains(required, name) {
			n.optionals++
		}
		v, _ := properties.Get(name)
		within = append(within, v)
	}
	items, _ := s.Get("items")
	branches, _ := alternatives.Array()
	for _, v := range append(append(within, items), branches...) {
		if o, ok := v.Object(); ok {
			n.count(o)
		}
	}
}
