package filesystem

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"gander/internal/jsonobject"
	"gander/internal/tools/shared"
)

// arguments reads the arguments of a call. In contrast to [shared.Arguments] it reports everything that is wrong with them, as
// the original's schema validator does (section 2).
type arguments struct {
	tool   string
	object *jsonobject.Object
	issues []string
}

func (t *Tool) arguments(raw json.RawMessage) (*arguments, error) {
	o, err := jsonobject.ParseArguments(raw)
	if err != nil {
		return nil, shared.BadArguments("%sthe arguments must be one JSON object: %v", invalid(t.spec.Name), err)
	}
	return &arguments{tool: t.spec.Name, object: o}, nil
}

// invalid returns the beginning of the message about wrong arguments.
func invalid(tool string) string {
	return "MCP error -32602: Input validation error: Invalid arguments for tool " + tool + ": "
}

// err returns the error about the arguments that were read, or nil.
func (a *arguments) err() error {
	if len(a.issues) == 0 {
		return nil
	}
	return shared.BadArguments("%s%s", invalid(a.tool), strings.Join(a.issues, "\n"))
}

func (a *arguments) expected(what, received, at string) {
	a.issues = append(a.issues, fmt.Sprintf("Invalid input: expected %s, received %s at %s", what, received, at))
}

// received returns the type of an argument as messages name it.
func (a *arguments) received(key string) string {
	v, given := a.object.Get(key)
	if !given {
		return "undefined"
	}
	return typeOf(v)
}

// typeOf returns the type of a value as messages name it. A number too large for a double is infinite.
func typeOf(v jsonobject.Value) string {
	if v.Type() == jsonobject.TypeNumber {
		switch n, _ := strconv.ParseFloat(string(v.Raw()), 64); {
		case math.IsInf(n, 1):
			return "Infinity"
		case math.IsInf(n, -1):
			return "-Infinity"
		}
	}
	return string(v.Type())
}

// string returns an argument that must be a string.
func (a *arguments) string(key string) string {
	v, given := a.object.Get(key)
	s, ok := "", false
	if given {
		s, ok = v.Text()
	}
	if !ok {
		a.expected("string", a.received(key), key)
	}
	return s
}

// number returns an argument that may be absent. 0 counts as absent.
func (a *arguments) number(key string) float64 {
	v, given := a.object.Get(key)
	if !given {
		return 0
	}
	if v.Type() != jsonobject.TypeNumber {
		a.expected("number", typeOf(v), key)
		return 0
	}
	n, _ := strconv.ParseFloat(string(v.Raw()), 64) // what is too large is infinite
	if math.IsInf(n, 0) {
		a.expected("number", typeOf(v), key)
	}
	return n
}

// strings returns a list of strings. Unless it is required it may be absent; otherwise it must not be empty.
func (a *arguments) strings(key string, required bool) []string {
	v, given := a.object.Get(key)
	if !given && !required {
		return nil
	}
	var elements []jsonobject.Value
	ok := false
	if given {
		elements, ok = v.Array()
	}
	if !ok {
		a.expected("array", a.received(key), key)
		return nil
	}
	if required && len(elements) == 0 {
		a.issues = append(a.issues, "Too small: expected array to have >=1 items at "+key)
	}
	list := make([]string, len(elements))
	for i, e := range elements {
		if list[i], ok = e.Text(); !ok {
			a.expected("string", typeOf(e), fmt.Sprintf("%s[%d]", key, i))
		}
	}
	return list
}

// sortBy returns the order of list_directory_with_sizes.
func (a *arguments) sortBy() string {
	const key = "sortBy"
	v, given := a.object.Get(key)
	if !given {
		return "name"
	}
	s, ok := v.Text()
	if !ok || s != "name" && s != "size" {
		a.issues = append(a.issues, `Invalid option: expected one of "name"|"size" at `+key)
	}
	return s
}
