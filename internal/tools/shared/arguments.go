package shared

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gander/internal/jsonobject"
)

// Messages holds the messages of a tool about arguments that do not match its schema. They may
// contain these placeholders:
//
//	{key}         the argument
//	{type}        the JSON type of its value, such as "number"
//	{value}       the beginning of its value, as JSON
//	{choices}     the values that it may have, quoted
//	{keys}        the keys that the object may have, quoted
//	{min}, {max}  the bounds of an integer
//	{other}       another argument for the same thing
//	{error}       the error in the JSON
//
// Messages that a tool does not need may be empty.
type Messages struct {
	Prefix  string // begins every message
	JSON    string // the arguments are not one JSON object
	Missing string // a required argument is absent
	Twice   string // two arguments for the same thing have different values
	Unknown string // the object may not have this key

	// The value is not of this type.
	String, Boolean, Array, Object, Integer string

	Number string // the value is not a finite number
	Range  string // the integer is out of bounds
	Choice string // the value is none of the choices

	Quote string // the quotation mark around each of {choices} and {keys}
	// Element is the format of {key} for an element of an array, given the array's key and the index.
	Element string
	Member  string // the format of {key} for a member of an object, given both keys, or ""

	// Lenient reports whether values that are not ambiguous are accepted: null counts as absent, and
	// a value of another type is converted: "7" is an integer, "true" a boolean, and 7 a string.
	Lenient bool
	// Validator reports whether all problems are listed, as by a schema validator of JavaScript.
	// Its types include "undefined" for a required argument that is absent, "Infinity" and
	// "-Infinity".
	Validator bool
}

// Arguments decodes the arguments of a call, or the members of an object among them. A tool reads
// its arguments in the order of its error messages, and then calls [Arguments.Err] once. After the
// first problem every argument counts as absent, except for a validator.
type Arguments struct {
	object   *jsonobject.Object
	parent   string // the key of the object; "" for the arguments of the call
	messages Messages
	problems *problems // shared by nested objects
}

// problems collects the problems with the arguments of a call.
type problems struct {
	ended  bool // no further problem is listed
	listed []string
	more   int // the number of unlisted problems
}

// maxProblems is the maximum number of problems that a message lists.
const maxProblems = 20

// DecodeArguments decodes the arguments of a call, which are one JSON object. No bytes mean an
// empty object.
func DecodeArguments(raw json.RawMessage, messages Messages) *Arguments {
	if len(raw) == 0 {
		raw = json.RawMessage("{}")
	}
	a := &Arguments{messages: messages, problems: new(problems)}
	var err error
	if a.object, err = jsonobject.Parse(raw); err != nil {
		a.Reject(messages.JSON, "{error}", err.Error())
		a.problems.ended = true
	}
	return a
}

// Keys returns the keys of the object, in its order.
func (a *Arguments) Keys() []string {
	if a.problems.ended {
		return nil
	}
	return a.object.Keys()
}

// Err returns nil, or a [*tool.Error] of kind [tool.BadArguments] that lists the problems.
func (a *Arguments) Err() error {
	p := a.problems
	if len(p.listed) == 0 {
		return nil
	}
	message := a.messages.Prefix + strings.Join(p.listed, "\n")
	if p.more > 0 {
		message += fmt.Sprintf("\n... and %d more", p.more)
	}
	return BadArguments("%s", message)
}

// Reject records a problem. values are placeholders in the message, each followed by its
// replacement.
func (a *Arguments) Reject(message string, values ...string) {
	p := a.problems
	switch {
	case p.ended:
	case len(p.listed) == maxProblems:
		p.more++
	default:
		p.listed = append(p.listed, strings.NewReplacer(values...).Replace(message))
		p.ended = !a.messages.Validator
	}
}

// Only records a problem for each key of the object that is not among keys.
func (a *Arguments) Only(keys ...string) {
	for _, key := range a.Keys() {
		if !slices.Contains(keys, key) {
			a.Reject(a.messages.Unknown, "{key}", Excerpt(key), "{keys}", a.messages.quoted(keys))
		}
	}
}

func (m *Messages) quoted(values []string) string {
	return m.Quote + strings.Join(values, m.Quote+", "+m.Quote) + m.Quote
}

// Required returns the argument under key. It records a problem if the argument is absent; a
// validator treats that as a wrong type.
func (a *Arguments) Required(key string) Argument {
	v := a.Optional(key)
	switch {
	case v.given || a.problems.ended:
	case a.messages.Validator:
		v.given = true
	default:
		a.Reject(a.messages.Missing, "{key}", v.name())
	}
	return v
}

