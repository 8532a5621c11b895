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
//	{error}       what is wrong with the JSON
//
// Messages that a tool does not need may be empty.
type Messages struct {
	Prefix  string // begins every message
	JSON    string // the arguments are not one JSON object
	Missing string // a required argument is absent
	Twice   string // two arguments for the same thing say different things
	Unknown string // the object may not have this key

	// The value is not of this type.
	String, Boolean, Array, Object, Integer string

	Number string // the value is not a finite number
	Range  string // the integer is out of bounds
	Choice string // the value is none of the choices

	Quote   string // the quotation mark around each of {choices} and {keys}
	Element string // the format of {key} for an element of an array, given the array's key and the index
	Member  string // the format of {key} for a member of an object, given both keys, or ""

	// Validator reports whether all problems are listed, as by a schema validator of JavaScript.
	// Its types include "undefined" for a required argument that is absent, "Infinity" and
	// "-Infinity".
	Validator bool
}

// Arguments reads the arguments of a call, or the members of an object among them. A tool reads its
// arguments in the order of its error messages, and then calls [Arguments.Err] once. After an error
// every argument counts as absent, except for a validator.
type Arguments struct {
	object   *jsonobject.Object // nil if the object is absent
	parent   string             // the key of the object; "" for the arguments of the call
	messages Messages
	problems *problems // shared by nested objects
	lenient  bool
}

// problems are the problems of the arguments of a call.
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
	o, err := jsonobject.Parse(raw)
	a := &Arguments{object: o, messages: messages, problems: new(problems)}
	if err != nil {
		a.fail(a.messages.JSON, "{error}", err.Error())
		a.problems.ended = true
	}
	return a
}

// DecodeLenient is [DecodeArguments] for a tool that accepts what is not ambiguous: null counts as
// absent, and a value of another type is converted: "7" is an integer, "true" a boolean, and 7 a
// string.
func DecodeLenient(raw json.RawMessage, messages Messages) *Arguments {
	a := DecodeArguments(raw, messages)
	a.lenient = true
	return a
}

// Keys returns the keys of the object, in its order.
func (a *Arguments) Keys() []string {
	if a.problems.ended || a.object == nil {
		return nil
	}
	return a.object.Keys()
}

// Err returns the error about the arguments, a [*tool.Error] of kind [tool.BadArguments], or nil.
func (a *Arguments) Err() error {
	p := a.problems
	if len(p.listed) == 0 {
		return nil
	}
	more := ""
	if p.more > 0 {
		more = fmt.Sprintf("\n... and %d more", p.more)
	}
	return BadArguments("%s%s%s", a.messages.Prefix, strings.Join(p.listed, "\n"), more)
}

// Reject records a problem that is not about a type.
func (a *Arguments) Reject(problem string) { a.fail(problem) }

