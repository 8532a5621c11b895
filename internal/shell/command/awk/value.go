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
		return special(s)
	}
	n, _ := strconv.ParseFloat(s[:end], 64) // infinite if it is out of range
	return n, end
}

// special returns the value of +inf, -inf, +nan and -nan, which need a sign and nothing behind
// them.
func special(s string) (float64, int) {
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

// formatted returns what printf prints of values, the first of which is the format.
func (m *machine) formatted(values []value) string {
	f := formatter{m: m, arguments: values[1:]}
	for rest := m.text(values[0]); rest != ""; {
		before, after, found := strings.Cut(rest, "%")
		f.add(before)
		if !found {
			break
		}
		v, remaining := format.Parse(after, f.star)
		f.convert(v, "%"+after[:len(after)-len(remaining)])
		rest = remaining
	}
	return f.out.String()
}

// A formatter formats values.
type formatter struct {
	m         *machine
	arguments []value
	out       strings.Builder
}

func (f *formatter) add(s string) {
	f.m.checkSize(f.out.Len() + len(s))
	f.out.WriteString(s)
}

func (f *formatter) next() value {
	if len(f.arguments) == 0 {
		f.m.fatalf("not enough arguments to satisfy format string")
	}
	v := f.arguments[0]
	f.arguments = f.arguments[1:]
	return v
}

func (f *formatter) star() int { return int(f.next().number()) }

// convert formats the next value. source is the conversion as it is written.
func (f *formatter) convert(v format.Verb, source string) {
	f.m.checkSize(f.out.Len() + v.Size())
	for _, twice := range []string{"hh", "ll", "LL"} {
		if strings.Contains(source, twice) {
			f.m.refuse("printf: the %s of %s is not available here; leave it out", twice, source)
		}
	}
	switch v.Letter {
	case '%':
		f.add("%")
	case 'c':
		value := f.next().resolved()
		s := f.character(value)
		columns := len(s)
		if value.kind != number {
			columns = 1
		}
		f.add(v.Text(s, columns))
	case 's':
		s := f.m.text(f.next())
		isCounted := v.Width > 0 || v.Precision >= 0
		if isCounted && (!utf8.ValidString(s) || strings.Contains(s, "\x00")) {
			f.m.refuse("printf %%%ds of a text that is not UTF-8 is not available here; use %%s", v.Width)
		}
		if v.Precision >= 0 {
			s = s[:skipCharacters(s, float64(v.Precision))]
		}
		f.add(v.Text(s, utf8.RuneCountInString(s)))
	case 'd', 'i', 'o', 'x', 'X', 'u', 'e', 'E', 'f', 'F', 'g', 'G', 'a', 'A':
		f.add(formatNumber(v, f.next().number()))
	case '$':
		f.m.refuse("printf: positions such as %s are not available here; reorder the values", source)
	default:
		f.add(source)
	}
}

// character returns the character with a number, or the byte if there is none, or the first one of
// a text.
func (f *formatter) character(v value) string {
	if v.kind != number {
		return (v.s + "\x00")[:max(skipCharacters(v.s, 1), 1)]
	}
	code := uint32(int64(math.Mod(math.Trunc(v.n), 1<<32)))
	switch {
	case code < 1<<31 && code > utf8.MaxRune:
		f.m.refuse("printf: %%c with %d is not available here; it is no character", code)
	case !utf8.ValidRune(rune(code)):
		return string([]byte{byte(code)})
	}
	return string(rune(code))
}

func formatNumber(v format.Verb, n float64) string {
	switch {
	case math.IsNaN(n), math.IsInf(n, 0):
		return format.Verb{Letter: v.Letter, Plus: true}.Float(n)
	case strings.IndexByte("dioxXu", v.Letter) >= 0:
		return integer(v, math.Trunc(n))
	}
	return v.Float(n)
}

// integer formats an integer. One that does not fit is printed as %f or %g does.
func integer(v format.Verb, n float64) string {
	isSigned := v.Letter == 'd' || v.Letter == 'i'
	size := math.Abs(n)
	switch {
	case isSigned && size < 1<<63:
		return v.Integer(n < 0, uint64(size))
	case isSigned:
		v.Letter, v.Precision = 'f', 0
	case n >= 0 && n < 1<<64:
		return v.Integer(false, uint64(n))
	case n < 0 && n >= -1<<63:
		return v.Integer(false, uint64(int64(n)))
	default:
		v.Letter = 'g'
	}
	return v.Float(n)
}
