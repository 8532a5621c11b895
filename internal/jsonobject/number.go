package jsonobject

import (
	"bytes"
	"errors"
	"math"
	"strconv"
)

// Why a value is not the integer that was asked for.
var (
	// ErrNotInteger: the value is no number, or a number that is not an integer in the sense of the reader used.
	ErrNotInteger = errors.New("not an integer")
	// ErrRange: the value is an integer that an int64 cannot hold.
	ErrRange = errors.New("integer out of range")
)

// Int reads an integer written as digits alone: 7 or -7, not 7.0 or 7e0. With [ErrRange] it returns the nearest int64.
func (v Value) Int() (int64, error) {
	if v.Type() != TypeNumber || bytes.ContainsAny(v.raw, ".eE") {
		return 0, ErrNotInteger
	}
	return v.Integer()
}

// Integer reads a number whose value is an integer, as JSON Schema has it: 7, 7.0 and 70e-1 alike. The value is taken
// exactly, not as the nearest float64. With [ErrRange] it returns the nearest int64.
func (v Value) Integer() (int64, error) {
	if v.Type() != TypeNumber {
		return 0, ErrNotInteger
	}
	negative, digits, point := decimal(v.raw)
	switch {
	case len(digits) == 0:
		return 0, nil
	case point < int64(len(digits)):
		return 0, ErrNotInteger
	case point > 19: // 10^19 is above every int64
		return nearest(negative), ErrRange
	}
	text := append(digits, bytes.Repeat([]byte{'0'}, int(point)-len(digits))...)
	if negative {
		text = append([]byte{'-'}, text...)
	}
	n, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil {
		return nearest(negative), ErrRange
	}
	return n, nil
}

func nearest(negative bool) int64 {
	if negative {
		return math.MinInt64
	}
	return math.MaxInt64
}

// decimal splits a number into its sign, its significant digits and where the decimal point stands among them, counted
// from before the first: the value is 0.digits times 10 to the power of point. Zero has no digits.
func decimal(raw []byte) (negative bool, digits []byte, point int64) {
	raw, negative = bytes.CutPrefix(raw, []byte("-"))
	exponent := int64(0)
	if i := bytes.IndexAny(raw, "eE"); i >= 0 {
		exponent = saturated(raw[i+1:])
		raw = raw[:i]
	}
	whole, fraction, _ := bytes.Cut(raw, []byte("."))
	digits = append(bytes.Clone(whole), fraction...)
	significant := bytes.TrimLeft(digits, "0")
	point = int64(len(whole)-len(digits)+len(significant)) + exponent
	return negative, bytes.TrimRight(significant, "0"), point
}

// saturated reads an exponent. Beyond a limit that no number of digits in memory can outweigh it returns the limit.
func saturated(exponent []byte) int64 {
	const limit = math.MaxInt64 / 4
	negative := exponent[0] == '-'
	n := int64(0)
	for _, c := range bytes.TrimLeft(exponent, "+-") {
		if n = n*10 + int64(c-'0'); n > limit/10 {
			n = limit
			break
		}
	}
	if negative {
		return -n
	}
	return n
}
