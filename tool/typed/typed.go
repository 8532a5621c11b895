// Package typed makes a tool of a function whose arguments are a struct. The schema of the
// arguments is derived from the struct.
package typed

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	jsonv2 "github.com/go-json-experiment/json"
	jsonv1 "github.com/go-json-experiment/json/v1"
	"github.com/google/jsonschema-go/jsonschema"

	"gander/internal/jsonobject"
	"gander/tool"
)

// New returns the tool described by spec, whose calls are handled by call. If spec.Input is empty,
// it is the schema of Args as jsonschema.For of github.com/google/jsonschema-go derives it: fields
// have the names of their json tags, those without omitempty or omitzero are required, and a tag
// jsonschema is a description. Keys that Args does not have are refused, unless spec.Input allows
// them. A key of another case is another key.
//
// Arguments that do not conform to the schema are an error of kind [tool.BadArguments], and call is
// not called. Defaults in the schema replace absent arguments. The function must be safe for
// concurrent use; package tool documents its context, its budget and its errors. New returns an
// error if Args is not a struct or map that has a schema, or if spec.Input is not a valid schema.
func New[Args any](
	spec tool.Spec, call func(context.Context, Args, tool.Budget) (tool.Result, error),
) (tool.Tool, error) {
	isOwn := len(spec.Input) > 0
	schema, err := schemaOf[Args](spec.Input)
	switch {
	case isOwn && err != nil:
		return nil, fmt.Errorf("tool %s: the schema of its arguments is invalid: %w", spec.ID, err)
	case err != nil:
		return nil, fmt.Errorf("tool %s: its arguments have no schema: %w", spec.ID, err)
	case isOwn && schema.Type != "object":
		return nil, fmt.Errorf(`tool %s: the type of its schema is not "object"; add "type": "object"`,
			spec.ID)
	case schema.Type != "object":
		return nil, fmt.Errorf("tool %s: its arguments are not a JSON object; use a struct", spec.ID)
	}
	resolved, err := schema.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
	if err != nil {
		return nil, fmt.Errorf("tool %s: the schema of its arguments is invalid: %w", spec.ID, err)
	}
	if !isOwn {
		spec.Input, err = json.Marshal(schema)
		if err != nil {
			return nil, fmt.Errorf("tool %s: the schema of its arguments is invalid: %w", spec.ID, err)
		}
	}
	return &typed[Args]{spec, resolved, call}, nil
}

// schemaOf parses a schema, or derives that of Args if there is none.
func schemaOf[Args any](input json.RawMessage) (*jsonschema.Schema, error) {
	if len(input) == 0 {
		return jsonschema.For[Args](nil)
	}
	schema := new(jsonschema.Schema)
	err := json.Unmarshal(input, schema)
	return schema, err
}

type typed[Args any] struct {
	spec   tool.Spec
	schema *jsonschema.Resolved
	call   func(context.Context, Args, tool.Budget) (tool.Result, error)
}

func (t *typed[Args]) Spec() tool.Spec { return t.spec }

func (t *typed[Args]) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	args, err := t.decode(c.Args)
	if err != nil {
		message := fmt.Sprintf("invalid arguments: %v", err)
		return tool.Result{}, &tool.Error{Kind: tool.BadArguments, Message: message, Err: err}
	}
	return t.call(ctx, args, c.Budget)
}

// decode decodes arguments that conform to the schema.
func (t *typed[Args]) decode(raw json.RawMessage) (args Args, err error) {
	if len(raw) == 0 {
		raw = json.RawMessage("{}")
	}
	if err := t.validate(raw); err != nil {
		return args, err
	}
	var object map[string]any
	if err := decodeExact(raw, &object); err != nil {
		return args, err
	}
	if err := addDefaults(object, t.schema.Schema()); err != nil {
		return args, err
	}
	complete, err := json.Marshal(spellIntegers(object))
	if err != nil {
		return args, err
	}
	// A key of another case is another one in the schema, so it must not set the field.
	exactKeys := jsonv2.MatchCaseInsensitiveNames(false)
	err = jsonv2.Unmarshal(complete, &args, jsonv1.DefaultOptionsV1(), exactKeys)
	return args, err
}

func (t *typed[Args]) validate(raw json.RawMessage) error {
	if _, err := jsonobject.Parse(raw); err != nil { // such as for a key that is given twice
		return err
	}
	var values map[string]any
	if err := json.Unmarshal(raw, &values); err != nil {
		return err
	}
	return t.schema.Validate(values)
}

// addDefaults adds the defaults in the schema for absent properties, at every depth. A required
// property has none. Resolved.ApplyDefaults does the same, but rounds large integers.
func addDefaults(object map[string]any, schema *jsonschema.Schema) error {
	for key, property := range schema.Properties {
		if slices.Contains(schema.Required, key) {
			continue
		}
		value, isGiven := object[key]
		hasDefault := property.Default != nil
		switch {
		case isGiven:
		case hasDefault:
			if err := decodeExact(property.Default, &value); err != nil {
				return err
			}
		default:
			value = make(map[string]any) // for the defaults in it
		}
		inner, _ := value.(map[string]any)
		if inner != nil {
			if err := addDefaults(inner, property); err != nil {
				return err
			}
		}
		if isGiven || hasDefault || len(inner) > 0 {
			object[key] = value
		}
	}
	return nil
}

// decodeExact decodes JSON. Unlike the values that are validated, the numbers are not float64,
// which would round large integers.
func decodeExact(raw json.RawMessage, value any) error {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	return decoder.Decode(value)
}

// spellIntegers replaces each number whose value is an int64 by one. To a schema 7.0 and 7e0 are
// integers, but package json decodes neither into one.
func spellIntegers(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for key, member := range v {
			v[key] = spellIntegers(member)
		}
	case []any:
		for i, element := range v {
			v[i] = spellIntegers(element)
		}
	case json.Number:
		if n, err := jsonobject.Integer(v); err == nil {
			return n
		}
	}
	return value
}
