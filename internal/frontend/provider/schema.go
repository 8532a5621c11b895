package provider

import (
	"encoding/json"
	"slices"
	"strings"

	"gander/internal/jsonobject"
)

// A subset is the part of JSON Schema that an API enforces. Keywords are separated by spaces. A schema with a keyword that
// is neither allowed nor dropped has no strict form.
type subset struct {
	allowed  string
	dropped  string // left out of the strict form; the tools check their arguments in any case
	nullable bool   // every property must be required; optional ones may be null instead
}

// formats are the values of "format" that all APIs take.
const formats = "date-time time date duration email hostname ipv4 ipv6 uuid"

func has(words, word string) bool { return slices.Contains(strings.Fields(words), word) }

// A size counts what a request bounds: strict tools, and the optional properties and unions in their schemas.
type size struct{ tools, optionals, unions int }

func (n size) plus(m size) size {
	return size{n.tools + m.tools, n.optionals + m.optionals, n.unions + m.unions}
}

// convert returns the strict form of a schema of arguments, and its size. If it has none, convert returns the schema itself
// and false.
func (f subset) convert(schema json.RawMessage) (strict json.RawMessage, n size, ok bool) {
	s, err := jsonobject.Parse(schema)
	if err != nil || !slices.Equal(s.Texts("type"), []string{"object"}) {
		return schema, size{}, false
	}
	c := conversion{subset: f, size: size{tools: 1}}
	if strict = json.RawMessage(c.schema(s)); c.impossible {
		return schema, size{}, false
	}
	if f.nullable {
		c.optionals = 0 // They are required.
	}
	return strict, c.size, true
}

// A conversion derives the strict form of one schema, in which every object is closed.
type conversion struct {
	subset
	size
	impossible bool // whether it has been seen that the schema has no strict form
}

func (c *conversion) schema(s *jsonobject.Object) string {
	_, alternatives := s.Get("anyOf")
	_, items := s.Get("items")
	types := s.Texts("type")
	// All APIs require the types of a value, and of its elements if it is an array.
	if len(types) == 0 && !alternatives || slices.Contains(types, "array") && !items {
		c.impossible = true
	}
	if len(types) > 1 || alternatives {
		c.unions++
	}
	var fields []string
	for _, key := range s.Keys() {
		value, _ := s.Get(key)
		text, _ := value.Text()
		if has("required additionalProperties "+c.dropped, key) || key == "format" && !has(formats, text) {
			continue
		}
		part := string(value.Raw())
		switch key {
		case "properties":
			part = c.properties(s, value)
		case "items":
			part = c.value(value)
		case "anyOf":
			part = c.alternatives(value)
		default:
			c.impossible = c.impossible || !has(c.allowed, key)
		}
		fields = append(fields, quote(key)+":"+part)
	}
	if slices.Contains(types, "object") {
		fields = append(fields, c.closing(s)...)
	}
	return "{" + strings.Join(fields, ",") + "}"
}

// value returns the strict form of a schema that must be an object.
func (c *conversion) value(v jsonobject.Value) string {
	s, ok := v.Object()
	if !ok {
		c.impossible = true
		return ""
	}
	return c.schema(s)
}

func (c *conversion) properties(s *jsonobject.Object, v jsonobject.Value) string {
	all, ok := v.Object()
	if !ok {
		c.impossible = true
		return ""
	}
	required := s.Texts("required")
	var fields []string
	for _, name := range all.Keys() {
		value, _ := all.Get(name)
		shaped := c.value(value)
		if !slices.Contains(required, name) {
			c.optionals++
			if property, ok := value.Object(); ok && c.nullable && !acceptsNull(property) {
				c.unions++
				shaped = orNull(shaped, property)
			}
		}
		fields = append(fields, quote(name)+":"+shaped)
	}
	return "{" + strings.Join(fields, ",") + "}"
}

// orNull returns a schema that also accepts null, for an absent property. Its description states the default, if any.
func orNull(shaped string, property *jsonobject.Object) string {
	null := `{"type":"null"}`
	if value, ok := property.Get("default"); ok {
		null = `{"type":"null","description":` + quote("Default: "+string(value.Raw())) + "}"
	}
	return `{"anyOf":[` + shaped + "," + null + "]}"
}

// alternatives returns the strict forms of alternatives. They must have no optional properties if those would become
// nullable, because restore could not tell which alternative a null belongs to.
func (c *conversion) alternatives(v jsonobject.Value) string {
	all, _ := v.Array()
	before := c.optionals
	shaped := make([]string, len(all))
	for i := range all {
		shaped[i] = c.value(all[i])
	}
	c.impossible = c.impossible || c.nullable && c.optionals > before
	return "[" + strings.Join(shaped, ",") + "]"
}

// closing returns the keywords that close an object. An object that must stay open has no strict form.
func (c *conversion) closing(s *jsonobject.Object) (fields []string) {
	additional, given := s.Get("additionalProperties")
	_, declared := s.Get("properties")
	if given && string(additional.Raw()) != "false" || !given && !declared {
		c.impossible = true
	}
	if !declared {
		fields = append(fields, `"properties":{}`)
	}
	required := s.Texts("required")
	if c.nullable {
		required = s.Object("properties").Keys()
	}
	if c.nullable || len(required) > 0 {
		names := make([]string, len(required))
		for i, name := range required {
			names[i] = quote(name)
		}
		fields = append(fields, `"required":[`+strings.Join(names, ",")+"]")
	}
	return append(fields, `"additionalProperties":false`)
}

// restore returns arguments for a schema, given arguments for its strict form: it leaves out every null that means absent.
func (f subset) restore(schema, args json.RawMessage) json.RawMessage {
	if _, _, ok := f.convert(schema); !ok || !f.nullable {
		return args
	}
	s, err := jsonobject.Parse(schema)
	if err != nil {
		return args
	}
	a, err := jsonobject.Parse(args)
	if err != nil {
		return args // the tool says what is wrong with them
	}
	return json.RawMessage(restoreObject(s, a))
}

func restoreObject(s, o *jsonobject.Object) string {
	required, properties := s.Texts("required"), s.Object("properties")
	var fields []string
	for _, name := range o.Keys() {
		value, _ := o.Get(name)
		part := string(value.Raw())
		if _, ok := properties.Get(name); ok {
			property := properties.Object(name)
			if value.Type() == jsonobject.TypeNull && !slices.Contains(required, name) && !acceptsNull(property) {
				continue
			}
			part = restoreValue(property, value)
		}
		fields = append(fields, quote(name)+":"+part)
	}
	return "{" + strings.Join(fields, ",") + "}"
}

func restoreValue(s *jsonobject.Object, v jsonobject.Value) string {
	if o, ok := v.Object(); ok {
		return restoreObject(s, o)
	}
	elements, ok := v.Array()
	if _, declared := s.Get("items"); !ok || !declared {
		return string(v.Raw())
	}
	element := s.Object("items")
	parts := make([]string, len(elements))
	for i, e := range elements {
		parts[i] = restoreValue(element, e)
	}
	return "[" + strings.Join(parts, ",") + "]"
}

// acceptsNull reports whether the schema may accept null. It looks at the type alone.
func acceptsNull(s *jsonobject.Object) bool {
	types := s.Texts("type")
	return len(types) == 0 || slices.Contains(types, "null")
}
