// Package arguments decodes the arguments of a call and reports what is wrong with them, in the
// words of the called tool.
package arguments

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"gander/internal/files/text"
	"gander/internal/jsonobject"
	"gander/internal/tools/toolerror"
)

// Messages holds the messages of a tool about arguments that do not match its schema. They may
// contain the placeholders {key}, {type} and {value} of an argument. Messages that a tool does not
// need are empty.
type Messages struct {
	Prefix  string // begins every message
	JSON    string // the arguments are not one JSON object: {error}
	Missing string // a required argument is absent; if empty, it has the type "undefined"
	Twice   string // the argument {other} for the same thing has another value
	Unknown string // the object may have only the {keys}

	String, Boolean, Array, Object, Integer string // the value is not of this type

	Number string // the value is not a finite number
	Range  string // the integer is not between {min} and {max}
	Choice string // the value is none of the {choices}

	Quote   string // the quotation mark around each of {choices} and {keys}
	Element string // the format of {key} for an element of an array: the array's key and the index
	Member  string // separates the keys of an object and a member in {key}, which has both if not ""

	// Lenient reports whether values that are not ambiguous are accepted: null counts as absent, and
	// a value of another type is converted: "7" is an integer, "true" a boolean, and 7 a string.
	Lenient bool
	// All reports whether all problems are listed, as by a schema validator of JavaScript, whose types
	// include "Infinity" and "-Infinity".
	All bool
}

// Arguments decodes the arguments of a call, or the members of an object among them. A tool reads
// its arguments in the order of its error messages, and then calls [Arguments.Err]. After the last
// reported problem every argument counts as absent.
type Arguments struct {
	object *jsonobject.Object
	prefix string // what messages write before the keys
	state  *decoding
}

// A decoding is the state that an object and the objects in it share.
type decoding struct {
	Messages
	problems []string
	more     int                     // number of unlisted problems
	ended    bool                    // no further problem is recorded
	spell    func(key string) string // nil for keys as they are
}

// Spell lets messages write keys otherwise.
func (a *Arguments) Spell(spell func(key string) string) { a.state.spell = spell }

func (s *decoding) spelled(key string) string {
	if s.spell == nil {
		return key
	}
	return s.spell(key)
}

// maxProblems is the maximum number of problems that a message lists.
const maxProblems = 20

// Decode decodes the arguments of a call, which are one JSON object. No bytes mean an
// empty object.
func Decode(raw json.RawMessage, messages Messages) *Arguments {
	if len(raw) == 0 {
		raw = json.RawMessage("{}")
	}
	a := &Arguments{state: &decoding{Messages: messages}}
	var err error
	a.object, err = jsonobject.Parse(raw)
	if err != nil {
		a.Reject(messages.JSON, "{error}", err.Error())
		a.state.ended = true
	}
	return a
}

// Keys returns the keys of the object, in its order.
func (a *Arguments) Keys() []string {
	if a.state.ended {
		return nil
	}
	return a.object.Keys()
}

// Err returns nil, or an error of kind [tool.BadArguments] that lists the problems.
func (a *Arguments) Err() error {
	if len(a.state.problems) == 0 {
		return nil
	}
	lines := slices.Clone(a.state.problems)
	lines[0] = a.state.Prefix + lines[0]
	if a.state.more > 0 {
		lines = append(lines, fmt.Sprintf("... and %d more", a.state.more))
	}
	return toolerror.Problems(lines...)
}

// Reject records a problem. values are placeholders in the message, each followed by its
// replacement.
func (a *Arguments) Reject(message string, values ...string) { a.state.reject(message, values...) }

func (s *decoding) reject(message string, values ...string) {
	switch {
	case s.ended:
	case len(s.problems) == maxProblems:
		s.more++
	default:
		s.problems = append(s.problems, strings.NewReplacer(values...).Replace(message))
		s.ended = !s.All
	}
}

// Only records a problem for each key of the object that is not among keys.
func (a *Arguments) Only(keys ...string) {
	for _, key := range a.Keys() {
		if !slices.Contains(keys, key) {
			a.Reject(a.state.Unknown, "{key}", text.Excerpt(key), "{keys}", a.state.quoted(keys))
		}
	}
}

func (m *Messages) quoted(values []string) string {
	return m.Quote + strings.Join(values, m.Quote+", "+m.Quote) + m.Quote
}

func (a *Arguments) argument(key string) Argument {
	v := Argument{state: a.state, key: a.prefix + key}
	if !a.state.ended {
		v.value, v.given = a.object.Get(key)
	}
	if a.state.Lenient {
		v.value = v.value.Literal()
	}
	return v
}

// Required returns the argument under key. It records a problem if the argument is absent.
func (a *Arguments) Required(key string) Argument {
	v := a.Optional(key)
	switch {
	case v.given || a.state.ended:
	case a.state.Missing == "":
		v.given = true
	default:
		v.fail(a.state.Missing)
	}
	return v
}

// Optional returns the argument under key.
func (a *Arguments) Optional(key string) Argument {
	if a.state.Lenient {
		return a.Nullable(key)
	}
	return a.argument(key)
}

// Nullable returns the argument under key. It counts as absent if it is null.
func (a *Arguments) Nullable(key string) Argument {
	v := a.argument(key)
	if v.value.Type() == jsonobject.TypeNull {
		v.given = false
	}
	return v
}

// OneOf returns the argument under one of several synonymous keys. It records a problem if two of
// them have different values.
func (a *Arguments) OneOf(keys ...string) Argument {
	found := a.Optional(keys[0])
	for _, key := range keys[1:] {
		v := a.Optional(key)
		switch {
		case v.given && !found.given:
			found = v
		case v.given && !isSame(v.value, found.value):
			found.fail(a.state.Twice, "{other}", a.state.spelled(key))
		}
	}
	return found
}

// isSame reports whether two values are the same string, however escaped, or are written alike.
func isSame(a, b jsonobject.Value) bool {
	s, ok := a.Text()
	if !ok {
		return string(a.Raw()) == string(b.Raw())
	}
	t, ok := b.Text()
	return ok && s == t
}
