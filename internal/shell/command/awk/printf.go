package awk

import (
	"math"
	"strings"
	"unicode/utf8"

	"gander/internal/shell/command/format"
)

// formatted returns what printf prints.
func (m *machine) formatted(list []expression) string {
	values := make([]value, len(list))
	for i, e := range list {
		values[i] = e.eval(m)
	}
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
	switch v.Letter {
	case '%':
		f.add("%")
	case 'c':
		s := f.character(f.next().resolved())
		f.add(v.Text(s, utf8.RuneCountInString(s)))
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
	case 'd', 'i', 'o', 'x', 'X', 'u':
		f.add(integer(v, f.next().number()))
	case 'e', 'E', 'f', 'F', 'g', 'G', 'a', 'A':
		f.add(v.Float(f.next().number()))
	default:
		f.add(source)
	}
}

func (f *formatter) character(v value) string {
	switch {
	case v.kind == number:
		return string(rune(int(v.n)))
	case v.s == "":
		return "\x00"
	}
	return v.s[:skipCharacters(v.s, 1)]
}

func integer(v format.Verb, n float64) string {
	n = math.Trunc(n)
	size := math.Abs(n)
	isSigned := v.Letter == 'd' || v.Letter == 'i'
	switch {
	case math.IsNaN(n), math.IsInf(n, 0):
		v.Letter, v.Plus, v.Precision = 'f', true, -1
		return v.Float(n)
	case size < 1<<63 && (isSigned || n >= 0):
		return v.Integer(n < 0, uint64(size))
	case n < 0 && !isSigned:
		v.Letter = 'd'
		return v.Integer(true, uint64(size))
	}
	v.Letter, v.Precision = 'f', 0
	return v.Float(n)
}
