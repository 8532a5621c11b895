package provider

import (
	"encoding/json"
	"slices"
	"strings"

	"gander/internal/jsonobject"
)

// A form is what an interface takes of JSON Schema where it holds a model to the schema: keywords, separated by spaces. A
// schema with any other keyword has no such form.
type form struct {
	keeps string
	drops string // not taken, and left to the tools, which judge their arguments anyway
	nulls bool   // every property must be required; optional ones may be null instead
}

// formats are the values of "format" that all interfaces take.
const formats = "date-time time date duration email hostname ipv4 ipv6 uuid"

func has(words, word string) bool { return slices.Contains(strings.Fields(words), word) }

// of returns a schema of arguments in this form. Where it has none, ok is false and the schema is returned as it is.
func (f form) of(schema json.RawMessage) (_ json.RawMessage, ok bool) {
	s, err := jsonobject.Parse(schema)
	if err != nil || !slices.Equal(typesOf(s), []string{"object"}) {
		return schema, false
	}
	shaped, ok := f.shape(s)
	if !ok {
		return schema, false
	}
	return json.RawMessage(shaped), true
}

// shape returns what the form takes of a schema, with every object closed.
func (f form) shape(s *jsonobject.Object) (shaped string, ok bool) {
	if !isTyped(s) {
		return "", false
	}
	var fields []string
	for _, key := range s.Keys() {
		value, _ := s.Get(key)
		if has("required additionalProperties "+f.drops, key) || key == "format" && !has(formats, textOf(value)) {
			continue
		}
		part, ok := string(value.Raw()), has(f.keeps, key)
		switch key {
		case "properties":
			part, ok = f.properties(s, value)
		case "items":
			part, ok = f.value(value)
		case "anyOf":
			part, ok = f.values(value)
		}
		if !ok {
			return "", false
		}
		fields = append(fields, quote(key)+":"+part)
	}
	if slices.Contains(typesOf(s), "object") {
		closing, ok := f.closing(s)
		if !ok {
			return "", false
		}
		fields = append(fields, closing...)
	}
	return "{" + strings.Join(fields, ",") + "}", true
}

// orNull is an alternative for absent, which says what absent means where the schema of the property does.
func orNull(shaped string, property *jsonobject.Object) string {
	null := `{"type":"null"}`
	if value, ok := property.Get("default"); ok {
		null = `{"type":"null","description":` + quote("Default: "+string(value.Raw())) + "}"
	}
	return `{"anyOf":[` + shaped + "," + null + "]}"
}

// closing returns the keywords that close an object. One that is open on purpose cannot be closed.
func (f form) closing(s *jsonobject.Object) (fields []string, ok bool) {
	additional, given := s.Get("additionalProperties")
	if given && string(additional.Raw()) != "false" {
		return nil, false
	}
	if _, ok := s.Get("properties"); !ok {
		fields = append(fields, `"properties":{}`)
		if !given {
			return nil, false
		}
	}
	required := requiredOf(s)
	if f.nulls {
		required = propertiesOf(s).Keys()
	}
	if f.nulls || len(required) > 0 {
		names := make([]string, len(required))
		for i, name := range required {
			names[i] = quote(name)
		}
		fields = append(fields, `"required":[`+strings.Join(names, ",")+"]")
	}
	return append(fields, `"additionalProperties":false`), true
}

func (f form) properties(s *jsonobject.Object, value jsonobject.Value) (string, bool) {
	all, ok := value.Object()
	if !ok {
		return "", false
	}
	required := requiredOf(s)
	var fields []string
	for _, name := range all.Keys() {
		value, _ := all.Get(name)
		property, ok := value.Object()
		if !ok {
			return "", false
		}
		shaped, ok := f.shape(property)
		if !ok {
			return "", false
		}
		if f.nulls && !slices.Contains(required, name) && !acceptsNull(property) {
			shaped = orNull(shaped, property)
		}
		fields = append(fields, quote(name)+":"+shaped)
	}
	return "{" + strings.Join(fields, ",") + "}", true
}

func (f form) value(v jsonobject.Value) (string, bool) {
	s, ok := v.Object()
	if !ok {
		return "", false
	}
	return f.shape(s)
}

// values returns alternatives. Where optional properties may be null, none may have any: it could not be told which
// alternative a null is of.
func (f form) values(v jsonobject.Value) (string, bool) {
	all, _ := v.Array()
	shaped := make([]string, len(all))
	for i := range all {
		var ok bool
		if shaped[i], ok = f.value(all[i]); !ok || f.nulls && sizeOf(all[i].Raw()).optionals > 0 {
			return "", false
		}
	}
	return "[" + strings.Join(shaped, ",") + "]", true
}

// plain returns arguments for the form of a schema as they are for the schema itself: a null that stands for absent is
// left out.
func (f form) plain(schema, args json.RawMessage) json.RawMessage {
	if _, ok := f.of(schema); !ok || !f.nulls {
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
	return json.RawMessage(withoutNulls(s, a))
}

func withoutNulls(s, o *jsonobject.Object) string {
	required, properties := requiredOf(s), propertiesOf(s)
	var fields []string
	for _, name := range o.Keys() {
		value, _ := o.Get(name)
		part := string(value.Raw())
		if declared, ok := properties.Get(name); ok {
			property, _ := declared.Object()
			if value.Type() == jsonobject.TypeNull && !slices.Contains(required, name) && !acceptsNull(property) {
				continue
			}
			part = plainValue(property, value)
		}
		fields = append(fields, quote(name)+":"+part)
	}
	return "{" + strings.Join(fields, ",") + "}"
}

func plainValue(s *jsonobject.Object, v jsonobject.Value) string {
	if o, ok := v.Object(); ok {
		return withoutNulls(s, o)
	}
	elements, ok := v.Array()
	items, declared := s.Get("items")
	if !ok || !declared {
		return string(v.Raw())
	}
	element, _ := items.Object()
	parts := make([]string, len(elements))
	for i, e := range elements {
		parts[i] = plainValue(element, e)
	}
	return "[" + strings.Join(parts, ",") + "]"
}
