// Package option has the ranges of options, and the errors about them.
package option

import (
	"fmt"
	"math"
)

// An Error is an error about an option.
type Error struct {
	Option string // the name of the option, such as "toolkit.MaxDepth"
	Value  string // the wrong element of a list, or "" for the whole option
	Limit  string // the option that determines the range, if any
	Err    error
}

func (e *Error) Error() string { return e.Err.Error() }

func (e *Error) Unwrap() error { return e.Err }

// A Range is the range that the value of an option must be in.
type Range struct {
	Option          string
	Value, Min, Max int    // a Max of [math.MaxInt] is none
	Limit           string // the option that determines Max, if any
}

// WithMax returns the ranges of an option and of its maximum, such as Limit and MaxLimit.
func WithMax(of, name string, value, most int) []Range {
	maximum := of + ".Max" + name
	return []Range{
		{Option: maximum, Value: most, Min: 1, Max: math.MaxInt},
		{Option: of + "." + name, Value: value, Min: 1, Max: most, Limit: maximum},
	}
}

// Check returns the error about the first option that is out of its range, or nil. The error is an
// [*Error].
func Check(ranges ...Range) error {
	for _, r := range ranges {
		if r.Value >= r.Min && r.Value <= r.Max {
			continue
		}
		limits := fmt.Sprintf("from %d to %d", r.Min, r.Max)
		if r.Max == math.MaxInt {
			limits = fmt.Sprintf("at least %d", r.Min)
		} else if r.Limit != "" {
			limits += ", the value of " + r.Limit
		}
		err := fmt.Errorf("%s is %d; it must be %s", r.Option, r.Value, limits)
		return &Error{Option: r.Option, Limit: r.Limit, Err: err}
	}
	return nil
}
