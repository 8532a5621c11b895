// Package format formats values as C's printf does. The printf of the shell and of awk, and other
// commands with formats, share it.
package format

import (
	"math"
	"strconv"
	"strings"
)

// maxSize bounds widths and precisions, so that sums of them do not overflow.
const maxSize = 1 << 30

// A Verb is a conversion of a format, such as "%-5.2f".
type Verb struct {
	Minus, Plus, Space, Zero, Alt bool

	Width     int  // at least 0
	Precision int  // -1 if there is none
	Letter    byte // 0 at the end of the format
}

// Parse parses the conversion that follows a "%". star returns the next argument, for "*". It
// returns the rest of the format.
func Parse(s string, star func() int) (v Verb, rest string) {
	v.Precision = -1
	s = v.parseFlags(s)
	v.Width, s = parseSize(s, star)
	if v.Width < 0 {
		v.Minus, v.Width = true, -v.Width
	}
	if strings.HasPrefix(s, ".") {
		v.Precision, s = parseSize(s[1:], star)
		v.Precision = max(v.Precision, -1)
	}
	s = strings.TrimLeft(s, "hlLjzt")
	if s == "" {
		return v, ""
	}
	v.Letter = s[0]
	return v, s[1:]
}

func (v *Verb) parseFlags(s string) string {
	groups := false // of digits, which the locale C has not
	flags := [...]*bool{&v.Minus, &v.Plus, &v.Space, &v.Zero, &v.Alt, &groups}
	for s != "" {
		i := strings.IndexByte("-+ 0#'", s[0])
		if i < 0 {
			break
		}
		*flags[i] = true
		s = s[1:]
	}
	return s
}

func parseSize(s string, star func() int) (int, string) {
	if strings.HasPrefix(s, "*") {
		return max(min(star(), maxSize), -maxSize), s[1:]
	}
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	n := 0
	for _, c := range []byte(s[:digits]) {
		n = min(10*n+int(c-'0'), maxSize)
	}
	return n, s[digits:]
}

// Size returns a number of bytes above which the result has only the bytes of its value. It must be
// reserved before a value is formatted.
func (v Verb) Size() int { return v.Width + max(v.Precision, 0) }

// Text formats a text of a number of columns: it is padded to the width.
func (v Verb) Text(s string, columns int) string {
	if columns >= v.Width {
		return s
	}
	padding := strings.Repeat(" ", v.Width-columns)
	if v.Minus {
		return s + padding
	}
	return padding + s
}

// Integer formats an integer with the Letter d, i, u, o, x or X.
func (v Verb) Integer(negative bool, magnitude uint64) string {
	base := 10
	switch v.Letter {
	case 'o':
		base = 8
	case 'x', 'X':
		base = 16
	}
	digits := strconv.FormatUint(magnitude, base)
	if v.Precision == 0 && magnitude == 0 {
		digits = ""
	}
	if v.Precision > len(digits) {
		digits = strings.Repeat("0", v.Precision-len(digits)) + digits
	}
	prefix := ""
	switch {
	case v.Letter == 'd', v.Letter == 'i':
		prefix = v.sign(negative)
	case !v.Alt:
	case v.Letter == 'o' && !strings.HasPrefix(digits, "0"):
		digits = "0" + digits
	case base == 16 && magnitude != 0:
		prefix = "0x"
	}
	if v.Precision >= 0 {
		v.Zero = false
	}
	if v.Letter == 'X' {
		prefix, digits = strings.ToUpper(prefix), strings.ToUpper(digits)
	}
	return v.number(prefix, digits)
}

func (v Verb) sign(negative bool) string {
	switch {
	case negative:
		return "-"
	case v.Plus:
		return "+"
	case v.Space:
		return " "
	}
	return ""
}

// number pads a number, with zeros between its prefix and its digits if there is a flag for that.
func (v Verb) number(prefix, digits string) string {
	size := len(prefix) + len(digits)
	if v.Zero && !v.Minus && size < v.Width {
		return prefix + strings.Repeat("0", v.Width-size) + digits
	}
	return v.Text(prefix+digits, size)
}

// Float formats a number with the Letter e, E, f, F, g, G, a or A.
func (v Verb) Float(f float64) string {
	prefix := v.sign(math.Signbit(f))
	f = math.Abs(f)
	upper := v.Letter >= 'A' && v.Letter <= 'Z'
	letter := v.Letter | 0x20
	var digits string
	switch {
	case math.IsInf(f, 0):
		digits, v.Zero = "inf", false
	case math.IsNaN(f):
		digits, v.Zero = "nan", false
	case letter == 'a':
		digits = hexadecimal(f, v.Precision)
		prefix += "0x"
	default:
		digits = v.decimal(f, letter)
	}
	if upper {
		prefix, digits = strings.ToUpper(prefix), strings.ToUpper(digits)
	}
	return v.number(prefix, digits)
}

func (v Verb) decimal(f float64, letter byte) string {
	precision := v.Precision
	if precision < 0 {
		precision = 6
	}
	if v.Alt && letter == 'g' { // the other forms keep zeros at the end
		precision = max(precision, 1) - 1
		_, exponent, _ := strings.Cut(strconv.FormatFloat(f, 'e', precision, 64), "e")
		n, _ := strconv.Atoi(exponent)
		letter = 'e'
		if n >= -4 && n <= precision {
			letter, precision = 'f', precision-n
		}
	}
	digits := strconv.FormatFloat(f, letter, precision, 64)
	if v.Alt && precision == 0 {
		point := strings.IndexByte(digits+"e", 'e')
		digits = digits[:point] + "." + digits[point:]
	}
	return digits
}

// hexadecimal formats as %a does, without the prefix.
func hexadecimal(f float64, precision int) string {
	s := strings.TrimPrefix(strconv.FormatFloat(f, 'x', precision, 64), "0x")
	mantissa, exponent, _ := strings.Cut(s, "p")
	// Go writes at least two digits of the exponent.
	sign, number := exponent[:1], strings.TrimLeft(exponent[1:], "0")
	if number == "" {
		number = "0"
	}
	return mantissa + "p" + sign + number
}