// Optional returns the argument under key.
func (a *Arguments) Optional(key string) Argument {
	v := Argument{in: a, key: key}
	if !a.problems.ended {
		v.value, v.given = a.object.Get(key)
	}
	if a.messages.Lenient {
		v.given = v.given && v.value.Type() != jsonobject.TypeNull
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
		case v.given && string(v.value.Raw()) != string(found.value.Raw()):
			found.fail(a.messages.Twice, "{other}", key)
		}
	}
	return found
}

// Nullable returns the argument under key. It counts as absent if it is null.
func (a *Arguments) Nullable(key string) Argument {
	v := a.Optional(key)
	v.given = v.given && v.value.Type() != jsonobject.TypeNull
	return v
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

// literal returns the value, converted if the arguments are lenient.
func (v Argument) literal() jsonobject.Value {
	if v.in.messages.Lenient {
		return v.value.Literal()
	}
	return v.value
}

// name returns the key as messages name it.
func (v Argument) name() string {
	if member := v.in.messages.Member; v.in.parent != "" && member != "" {
		return fmt.Sprintf(member, v.in.parent, v.key)
	}
	return v.key
}

// fail reports that the value is wrong. more are further placeholders.
func (v Argument) fail(message string, more ...string) {
	values := []string{
		"{key}", v.name(), "{type}", v.in.typeOf(v.value), "{value}", Excerpt(v.value.Raw()),
	}
	v.in.Reject(message, append(values, more...)...)
}

// typeOf returns the type of a value as messages name it.
func (a *Arguments) typeOf(v jsonobject.Value) string {
	if a.messages.Validator {
		switch n, _ := strconv.ParseFloat(string(v.Raw()), 64); {
		case len(v.Raw()) == 0:
			return "undefined"
		case math.IsInf(n, 1):
			return "Infinity"
		case math.IsInf(n, -1):
			return "-Infinity"
		}
	}
	return string(v.Type())
}

// get returns value if the argument is given and ok, reports message if it is given and not ok, and
// otherwise returns absent.
func get[T any](v Argument, absent T, message string, value func() (x T, ok bool)) T {
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
	return get(v, absent, v.in.messages.String, func() (string, bool) {
		t := v.value.Type()
		if v.in.messages.Lenient && (t == jsonobject.TypeNumber || t == jsonobject.TypeBoolean) {
			return string(v.value.Raw()), true
		}
		return v.value.Text()
	})
}

// Bool returns a boolean.
func (v Argument) Bool(absent bool) bool {
	return get(v, absent, v.in.messages.Boolean, v.literal().Bool)
}

// Number returns a finite number.
func (v Argument) Number(absent float64) float64 {
	return get(v, absent, v.in.messages.Number, func() (float64, bool) {
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
	wide, err := v.literal().Integer()
	n := int(max(min(wide, math.MaxInt), math.MinInt))
	message := v.in.messages.Range
	if err != nil && !errors.Is(err, jsonobject.ErrRange) {
		message = v.in.messages.Integer
	} else if lo <= n && n <= hi {
		return n
	}
	v.fail(message, "{min}", strconv.Itoa(lo), "{max}", strconv.Itoa(hi))
	return absent
}

// Unsigned returns an integer that fits in a uint64, written in digits only. A value out of the
// range of an int becomes the largest int.
func (v Argument) Unsigned(absent int) int {
	return get(v, absent, v.in.messages.Integer, func() (int, bool) {
		n, err := strconv.ParseUint(string(v.value.Raw()), 10, 64)
		return int(min(n, math.MaxInt)), err == nil
	})
}

// Choice returns a string that is one of the choices. The first choice is the default.
func (v Argument) Choice(choices ...string) string {
	m := &v.in.messages
	last := len(choices) - 1
	listed := m.quoted(choices[:last]) + " or " + m.quoted(choices[last:])
	message := strings.ReplaceAll(m.Choice, "{choices}", listed)
	return get(v, choices[0], message, func() (string, bool) {
		s, ok := v.value.Text()
		return s, ok && slices.Contains(choices, s)
	})
}

// Strings returns an array of strings, or nil if it is absent.
func (v Argument) Strings() []string {
	if !v.given {
		return nil
	}
	elements, ok := v.value.Array()
	if !ok {
		v.fail(v.in.messages.Array)
		return nil
	}
	list := make([]string, len(elements))
	for i, e := range elements {
		if list[i], ok = e.Text(); !ok {
			name := fmt.Sprintf(v.in.messages.Element, v.name(), i)
			v.in.Reject(v.in.messages.String, "{key}", name, "{type}", v.in.typeOf(e))
		}
	}
	return list
}

// Object returns the members of an object. If the argument is absent, the object has no members.
func (v Argument) Object() *Arguments {
	none := new(jsonobject.Object)
	return &Arguments{
		object: get(v, none, v.in.messages.Object, v.value.Object),
		parent: v.key, messages: v.in.messages, problems: v.in.problems,
	}
}
