package sheet

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// text returns a number that is not negative in the form of the section, and the number that this
// means. It is the general form for an exponent that is a multiple of something.
func (s section) text(v float64, general string) (shown string, value float64) {
	switch {
	case s.exponent > 0 && s.digits > 1:
		return general, v
	case s.exponent > 0:
		return s.asExponent(v)
	}
	factor := math.Pow(100, float64(s.percents)) / math.Pow(1000, float64(s.commas))
	integer, fraction := "", ""
	value = math.NaN() // unless a number is shown
	switch {
	case math.IsInf(v*factor, 0) || math.IsNaN(v*factor):
		return general, v
	case s.digits+s.decimals > 0:
		rounded := round(v*factor, min(s.decimals, 30))
		value, _ = strconv.ParseFloat(rounded, 64)
		value /= factor
		integer, fraction, _ = strings.Cut(rounded, ".")
	case v == 0:
		value = 0
	}
	for len(fraction) > s.leastPart && strings.HasSuffix(fraction, "0") {
		fraction = strings.TrimSuffix(fraction, "0")
	}
	digits := s.integer(integer)
	var b strings.Builder
	for _, t := range s.tokens {
		switch {
		case t.placeholder == 0:
			b.WriteString(t.text)
		case t.placeholder == '@':
			b.WriteString(general)
			value = v
		case t.placeholder == '.' && fraction != "":
			b.WriteByte('.')
		case len(digits) > 0:
			b.WriteString(digits[0])
			digits = digits[1:]
		case t.placeholder != '.' && fraction != "":
			b.WriteByte(fraction[0])
			fraction = fraction[1:]
		}
	}
	return strings.TrimSpace(b.String()), value
}

// integer returns what each placeholder before the point shows. The first shows all digits for
// which there are no placeholders.
func (s section) integer(digits string) []string {
	shown := make([]string, s.digits)
	digits = strings.TrimLeft(digits, "0")
	digits = strings.Repeat("0", max(s.least-len(digits), 0)) + digits
	for n := range min(len(digits), s.digits*len(digits)) { // from the last digit
		digit := digits[len(digits)-1-n:][:1]
		if s.grouped && n > 0 && n%3 == 0 {
			digit += ","
		}
		i := max(s.digits-1-n, 0)
		shown[i] = digit + shown[i]
	}
	return shown
}

func (s section) asExponent(v float64) (string, float64) {
	shown := strconv.FormatFloat(v, 'E', s.decimals, 64)
	value, _ := strconv.ParseFloat(shown, 64)
	mantissa, exponent, _ := strings.Cut(shown, "E")
	digits := strings.TrimLeft(exponent[1:], "0")
	digits = strings.Repeat("0", max(s.exponent-len(digits), 0)) + digits
	return mantissa + "E" + exponent[:1] + digits, value
}

// round rounds half up, from the 15 digits that spreadsheets calculate with, or from an integer.
func round(v float64, decimals int) string {
	exact := new(big.Rat).SetFloat64(v)
	if isInteger := v == math.Trunc(v) && v < 1<<53; !isInteger {
		exact.SetString(strconv.FormatFloat(v, 'g', 15, 64))
	}
	return exact.FloatString(decimals)
}
