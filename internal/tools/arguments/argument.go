package arguments

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gander/internal/files/text"
	"gander/internal/jsonobject"
)

// An Argument is one argument of a call. Each method returns the value if it has the type of the
// method. Otherwise it returns the default, absent, and records a problem if the argument is given.
type Argument struct {
	state *decoding
	key   string // as messages show it
	value jsonobject.Value
	given bool
}

// Given reports whether the argument is present.
func (v Argument) Given() bool { return v.given }

// Key returns the key as messages show it.
func (v Argument) Key() string { return v.key }

// Value returns the value, which has no type if it is absent.
func (v Argument) Value() jsonobject.Value { return v.value }

// fail reports that the value is wrong. more are further placeholders.
func (v Argument) fail(message string, more ...string) {
	v.state.reject(message, append(more, "{key}", v.state.spelled(v.key),
		"{type}", v.typeName(), "{value}", text.Excerpt(v.value.Raw()))...)
}

// typeName returns the name of the value's type in messages.
func (v Argument) typeName() string {
	if v.state.All {
		n, _ := strconv.ParseFloat(string(v.value.Raw()), 64)
		switch {
		case math.IsInf(n, 1):
			return "Infinity"
		case math.IsInf(n, -1):
			return "-Infinity"
		}
	}
	return cmp.Or(string(v.value.Type()), "undefined")
}

// checked returns x if the argument is given and ok. If it is given and not ok, checked reports the
// message. Otherwise it returns absent.
func checked[T any](v Argument, x T, ok bool, absent T, message string) T {
	switch {
	case !v.given:
		return absent
	case !ok:
		v.fail(message)
		return absent
	default:
		return x
	}
}

// String returns a string.
func (v Argument) String(absent string) string {
	s, ok := v.value.Text()
	t := v.value.Type()
	isScalar := t == jsonobject.TypeNumber || t == jsonobject.TypeBoolean
	if v.state.Lenient && isScalar {
		s, ok = string(v.value.Raw()), true
	}
	return checked(v, s, ok, absent, v.state.String)
}

// Bool returns a boolean.
func (v Argument) Bool(absent bool) bool {
	b, ok := v.value.Bool()
	return checked(v, b, ok, absent, v.state.Boolean)
}

// Number returns a finite number.
func (v Argument) Number(absent float64) float64 {
	n, err := strconv.ParseFloat(string(v.value.Raw()), 64)
	ok := err == nil && v.value.Type() == jsonobject.TypeNumber
	return checked(v, n, ok, absent, v.state.Number)
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
		v.fail(v.state.Integer, bounds...)
	case n < lo || n > hi:
		v.fail(v.state.Range, bounds...)
	default:
		return n
	}
	return absent
}

// Unsigned returns an integer that fits in a uint64, written in digits only. A value out of the
// range of an int becomes the largest int.
func (v Argument) Unsigned(absent int) int {
	n, err := strconv.ParseUint(string(v.value.Raw()), 10, 64)
	return checked(v, int(min(n, math.MaxInt)), err == nil, absent, v.state.Integer)
}

// Choice returns a string that is one of the choices. The first choice is the default.
func (v Argument) Choice(choices ...string) string {
	m, last := &v.state.Messages, len(choices)-1
	listed := m.quoted(choices[:last]) + " or " + m.quoted(choices[last:])
	message := strings.ReplaceAll(m.Choice, "{choices}", listed)
	s, ok := v.value.Text()
	return checked(v, s, ok && slices.Contains(choices, s), choices[0], message)
}

// Strings returns an array of strings, or nil if it is absent.
func (v Argument) Strings() []string {
	var list []string
	key := v.key
	elements, ok := v.value.Array()
	for i, e := range checked(v, elements, ok, nil, v.state.Array) {
		v.key, v.value = fmt.Sprintf(v.state.Element, key, i), e
		list = append(list, v.String(""))
	}
	return list
}

// Object returns the members of an object. If the argument is absent, the object has no members.
func (v Argument) Object() *Arguments {
	a := &Arguments{state: v.state}
	object, ok := v.value.Object()
	a.object = checked(v, object, ok, new(jsonobject.Object), a.state.Object)
	if a.state.Member != "" {
		a.prefix = v.key + a.state.Member
	}
	return a
}
