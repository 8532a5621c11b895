package documents

import (
	"cmp"
	"strconv"
	"strings"
)

// A Numbering says how the items of a level of a list are numbered. The zero Numbering gives them
// bullets.
type Numbering struct {
	Numbered bool
	Next     int    // number of the next item, which can be negative
	Style    string // of the numbers, as for [Number]
	Before   string // what is before a number
	After    string // what is after a number
}

// Label returns the bullet or the number of the next item.
func (n Numbering) Label() string {
	if !n.Numbered {
		return Bullet
	}
	return n.Before + Number(n.Style, n.Next) + n.After
}

// Number returns the number of an item in a style: "i", "I", "a", "A", "01", "1st", or any other
// for digits.
func Number(style string, n int) string {
	digits := strconv.Itoa(n)
	switch style {
	case "i", "I":
		if n < 1 || n > 3999 {
			return digits
		}
		return withCase(style, roman(n))
	case "a", "A":
		const letters, most = 26, 20
		if n < 1 || n > letters*most {
			return digits
		}
		letter := string(rune('a' + (n-1)%letters))
		return withCase(style, strings.Repeat(letter, 1+(n-1)/letters)) // aa follows z, then bb
	case "1st":
		ends := map[int]string{1: "st", 2: "nd", 3: "rd"}
		if n/10%10 == 1 {
			return digits + "th"
		}
		return digits + cmp.Or(ends[n%10], "th")
	case "01":
		if 0 <= n && n < 10 {
			return "0" + digits
		}
	}
	return digits
}

// withCase returns lower-case letters in the case of a style.
func withCase(style, lower string) string {
	if style < "a" {
		return strings.ToUpper(lower)
	}
	return lower
}

func roman(n int) string {
	values := []int{1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1}
	letters := []string{"m", "cm", "d", "cd", "c", "xc", "l", "xl", "x", "ix", "v", "iv", "i"}
	var b strings.Builder
	for i, value := range values {
		b.WriteString(strings.Repeat(letters[i], n/value))
		n %= value
	}
	return b.String()
}

// HeadingLevel returns the level of the headings that have a style, by its name in Word, or 0.
func HeadingLevel(style string) int {
	style = strings.ToLower(style)
	if style == "title" {
		return 1
	}
	level, isHeading := strings.CutPrefix(style, "heading ")
	n, err := strconv.Atoi(level)
	if !isHeading || err != nil || n < 1 {
		return 0
	}
	return min(n, 9)
}
