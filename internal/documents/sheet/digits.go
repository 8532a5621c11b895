package sheet

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// text returns a number that is not negative in the form of the section, and the number that this
// means.
func (s section) text(v float64, general []byte) (shown string, value float64) {
	scaled := v * math.Pow(100, float64(s.percents)) / math.Pow(1000, float64(s.scale))
	back := v / scaled // from what is shown to the number
	if scaled == 0 {
		back = 1
	}
	value = math.NaN() // unless a number is shown
	var number decimal
	switch {
	case s.fraction > 0:
		return s.asFraction(v)
	case s.exponent > 0:
		return s.asExponent(v)
	case s.digits+s.decimals > 0:
		number = round(scaled, s.decimals)
		value = number.value() * back
	case v == 0:
		value = 0
	}
	var b strings.Builder
	integer := s.integer(number.integer)
	placed, decimals := 0, 0
	for _, t := range s.tokens {
		switch t.placeholder {
		case 0:
			b.WriteString(t.text)
		case '@':
			b.Write(bytes.TrimPrefix(general, []byte{'-'}))
			value = v
		case '.':
			decimals = 0
			b.WriteString(point(s, number.fraction))
			placed = s.digits
		default:
			if placed < s.digits {
				b.WriteString(integer[placed])
				placed++
				continue
			}
			b.WriteString(decimal0(number.fraction, decimals, t.placeholder))
			decimals++
		}
	}
	return strings.TrimSpace(b.String()), value
}

// point returns the decimal point, unless only missing digits follow it.
func point(s section, fraction string) string {
	isOptional := true
	after := false
	for _, t := range s.tokens {
		if after && t.placeholder == '0' {
			isOptional = false
		}
		after = after || t.placeholder == '.'
	}
	if isOptional && strings.Trim(fraction, "0") == "" {
		return ""
	}
	return "."
}

// decimal0 returns the digit for the n-th placeholder after the point.
func decimal0(fraction string, n int, placeholder byte) string {
	if n >= len(fraction) {
		return ""
	}
	if placeholder != '0' && strings.Trim(fraction[n:], "0") == "" {
		return ""
	}
	return fraction[n : n+1]
}

// integer returns what each placeholder before the point shows. The first shows all digits for
// which there are no placeholders.
func (s section) integer(digits string) []string {
	shown := make([]string, s.digits)
	var placeholders []byte
	for _, t := range s.tokens {
		isDigit := t.placeholder != 0 && strings.IndexByte("0#?", t.placeholder) >= 0
		if isDigit && len(placeholders) < s.digits {
			placeholders = append(placeholders, t.placeholder)
		}
	}
	digits = strings.TrimLeft(digits, "0")
	count := 0
	group := func(digit string) string {
		count++
		if s.grouped && count > 1 && count%3 == 1 {
			return digit + ","
		}
		return digit
	}
	for i := s.digits - 1; i >= 0; i-- {
		for digits != "" {
			last := digits[len(digits)-1:]
			digits = digits[:len(digits)-1]
			shown[i] = group(last) + shown[i]
			if i > 0 {
				break
			}
		}
		if shown[i] == "" && placeholders[i] == '0' {
			shown[i] = group("0")
		}
	}
	return shown
}

// asFraction returns a number with a fraction whose denominator is as exact as the section permits.
func (s section) asFraction(v float64) (string, float64) {
	whole, part := math.Modf(v)
	best, numerator, denominator := math.Inf(1), 0.0, 1.0
	for d := 1.0; d < math.Pow(10, float64(min(s.fraction, 3))); d++ {
		n := math.Round(part * d)
		if miss := math.Abs(part - n/d); miss < best-1e-12 {
			best, numerator, denominator = miss, n, d
		}
	}
	value := whole + numerator/denominator
	switch {
	case numerator == 0:
		return fmt.Sprintf("%.0f", whole), value
	case numerator == denominator:
		return fmt.Sprintf("%.0f", whole+1), value
	case whole == 0:
		return fmt.Sprintf("%.0f/%.0f", numerator, denominator), value
	}
	return fmt.Sprintf("%.0f %.0f/%.0f", whole, numerator, denominator), value
}

func (s section) asExponent(v float64) (string, float64) {
	shown := strconv.FormatFloat(v, 'E', s.decimals, 64)
	value, _ := strconv.ParseFloat(shown, 64)
	mantissa, exponent, _ := strings.Cut(shown, "E")
	digits := strings.TrimLeft(exponent[1:], "0")
	digits = strings.Repeat("0", max(s.exponent-len(digits), 0)) + digits
	return mantissa + "E" + exponent[:1] + digits, value
}

// A decimal is a number that is not negative, in digits.
type decimal struct{ integer, fraction string }

func (d decimal) value() float64 {
	v, _ := strconv.ParseFloat(d.integer+"."+d.fraction, 64)
	return v
}

// round rounds half up, from the 15 digits that spreadsheets calculate with, or from an integer.
func round(v float64, decimals int) decimal {
	decimals = min(decimals, 30)
	exact := v
	if isInteger := v == math.Trunc(v) && v < 1<<53; !isInteger {
		exact, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 15, 64), 64)
	}
	integer, fraction, _ := strings.Cut(strconv.FormatFloat(exact, 'f', -1, 64), ".")
	if len(fraction) <= decimals {
		return decimal{integer, fraction + strings.Repeat("0", decimals-len(fraction))}
	}
	isUp := fraction[decimals] >= '5'
	digits := []byte("0" + integer + fraction[:decimals])
	for i := len(digits) - 1; isUp && i >= 0; i-- {
		digits[i]++
		isUp = digits[i] > '9'
		if isUp {
			digits[i] = '0'
		}
	}
	n := len(digits) - decimals
	return decimal{string(digits[:n]), string(digits[n:])}
}
