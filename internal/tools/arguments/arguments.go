// Package arguments decodes the arguments of a call and reports what is wrong with them, in the
// words of the called tool.
package arguments

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
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
// its arguments in the order of its error messages, and then calls [Arguments.Err] once. After the
// last reported problem every argument counts as absent.
type Arguments struct {
	object *jsonobject.Object
	prefix string // of the keys in messages
	state  *decoding
}

// A decoding is the state that an object and the objects in it share.
type decoding struct {
	Messages
	problems []string
	more     int  // number of unlisted problems
	ended    bool // no further problem is recorded
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
	message := a.state.Prefix + strings.Join(a.state.problems, "\n")
	if a.state.more > 0 {
		message += fmt.Sprintf("\n... and %d more", a.state.more)
	}
	return toolerror.BadArguments("%s", message)
}

// Reject records a problem. values are placeholders in the message, each followed by its
// replacement.
func (a *Arguments) Reject(message string, values ...string) {
	switch s := a.state; {
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

func (a *Arguments) argument(key string, nullable bool) Argument {
	v := Argument{in: a, key: key}
	if !a.state.ended {
		v.value, v.given = a.object.Get(key)
	}
	if a.state.Lenient {
		v.value = v.value.Literal()
	}
	v.given = v.given && !(nullable && v.value.Type() == jsonobject.TypeNull)
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
func (a *Arguments) Optional(key string) Argument { return a.argument(key, a.state.Lenient) }

// Nullable returns the argument under key. It counts as absent if it is null.
func (a *Arguments) Nullable(key string) Argument { return a.argument(key, true) }

// OneOf returns the argument under one of several synonymous keys. It records a problem if two of
// them have different values.
func (a *Arguments) OneOf(keys ...string) Argument {
	found := a.Optional(keys[0])
	for _, key := range keys[1:] {
		v := a.Optional(key)
		switch {
		case v.given && !found.given:
			found = v
		case v.given && string(v.value.Raw()) != string(found.value.Raw()):
			found.fail(a.state.Twice, "{other}", key)
		}
	}
	return found
}

// An Argument is one argument of a call. Each method returns the value if it has the type of the
// method. Otherwise it returns the default, absent, and records a problem if the argument is given.
type Argument struct {
	in    *Arguments
	key   string
	value jsonobject.Value
	given bool
}

// Given reports whether the argument is present.
func (v Argument) Given() bool { return v.given }

// Value returns the value, which has no type if it is absent.
func (v Argument) Value() jsonobject.Value { return v.value }

// fail reports that the value is wrong. more are further placeholders.
func (v Argument) fail(message string, more ...string) {
	kind := cmp.Or(string(v.value.Type()), "undefined")
	switch n, _ := strconv.ParseFloat(string(v.value.Raw()), 64); {
	case v.in.state.All && math.IsInf(n, 1):
		kind = "Infinity"
	case v.in.state.All && math.IsInf(n, -1):
		kind = "-Infinity"
	}
	v.in.Reject(message, append(more, "{key}", v.in.prefix+v.key,
		"{type}", kind, "{value}", text.Excerpt(v.value.Raw()))...)
}

// decode returns value if the argument is given and ok, reports message if it is given and not ok, and
// otherwise returns absent.
func decode[T any](v Argument, absent T, message string, value func() (x T, ok bool)) T {
	if !v.given {
		return absent
	}
	x, ok := value()
	if !ok {
		v.fail(message)
		return absent
	}
	return x
}

// String returns a string.
func (v Argument) String(absent string) string {
	return decode(v, absent, v.in.state.String, func() (string, bool) {
		t := v.value.Type()
		if v.in.state.Lenient && (t == jsonobject.TypeNumber || t == jsonobject.TypeBoolean) {
			return string(v.value.Raw()), true
		}
		return v.value.Text()
	})
}

// Bool returns a boolean.
func (v Argument) Bool(absent bool) bool {
	return decode(v, absent, v.in.state.Boolean, v.value.Bool)
}

// Number returns a finite number.
func (v Argument) Number(absent float64) float64 {
	return decode(v, absent, v.in.state.Number, func() (float64, bool) {
		n, err := strconv.ParseFloat(string(v.value.Raw()), 64)
		return n, err == nil && v.value.Type() == jsonobject.TypeNumber
	})
}

// Int returns an integer from lo to hi. As in JSON Schema, any number with an integral value is an
// integer: 7, 7.0 and 70e-1 alike. A value out of the range of an int becomes the nearest int.
func (v Argument) Int(absent, lo, hi int) int {
	if !v.given {
		return absent
	}
	wide, err := v.value.Integer()
	n := int(max(min(wide, math.MaxInt), math.MinInt))
	isInteger := err == nil || errors.Is(err, jsonobject.ErrRange)
	bounds := []string{"{min}", strconv.Itoa(lo), "{max}", strconv.Itoa(hi)}
	switch {
	case !isInteger:
		v.fail(v.in.state.Integer, bounds...)
	case n < lo || n > hi:
		v.fail(v.in.state.Range, bounds...)
	default:
		return n
	}
	return absent
}

// Unsigned returns an integer that fits in a uint64, written in digits only. A value out of the
// range of an int becomes the largest int.
func (v Argument) Unsigned(absent int) int {
	return decode(v, absent, v.in.state.Integer, func() (int, bool) {
		n, err := strconv.ParseUint(string(v.value.Raw()), 10, 64)
		return int(min(n, math.MaxInt)), err == nil
	})
}

// Choice returns a string that is one of the choices. The first choice is the default.
func (v Argument) Choice(choices ...string) string {
	m, last := &v.in.state.Messages, len(choices)-1
	listed := m.quoted(choices[:last]) + " or " + m.quoted(choices[last:])
	message := strings.ReplaceAll(m.Choice, "{choices}", listed)
	return decode(v, choices[0], message, func() (string, bool) {
		s, ok := v.value.Text()
		return s, ok && slices.Contains(choices, s)
	})
}

// Strings returns an array of strings, or nil if it is absent.
func (v Argument) Strings() []string {
	var list []string
	key := v.key
	for i, e := range decode(v, nil, v.in.state.Array, v.value.Array) {
		v.key, v.value = fmt.Sprintf(v.in.state.Element, key, i), e
		list = append(list, v.String(""))
	}
	return list
}

// Object returns the members of an object. If the argument is absent, the object has no members.
func (v Argument) Object() *Arguments {
	a := &Arguments{state: v.in.state}
	a.object = decode(v, new(jsonobject.Object), a.state.Object, v.value.Object)
	if a.state.Member != "" {
		a.prefix = v.in.prefix + v.key + a.state.Member
	}
	return a
}
