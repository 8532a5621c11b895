package awk

import (
	"cmp"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"gander/internal/shell/command/format"
)

// A kind tells how a value is compared and whether it is true.
type kind uint8

const (
	unset kind = iota
	number
	text
	input // a text that comes from input: a number if it looks like one
)

// A value is a number or a text.
type value struct {
	kind kind
	n    float64
	s    string
}

func numeric(n float64) value { return value{kind: number, n: n} }
func textual(s string) value  { return value{kind: text, s: s} }

func boolean(ok bool) value {
	if ok {
		return numeric(1)
	}
	return numeric(0)
}

// toNumber returns the number at the beginning of a text, or 0.
func toNumber(s string) float64 {
	s = strings.TrimLeft(s, " \t\n\v\f\r")
	n, _ := leadingNumber(s)
	return n
}

// leadingNumber returns the decimal number at the beginning of s, and its size.
func leadingNumber(s string) (float64, int) {
	end := numberSize(s)
	if end == 0 {
		return infinityOrNaN(s)
	}
	n, _ := strconv.ParseFloat(s[:end], 64) // infinite if it is out of range
	return n, end
}

// infinityOrNaN returns the value of +inf, -inf, +nan or -nan, which must have a sign and nothing
// behind them, and its size.
func infinityOrNaN(s string) (float64, int) {
	if len(s) != 4 {
		return 0, 0
	}
	sign := s[0]
	if sign != '+' && sign != '-' {
		return 0, 0
	}
	switch strings.ToLower(s[1:]) {
	case "inf":
		return math.Inf(int(',') - int(sign)), 4
	case "nan":
		return math.Copysign(math.NaN(), float64(',')-float64(sign)), 4
	}
	return 0, 0
}

// numberSize returns the size of the decimal number at the beginning of s, or 0.
func numberSize(s string) int {
	at := 0
	if s != "" && (s[0] == '+' || s[0] == '-') {
		at = 1
	}
	digits := countDigits(s[at:])
	end := at + digits
	if end < len(s) && s[end] == '.' {
		fraction := countDigits(s[end+1:])
		digits += fraction
		end += 1 + fraction
	}
	if digits == 0 {
		return 0
	}
	if end < len(s) && s[end]|0x20 == 'e' {
		exponent := end + 1
		if exponent < len(s) && (s[exponent] == '+' || s[exponent] == '-') {
			exponent++
		}
		if n := countDigits(s[exponent:]); n > 0 {
			end = exponent + n
		}
	}
	return end
}

func countDigits(s string) int {
	return len(s) - len(strings.TrimLeft(s, "0123456789"))
}

func (v value) number() float64 {
	switch v.kind {
	case number:
		return v.n
	case unset:
		return 0
	}
	return toNumber(v.s)
}

// resolved returns v as a number if it comes from input and looks like one, and otherwise as a
// text.
func (v value) resolved() value {
	if v.kind != input {
		return v
	}
	trimmed := strings.Trim(v.s, " \t\n\v\f\r")
	if trimmed != "" {
		if n, size := leadingNumber(trimmed); size == len(trimmed) {
			return value{kind: number, n: n, s: v.s}
		}
	}
	return textual(v.s)
}

func (v value) isTrue() bool {
	switch v = v.resolved(); v.kind {
	case number:
		return v.n != 0
	case unset:
		return false
	}
	return v.s != ""
}

// inText returns a value as a text. Numbers that are no integers are formatted by a verb.
func (v value) inText(fraction format.Verb) string {
	n := v.n
	switch {
	case v.kind != number || v.s != "":
		return v.s
	case math.IsInf(n, 0), math.IsNaN(n):
		return formatNumber(format.Verb{}, n)
	case n == math.Trunc(n):
		return integerText(n)
	}
	return fraction.Float(n)
}

func integerText(n float64) string {
	if math.Abs(n) < 1e16 {
		return strconv.FormatInt(int64(n), 10)
	}
	return strconv.FormatFloat(n, 'f', 0, 64)
}

// compare compares numbers as numbers, and others as texts.
func (m *machine) compare(x, y value) int {
	x, y = x.resolved(), y.resolved()
	if x.kind == text || y.kind == text {
		return strings.Compare(m.text(x), m.text(y))
	}
	if x.kind == unset && y.kind == unset {
		return 0
	}
	a, b := x.number(), y.number()
	if a != a || b != b {
		return 2 // a NaN is neither less nor equal nor greater
	}
	return cmp.Compare(a, b)
}

// slice returns the part of s that begins with character first, counting from 1, and has count
// characters.
func slice(s string, first, count float64) string {
	if !(first >= 1) {
		first = 1 // as gawk counts, a place before the text is its beginning
	}
	end := first + count
	if !(end > first) {
		return ""
	}
	from := skipCharacters(s, first-1)
	return s[from : from+skipCharacters(s[from:], end-first)]
}

// skipCharacters returns the size of the first n characters of s.
func skipCharacters(s string, n float64) int {
	if n >= float64(len(s)) {
		return len(s)
	}
	at := 0
	for ; n >= 1 && at < len(s); n-- {
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
	}
	return at
}
