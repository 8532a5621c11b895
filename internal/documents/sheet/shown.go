package sheet

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Shown returns a number as a sheet shows it. The stored one follows in parentheses if what is
// shown means another number, in whatever language it is.
func Shown(shown, stored []byte) []byte {
	v, err := strconv.ParseFloat(string(stored), 64)
	if err != nil || means(string(shown), math.Abs(v)) {
		return shown
	}
	return fmt.Appendf(nil, "%s (%s)", shown, stored)
}

// means reports whether a text shows about a number, or a hundredth of it.
func means(shown string, v float64) bool {
	digits := strings.Map(func(r rune) rune {
		switch {
		case '0' <= r && r <= '9', r == '.', r == ',', r == 'E', r == 'e', r == '+', r == '-':
			return r
		}
		return -1
	}, shown)
	digits = strings.Trim(digits, "+-.,eE")
	percent := 1.0
	if strings.Contains(shown, "%") {
		percent = 100
	}
	for _, separators := range []string{",.", ".,"} { // of thousands, and of decimals
		plain := strings.ReplaceAll(digits, separators[:1], "")
		plain = strings.ReplaceAll(plain, separators[1:], ".")
		n, err := strconv.ParseFloat(plain, 64)
		if err == nil && math.Abs(n/percent-v) <= tolerance*v {
			return true
		}
	}
	return v == 0 && strings.Trim(digits, "0.,") == ""
}
