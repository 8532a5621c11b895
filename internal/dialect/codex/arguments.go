package codex

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gander/internal/dialect"
	"gander/internal/jsonobject"
)

// arguments reads a call's arguments as the original's deserializer does, and keeps the first error.
type arguments struct {
	object *jsonobject.Object
	err    error
}

// parse refuses keys other than those given: the published schema forbids them.
func parse(raw json.RawMessage, keys ...string) *arguments {
	o, err := jsonobject.ParseArguments(raw)
	a := &arguments{object: o}
	if err != nil {
		a.fail("%v", err)
		return a
	}
	a.only(keys)
	return a
}

func (a *arguments) only(keys []string) {
	for _, key := range a.object.Keys() {
		if !slices.Contains(keys, key) {
			a.fail("unknown field `%s`, expected one of `%s`", dialect.Excerpt(key), strings.Join(keys, "`, `"))
		}
	}
}

func (a *arguments) fail(format string, args ...any) {
	if a.err == nil {
		a.err = invalid("failed to parse function arguments: " + fmt.Sprintf(format, args...))
	}
}

// get returns the value of key; ok is false where it is absent or an error has been found before.
func (a *arguments) get(key string) (v jsonobject.Value, ok bool) {
	if a.err != nil {
		return v, false
	}
	return a.object.Get(key)
}

// text reads a required string.
func (a *arguments) text(key string) string {
	v, ok := a.get(key)
	if !ok {
		a.fail("missing field `%s`", key)
		return ""
	}
	s, ok := v.Text()
	if !ok {
		a.fail("invalid type for `%s`: %s, expected a string", key, v.Type())
	}
	return s
}

// count reads an unsigned integer written as digits; what an int cannot hold becomes the largest.
func (a *arguments) count(key string, absent int) int {
	v, ok := a.get(key)
	if !ok {
		return absent
	}
	n, err := strconv.ParseUint(string(v.Raw()), 10, 64)
	if err != nil {
		a.fail("invalid value for `%s`: %s, expected an unsigned integer", key, dialect.Excerpt(v.Raw()))
	}
	return int(min(n, math.MaxInt))
}

// option is count where null and absence both mean nil.
func (a *arguments) option(key string) *int {
	v, ok := a.get(key)
	if !ok || v.Type() == jsonobject.TypeNull {
		return nil
	}
	return new(a.count(key, 0))
}

// choice reads one of two strings; the first is the default.
func (a *arguments) choice(key, absent, other string) string {
	v, ok := a.get(key)
	if !ok {
		return absent
	}
	s, _ := v.Text()
	if s != absent && s != other {
		a.fail("unknown variant for `%s`: %s, expected `%s` or `%s`", key, dialect.Excerpt(v.Raw()), absent, other)
	}
	return s
}

func (a *arguments) flag(key string, absent bool) bool {
	v, ok := a.get(key)
	if !ok {
		return absent
	}
	b, ok := v.Bool()
	if !ok {
		a.fail("invalid type for `%s`: %s, expected a boolean", key, v.Type())
	}
	return b
}

// nested reads an object; null and absence both mean an empty one.
func (a *arguments) nested(key string, keys ...string) *arguments {
	v, ok := a.get(key)
	if !ok || v.Type() == jsonobject.TypeNull {
		return &arguments{object: &jsonobject.Object{}, err: a.err}
	}
	o, ok := v.Object()
	if !ok {
		a.fail("invalid type for `%s`: %s, expected an object", key, v.Type())
		return &arguments{object: &jsonobject.Object{}, err: a.err}
	}
	n := &arguments{object: o, err: a.err}
	n.only(keys)
	return n
}
