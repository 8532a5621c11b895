package jsonobject

import (
	"errors"
	"strconv"
	"strings"
)

// The errors of [Value.Integer].
var (
	// ErrNotInteger means that the value is not a number, or not an integer.
	ErrNotInteger = errors.New("not an integer")
	// ErrRange means that the value is an integer that does not fit an int64.
	ErrRange = errors.New("integer out of range")
)

// Integer reads a number whose value is an integer, as JSON Schema defines it: 7, 7.0 and 70e-1 alike. It is exact where
// a float64 would round. With [ErrRange] it returns the nearest int64.
func (v Value) Integer() (int64, error) {
	if v.Type() != TypeNumber {
		return 0, ErrNotInteger
	}
	number, negative := strings.CutPrefix(strings.ToLower(string(v.raw)), "-")
	mantissa, exponent, _ := strings.Cut(number, "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	significant := strings.TrimRight(whole+fraction, "0")
	if strings.Trim(significant, "0") == "" {
		return 0, nil
	}
	// An exponent out of range saturates; 62 bits leave room to add a length.
	shift, _ := strconv.ParseInt(exponent, 10, 62)
	zeros := int64(len(whole)-len(significant)) + shift
	if zeros < 0 {
		return 0, ErrNotInteger
	}
	// 20 zeros after a digit other than zero are already out of range.
	digits := significant + strings.Repeat("0", int(min(zeros, 20)))
	if negative {
		digits = "-" + digits
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return n, ErrRange
	}
	return n, nil
}
