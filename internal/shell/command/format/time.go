package format

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Time formats a time as date does in the C locale. A conversion that is not known stays as it is.
func Time(layout string, t time.Time) string {
	var b strings.Builder
	for layout != "" {
		before, after, ok := strings.Cut(layout, "%")
		b.WriteString(before)
		if !ok {
			break
		}
		text, rest := conversion(after, t)
		b.WriteString(text)
		layout = rest
	}
	return b.String()
}

// conversion formats what follows a "%": flags, a width and a letter.
func conversion(s string, t time.Time) (text, rest string) {
	flagged := strings.TrimLeft(s, "-_0^#")
	flags := s[:len(s)-len(flagged)]
	width, letters := parseSize(flagged, nil)
	colons := len(letters) - len(strings.TrimLeft(letters, ":"))
	letters = letters[colons:]
	if letters == "" {
		return "%" + s, ""
	}
	letter := letters[0]
	text, digits := timeText(letter, colons, t)
	if text == "" && letter != 'n' {
		return "%" + s[:len(s)-len(letters)+1], letters[1:]
	}
	if letter == 'N' && width > 0 {
		return text[:min(width, len(text))], letters[1:]
	}
	return padTime(text, flags, width, digits), letters[1:]
}

// padTime applies flags and the width. digits is the usual width of a number, negative if spaces
// fill it, and 0 for a text.
func padTime(text, flags string, width, digits int) string {
	fill := "0"
	if digits <= 0 {
		fill = " "
	}
	least := max(digits, -digits, min(width, 1024))
	for _, flag := range flags {
		switch flag {
		case '-':
			least = 0
		case '_':
			fill = " "
		case '0':
			fill = "0"
		case '^':
			text = strings.ToUpper(text)
		case '#':
			text = strings.ToLower(text)
		}
	}
	if missing := least - len(text); missing > 0 {
		text = strings.Repeat(fill, missing) + text
	}
	return text
}

// composed are the conversions that stand for others.
var composed = map[byte]string{
	'c': "%a %b %e %H:%M:%S %Y", 'D': "%m/%d/%y", 'F': "%Y-%m-%d", 'r': "%I:%M:%S %p", 'R': "%H:%M",
	'T': "%H:%M:%S", 'x': "%m/%d/%y", 'X': "%H:%M:%S", 'n': "\n", 't': "\t", '%': "%%",
}

// named are the conversions that the standard library has as well.
var named = map[byte]string{
	'a': "Mon", 'A': "Monday", 'b': "Jan", 'h': "Jan", 'B': "January", 'p': "PM", 'P': "pm",
	'Z': "MST",
}

// timeText returns the text of a conversion and, for a number, its usual width.
func timeText(letter byte, colons int, t time.Time) (text string, digits int) {
	if letter == '%' {
		return "%", 0
	}
	if layout, ok := composed[letter]; ok {
		return Time(layout, t), 0
	}
	if layout, ok := named[letter]; ok {
		return t.Format(layout), 0
	}
	if letter == 'z' {
		return t.Format([]string{"-0700", "-07:00", "-07:00:00"}[min(colons, 2)]), 0
	}
	n, digits, ok := timeNumber(letter, t)
	if !ok {
		return "", 0
	}
	text = strconv.FormatInt(n, 10)
	if letter == 'N' {
		text = fmt.Sprintf("%09d", n)
	}
	return text, digits
}

func timeNumber(letter byte, t time.Time) (n int64, digits int, ok bool) {
	isoYear, isoWeek := t.ISOWeek()
	hour := (t.Hour()+11)%12 + 1
	weekday := int(t.Weekday())
	numbers := map[byte][2]int{
		'C': {t.Year() / 100, 2}, 'd': {t.Day(), 2}, 'e': {t.Day(), -2}, 'g': {isoYear % 100, 2},
		'G': {isoYear, 4}, 'H': {t.Hour(), 2}, 'I': {hour, 2}, 'j': {t.YearDay(), 3},
		'k': {t.Hour(), -2}, 'l': {hour, -2}, 'm': {int(t.Month()), 2}, 'M': {t.Minute(), 2},
		'N': {t.Nanosecond(), 9}, 'q': {(int(t.Month()) + 2) / 3, 1}, 's': {int(t.Unix()), 1},
		'S': {t.Second(), 2}, 'u': {(weekday+6)%7 + 1, 1}, 'U': {(t.YearDay() + 6 - weekday) / 7, 2},
		'V': {isoWeek, 2}, 'w': {weekday, 1}, 'W': {(t.YearDay() + 6 - (weekday+6)%7) / 7, 2},
		'y': {t.Year() % 100, 2}, 'Y': {t.Year(), 4},
	}
	found, ok := numbers[letter]
	return int64(found[0]), found[1], ok
}
