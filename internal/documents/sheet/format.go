package sheet

import (
	"fmt"
	"math"
	"regexp"
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
	digits    int // placeholders before the decimal point
	least     int // digits that are shown there even if they are zero
	decimals  int // placeholders after the point
	leastPart int // digits that are shown there even if they are zero
	percents  int
	commas    int // after the last digit: each divides by 1,000
	exponent  int // digits of the exponent, or 0

	grouped, afterPoint bool // what the placeholders so far are
}

// A formatToken is a placeholder for a digit, the point ('.') or the whole number ('@'), or a text.
type formatToken struct {
	placeholder byte
	text        string
}

// formatTokens matches the parts of a format: a text, a character that is one or as wide as one,
// brackets, an exponent, the whole number, or a character.
var formatTokens = regexp.MustCompile(
	`(?s)"[^"]*"?|[\\_*].|\[[^\]]*\]?|[Ee][+-][0#?]+|(?i:general)|.`)

// special matches formats whose numbers are shown in the general form: those with a fraction or a
// condition, such as "# ?/?" and "[<100]0.0".
var special = regexp.MustCompile(`[0#?] */ *[0#?]|\[[<>=]`)

// NewFormat returns the format with a code.
func NewFormat(code string) Format {
	f := Format{code: code, parts: datePartsOf(code)}
	if f.parts != 0 || special.MatchString(code) {
		return f
	}
	var s section
	for _, token := range formatTokens.FindAllString(code, -1) {
		if token != ";" {
			s.add(token)
			continue
		}
		f.sections = append(f.sections, s)
		s = section{}
		if len(f.sections) == 3 { // the next is for text
			return f
		}
	}
	f.sections = append(f.sections, s)
	return f
}

// add adds a part of the format.
func (s *section) add(token string) {
	isText := len(token) > 1
	text := ""
	switch c := token[0]; {
	case c == '"':
		text = strings.Trim(token, `"`)
	case c == '\\' && isText:
		text = token[1:]
	case c == '_' && isText:
		text = " "
	case c == '*' && isText: // fills the cell
		return
	case c == '[':
		text = bracket(strings.Trim(token, "[]"))
	case (c == 'E' || c == 'e') && isText:
		s.exponent = len(token) - 2
		return
	case strings.IndexByte("0#?.", c) >= 0:
		s.placeholder(c)
		return
	case c == '@' || strings.EqualFold(token, "general"):
		s.tokens = append(s.tokens, formatToken{placeholder: '@'})
		return
	case c == ',':
		if s.digits > 0 {
			s.commas++
		}
		return
	case c == '%':
		s.percents++
		text = "%"
	default:
		text = token
	}
	s.tokens = append(s.tokens, formatToken{text: text})
}

// placeholder adds a placeholder for a digit, or the point. Commas before it group digits.
func (s *section) placeholder(c byte) {
	switch {
	case c == '.':
		if s.digits == 0 { // what is before the point is shown, if it is not zero
			s.placeholder('#')
		}
		s.afterPoint = true
	case s.afterPoint:
		s.decimals++
		if c == '0' {
			s.leastPart = s.decimals
		}
	default:
		s.digits++
		s.grouped = s.grouped || s.commas > 0
		s.commas = 0
		if c == '0' || s.least > 0 {
			s.least++
		}
	}
	s.tokens = append(s.tokens, formatToken{placeholder: c})
}

// bracket returns the text of what is in brackets: a currency, or a color, which does not matter.
func bracket(content string) string {
	currency, isCurrency := strings.CutPrefix(content, "$")
	if isCurrency {
		symbol, _, _ := strings.Cut(currency, "-")
		return symbol
	}
	return ""
}

// choose returns the section for a number, and whether it needs a sign of its own.
func (f Format) choose(v float64) (s section, signed bool) {
	last := len(f.sections) - 1
	switch {
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
	shown, shownValue := s.text(math.Abs(v), strings.TrimPrefix(string(number), "-"))
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
