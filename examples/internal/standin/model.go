package standin

import (
	"encoding/json"
	"errors"
	"fmt"
)

// A conversation is the content of a request, whatever the API.
type conversation struct {
	tools   []definition
	asked   []call
	answers []answer
}

type definition struct {
	name   string
	schema schema
}

// A call is a call of a tool that the model has asked for.
type call struct {
	id, name string
	args     json.RawMessage
}

// An answer is the answer to a call. The field failed stays false if the API does not mark failed calls.
type answer struct {
	id, content string
	failed      bool
}

// A step is a turn of the model: it asks for calls or says something.
type step struct {
	calls []call
	say   string
}

// next is the model. It first asks for two calls, one about a directory that exists and one about a path that does not. Then
// it says what it has seen.
func next(c conversation) (step, error) {
	if err := c.check(); err != nil {
		return step{}, err
	}
	if len(c.asked) == 0 {
		tree, err := c.tool("tree")
		return step{calls: []call{
			{"call_1", "tree", tree.arguments(map[string]any{"path": ".", "entry_kind": "all", "max_depth": 1})},
			{"call_2", "tree", tree.arguments(map[string]any{"path": "attic"})},
		}}, err
	}
	var seen struct {
		Root struct{ Children []struct{ Name string } }
	}
	if err := json.Unmarshal([]byte(c.answers[0].content), &seen); err != nil {
		return step{}, fmt.Errorf("the answer to the first call is no tree: %w", err)
	}
	say := "I see"
	for _, child := range seen.Root.Children {
		say += " " + child.Name
	}
	attic := "The attic: "
	if c.answers[1].failed {
		attic = "The attic cannot be seen: "
	}
	return step{say: say + ".\n" + attic + c.answers[1].content}, nil
}

// check returns an error unless every call has one answer, in the same order.
func (c conversation) check() error {
	if len(c.asked) != len(c.answers) {
		return fmt.Errorf("%d calls have %d answers", len(c.asked), len(c.answers))
	}
	for i, a := range c.answers {
		if a.id != c.asked[i].id {
			return fmt.Errorf("the call %q has the answer to %q", c.asked[i].id, a.id)
		}
	}
	return nil
}

func (c conversation) tool(name string) (definition, error) {
	for _, d := range c.tools {
		if d.name == name {
			return d, nil
		}
	}
	return definition{}, errors.New("there is no tool " + name)
}

// arguments returns the arguments of a model that keeps to the schema: required arguments that it does not want are null.
func (d definition) arguments(wanted map[string]any) json.RawMessage {
	for _, name := range d.schema.Required {
		if _, ok := wanted[name]; !ok {
			wanted[name] = nil
		}
	}
	args, _ := json.Marshal(wanted)
	return args
}

// A schema is the part of a tool's schema that the stand-in checks.
type schema struct {
	Type       string
	Properties map[string]json.RawMessage
	Required   []string
	Additional *bool `json:"additionalProperties"`
}

// closed returns an error unless the schema is strict: an object without other properties and, if all is set, without
// optional ones.
func (s schema) closed(all bool) error {
	switch {
	case s.Type != "object":
		return errors.New("the schema of a tool must be of type object")
	case s.Additional == nil || *s.Additional:
		return errors.New("additionalProperties must be false")
	case all && len(s.Required) != len(s.Properties):
		return errors.New("every property must be required")
	}
	return nil
}
