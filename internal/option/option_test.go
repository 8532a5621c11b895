package option

import (
	"errors"
	"math"
	"testing"
)

// TestCheck checks that the error is about the first option that is out of its range.
func TestCheck(t *testing.T) {
	ok := Range{Option: "p.OK", Value: 2, Min: 1, Max: 2}
	for _, tt := range []struct {
		wrong Range
		want  string
	}{
		{
			Range{Option: "p.A", Value: 3, Min: 1, Max: 2},
			"p.A is 3; it must be from 1 to 2",
		},
		{
			Range{Option: "p.B", Value: 3, Min: 1, Max: 2, Limit: "p.MaxB"},
			"p.B is 3; it must be from 1 to 2, the value of p.MaxB",
		},
		{
			Range{Option: "p.C", Value: 0, Min: 1, Max: math.MaxInt, Limit: "p.MaxC"},
			"p.C is 0; it must be at least 1",
		},
	} {
		err := Check(ok, tt.wrong, Range{Option: "p.Later", Value: -1})
		failure, isOption := errors.AsType[*Error](err)
		if !isOption || err.Error() != tt.want || failure.Option != tt.wrong.Option {
			t.Errorf("%+v: got %v, want %s", tt.wrong, err, tt.want)
		}
	}
	if err := Check(ok); err != nil {
		t.Error(err)
	}
}
