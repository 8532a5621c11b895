package sheet

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A Format is a number format, such as "0.0%". The zero Format is the general one.
type Format struct {
	code     string
	parts    dateParts
	sections []section // for positive numbers, negative ones and zero
}

// A section is the part of a format for some numbers.
type section struct {
	tokens    []formatToken
	condition string // such as ">=100", or ""
	digits    int    // placeholders before the decimal point
	decimals  int    // placeholders after it
	percents  int
	scale     int // commas after the last digit, each of which divides by 1,000
	grouped   bool
	exponent  int // digits of the exponent, or 0
	fraction  int // digits of the denominator, or 0
}

// A formatToken is a placeholder for a digit, or a text. A point is a placeholder, too.
type formatToken struct {
	placeholder byte // '0', '#', '?', '.', 'E', '/' or 0
	text        string
}

// NewFormat returns the format with a code.
func NewFormat(code string) Format {
	f := Format{code: code, parts: datePartsOf(code)}
	if f.parts != 0 {
		return f
	}
	for rest := code; len(f.sections) < 3; {
		var s section
		s, rest = parseSection(rest)
		f.sections = append(f.sections, s)
		if rest == "" {
			break
		}
		rest = rest[1:]
	}
	return f
}

// parseSection parses a format up to a semicolon.
func parseSection(code string) (s section, rest string) {
	add := func(text string) { s.tokens = append(s.tokens, formatToken{text: text}) }
	afterPoint, commas := false, 0
	for code != "" && code[0] != ';' {
		c, n := code[0], 1
		switch {
		case c == '"':
			text, _, _ := strings.Cut(code[1:], `"`)
			n = min(len(text)+2, len(code))
			add(text)
		case c == '\\' && len(code) > 1:
			text := firstCharacter(code[1:])
			n = 1 + len(text)
			add(text)
		case c == '_' && len(code) > 1:
			n = 1 + len(firstCharacter(code[1:]))
			add(" ")
		case c == '*' && len(code) > 1:
			n = 1 + len(firstCharacter(code[1:]))
		case c == '[':
			content, _, _ := strings.Cut(code[1:], "]")
			n = min(len(content)+2, len(code))
			s.bracket(content)
		case c == '0' || c == '#' || c == '?':
			s.placeholder(c, afterPoint, &commas)
		case c == '.':
			afterPoint = true
			s.tokens = append(s.tokens, formatToken{placeholder: '.'})
		case c == ',':
			if s.digits > 0 {
				commas++
			}
		case c == '%':
			s.percents++
			add("%")
		case (c == 'E' || c == 'e') && len(code) > 1 && strings.IndexByte("+-", code[1]) >= 0:
			n = 2 + len(code[2:]) - len(strings.TrimLeft(code[2:], "0#?"))
			s.exponent = n - 2
			s.tokens = append(s.tokens, formatToken{placeholder: 'E'})
		case c == '/' && s.digits > 0 && strings.IndexAny(code[1:], "0#?") == 0:
			n = 1 + len(code[1:]) - len(strings.TrimLeft(code[1:], "0#?"))
			s.fraction = n - 1
			s.tokens = append(s.tokens, formatToken{placeholder: '/'})
		case len(code) >= 7 && strings.EqualFold(code[:7], "General"):
			n = 7
			s.tokens = append(s.tokens, formatToken{placeholder: '@'})
		case c == '@':
			s.tokens = append(s.tokens, formatToken{placeholder: '@'})
		default:
			text := firstCharacter(code)
			n = len(text)
			add(text)
		}
		code = code[n:]
	}
	s.scale = commas
	return s, code
}

// placeholder adds a placeholder for a digit. Commas before it group digits.
func (s *section) placeholder(c byte, afterPoint bool, commas *int) {
	s.tokens = append(s.tokens, formatToken{placeholder: c})
	if afterPoint {
		s.decimals++
		return
	}
	s.digits++
	s.grouped = s.grouped || *commas > 0
	*commas = 0
}

// bracket reads what is in brackets: a currency, a condition, or a color, which does not matter.
func (s *section) bracket(content string) {
	if currency, ok := strings.CutPrefix(content, "$"); ok {
		symbol, _, _ := strings.Cut(currency, "-")
		s.tokens = append(s.tokens, formatToken{text: symbol})
	} else if content != "" && strings.IndexByte("<>=", content[0]) >= 0 {
		s.condition = content
	}
}

func firstCharacter(s string) string {
	for i := range s {
		if i > 0 {
			return s[:i]
		}
	}
	return s
}

// holds reports whether a number fulfils the condition of the section.
func (s section) holds(v float64) bool {
	operator := s.condition[:len(s.condition)-len(strings.TrimLeft(s.condition, "<>="))]
	limit, err := strconv.ParseFloat(s.condition[len(operator):], 64)
	switch {
	case err != nil:
		return false
	case operator == "<":
		return v < limit
	case operator == "<=":
		return v <= limit
	case operator == ">":
		return v > limit
	case operator == ">=":
		return v >= limit
	case operator == "<>":
		return v != limit
	}
	return v == limit
}

// choose returns the section for a number, and whether it needs a sign of its own.
func (f Format) choose(v float64) (s section, signed bool) {
	last := len(f.sections) - 1
	for i, s := range f.sections {
		if s.condition != "" && (s.holds(v) || i == last) {
			return s, v < 0
		}
	}
	switch {
	case f.sections[0].condition != "":
		return f.sections[last], v < 0
	case v < 0 && last >= 1:
		return f.sections[1], false
	case v == 0 && last >= 2:
		return f.sections[2], false
	}
	return f.sections[0], v < 0
}

// tolerance is how much of a number rounding may change.
const tolerance = .001

// Text returns a stored number as a sheet shows it. The stored one follows in parentheses if what
// is shown means another number.
func (f Format) Text(stored []byte, date1904 bool) []byte {
	number := Number(stored)
	if f.parts != 0 {
		if date := f.date(stored, date1904); date != nil {
			return date
		}
		return number
	}
	v, err := strconv.ParseFloat(string(stored), 64)
	if err != nil || len(f.sections) == 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		return number
	}
	s, signed := f.choose(v)
	shown, shownValue := s.text(math.Abs(v), number)
	if signed && strings.ContainsAny(shown, "123456789") {
		shown = "-" + shown
	}
	isClose := math.Abs(shownValue-math.Abs(v)) <= tolerance*math.Abs(v)
	switch {
	case shown == "" && v != 0:
		return fmt.Appendf(nil, "(hidden) %s", number)
	case !isClose:
		return fmt.Appendf(nil, "%s (%s)", shown, number)
	}
	return []byte(shown)
}