// fail records a problem. values are placeholders, each followed by its replacement.
func (a *Arguments) fail(message string, values ...string) {
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

// Only reports an error if there are other keys than these.
func (a *Arguments) Only(keys ...string) {
	if a.problems.ended || a.object == nil {
		return
	}
	for _, key := range a.object.Keys() {
		if !slices.Contains(keys, key) {
			quote := a.messages.Quote
			allowed := quote + strings.Join(keys, quote+", "+quote) + quote
			a.fail(a.messages.Unknown, "{key}", Excerpt(key), "{keys}", allowed)
		}
	}
}

// Required returns the argument under key. Its absence is an error, which a validator reports as
// that of its type.
func (a *Arguments) Required(key string) Argument {
	v := a.Optional(key)
	switch {
	case v.given || a.problems.ended:
	case a.messages.Validator:
		v.given = true
	default:
		a.fail(a.messages.Missing, "{key}", v.name())
	}
	return v
}

// Optional returns the argument under key.
func (a *Arguments) Optional(key string) Argument {
	v := Argument{in: a, key: key}
	if !a.problems.ended && a.object != nil {
		v.value, v.given = a.object.Get(key)
	}
	v.given = v.given && !(a.lenient && v.value.Type() == jsonobject.TypeNull)
	return v
}

// OneOf returns the argument with one of several synonymous keys. It is an error if two are given and
// differ.
func (a *Arguments) OneOf(keys ...string) Argument {
	var found Argument
	for _, key := range keys {
		v := a.Optional(key)
		switch {
		case found.in == nil, v.given && !found.given:
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

// An Argument is one argument of a call. Its methods return the value if it is of their type, and
// otherwise absent.
type Argument struct {
	in    *Arguments
	key   string
	value jsonobject.Value
	given bool
}

// Given reports whether the argument is given.
func (v Argument) Given() bool { return v.given }

// literal returns the value, converted if the arguments are lenient.
func (v Argument) literal() jsonobject.Value {
	if v.in.lenient {
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
	v.in.fail(message, append(values, more...)...)
}

// typeOf returns the type of a value as messages name it.
func (a *Arguments) typeOf(v jsonobject.Value) string {
	if !a.messages.Validator {
		return string(v.Type())
	}
	if len(v.Raw()) == 0 {
		return "undefined"
	}
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

// String returns a string.
func (v Argument) String(absent string) string {
	if !v.given {
		return absent
	}
	s, ok := v.value.Text()
	if t := v.value.Type(); v.in.lenient && (t == jsonobject.TypeNumber || t == jsonobject.TypeBoolean) {
		s, ok = string(v.value.Raw()), true
	}
	if !ok {
		v.fail(v.in.messages.String)
		return absent
	}
	return s
}

// Bool returns a boolean.
func (v Argument) Bool(absent bool) bool {
	if !v.given {
		return absent
	}
	b, ok := v.literal().Bool()
	if !ok {
		v.fail(v.in.messages.Boolean)
		return absent
	}
	return b
}

// Number returns a finite number.
func (v Argument) Number(absent float64) float64 {
	if !v.given {
		return absent
	}
	n, err := strconv.ParseFloat(string(v.value.Raw()), 64)
	if v.value.Type() != jsonobject.TypeNumber || err != nil {
		v.fail(v.in.messages.Number)
		return absent
	}
	return n
}

// Int returns an integer from least to most, which is any number with an integral value, as in JSON
// Schema: 7, 7.0 and 70e-1 alike. An integer out of the range of an int becomes the nearest int.
func (v Argument) Int(absent, least, most int) int {
	if !v.given {
		return absent
	}
	wide, err := v.literal().Integer()
	n := int(max(min(wide, math.MaxInt), math.MinInt))
	isInteger := err == nil || errors.Is(err, jsonobject.ErrRange)
	if isInteger && least <= n && n <= most {
		return n
	}
	message := v.in.messages.Range
	if !isInteger {
		message = v.in.messages.Integer
	}
	v.fail(message, "{min}", strconv.Itoa(least), "{max}", strconv.Itoa(most))
	return absent
}

// Unsigned returns an integer that consists of digits and is in the range of a uint64. If it
// is out of the range of an int, it becomes the largest int.
func (v Argument) Unsigned(absent int) int {
	if !v.given {
		return absent
	}
	n, err := strconv.ParseUint(string(v.value.Raw()), 10, 64)
	if err != nil {
		v.fail(v.in.messages.Integer)
		return absent
	}
	return int(min(n, math.MaxInt))
}

// Choice returns a string that is one of the choices. The first choice is the default.
func (v Argument) Choice(choices ...string) string {
	if !v.given {
		return choices[0]
	}
	s, ok := v.value.Text()
	if !ok || !slices.Contains(choices, s) {
		quote := v.in.messages.Quote
		last := len(choices) - 1
		listed := quote + strings.Join(choices[:last], quote+", "+quote) + quote +
			" or " + quote + choices[last] + quote
		v.fail(v.in.messages.Choice, "{choices}", listed)
		return choices[0]
	}
	return s
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
			v.in.fail(v.in.messages.String, "{key}", name, "{type}", v.in.typeOf(e))
			if v.in.problems.ended {
				return nil
			}
		}
	}
	return list
}

// Object returns the members of an object. There are none if it is absent.
func (v Argument) Object() *Arguments {
	members := &Arguments{
		parent: v.key, messages: v.in.messages, problems: v.in.problems, lenient: v.in.lenient,
	}
	if !v.given {
		return members
	}
	var ok bool
	if members.object, ok = v.value.Object(); !ok {
		v.fail(v.in.messages.Object)
	}
	return members
}
