package awk

import (
	"math"
	"strings"
	"unicode/utf8"

	"gander/internal/shell/command/format"
)

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
