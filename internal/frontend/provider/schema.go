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

// convert returns the strict form of a schema of arguments. If it has none, convert returns the schema itself and false.
func (f subset) convert(schema json.RawMessage) (_ json.RawMessage, ok bool) {
	s, err := jsonobject.Parse(schema)
	if err != nil || !slices.Equal(typesOf(s), []string{"object"}) {
		return schema, false
	}
	shaped, ok := f.convertSchema(s)
	if !ok {
		return schema, false
	}
	return json.RawMessage(shaped), true
}

// convertSchema returns the strict form of a schema, in which every object is closed.
func (f subset) convertSchema(s *jsonobject.Object) (shaped string, ok bool) {
	if !isTyped(s) {
		return "", false
	}
	var fields []string
	for _, key := range s.Keys() {
		value, _ := s.Get(key)
		if has("required additionalProperties "+f.dropped, key) || key == "format" && !has(formats, stringOf(value)) {
			continue
		}
		part, ok := string(value.Raw()), has(f.allowed, key)
		switch key {
		case "properties":
			part, ok = f.convertProperties(s, value)
		case "items":
			part, ok = f.convertValue(value)
		case "anyOf":
			part, ok = f.convertAlternatives(value)
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

// orNull returns a schema that also accepts null, for an absent property. Its description states the default, if any.
func orNull(shaped string, property *jsonobject.Object) string {
	null := `{"type":"null"}`
	if value, ok := property.Get("default"); ok {
		null = `{"type":"null","description":` + quote("Default: "+string(value.Raw())) + "}"
	}
	return `{"anyOf":[` + shaped + "," + null + "]}"
}

// closing returns the keywords that close an object. It reports false for an object that must stay open.
func (f subset) closing(s *jsonobject.Object) (fields []string, ok bool) {
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
	if f.nullable {
		required = propertiesOf(s).Keys()
	}
	if f.nullable || len(required) > 0 {
		names := make([]string, len(required))
		for i, name := range required {
			names[i] = quote(name)
		}
		fields = append(fields, `"required":[`+strings.Join(names, ",")+"]")
	}
	return append(fields, `"additionalProperties":false`), true
}

func (f subset) convertProperties(s *jsonobject.Object, value jsonobject.Value) (string, bool) {
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
		shaped, ok := f.convertSchema(property)
		if !ok {
			return "", false
		}
		if f.nullable && !slices.Contains(required, name) && !acceptsNull(property) {
			shaped = orNull(shaped, property)
		}
		fields = append(fields, quote(name)+":"+shaped)
	}
	return "{" + strings.Join(fields, ",") + "}", true
}

func (f subset) convertValue(v jsonobject.Value) (string, bool) {
	s, ok := v.Object()
	if !ok {
		return "", false
	}
	return f.convertSchema(s)
}

// convertAlternatives returns the strict forms of alternatives. They must have no optional properties if those would become
// nullable, because restore could not tell which alternative a null belongs to.
func (f subset) convertAlternatives(v jsonobject.Value) (string, bool) {
	all, _ := v.Array()
	shaped := make([]string, len(all))
	for i := range all {
		var ok bool
		if shaped[i], ok = f.convertValue(all[i]); !ok || f.nullable && sizeOf(all[i].Raw()).optionals > 0 {
			return "", false
		}
	}
	return "[" + strings.Join(shaped, ",") + "]", true
}

// restore returns arguments for a schema, given arguments for its strict form: it leaves out every null that means absent.
func (f subset) restore(schema, args json.RawMessage) json.RawMessage {
	if _, ok := f.convert(schema); !ok || !f.nullable {
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
	items, declared := s.Get("items")
	if !ok || !declared {
		return string(v.Raw())
	}
	element, _ := items.Object()
	parts := make([]string, len(elements))
	for i, e := range elements {
		parts[i] = restoreValue(element, e)
	}
	return "[" + strings.Join(parts, ",") + "]"
}
