package format

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"gander/internal/shell/command"
)

// CheckTime returns a Refusal if a layout has a conversion that Time does not know.
func CheckTime(layout string) error {
	for rest := layout; ; {
		_, after, ok := strings.Cut(rest, "%")
		if !ok {
			return nil
		}
		if _, rest, ok = conversion(after, time.Time{}); !ok {
			return command.Refuse("%s: of the format of a time, %%%s is not available here; leave it out",
				layout, after[:min(2, len(after))])
		}
	}
}

// Time formats a time as date does in the C locale.
func Time(layout string, t time.Time) string {
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(layout, "%")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		text, rest, _ := conversion(after, t)
		b.WriteString(text)
		layout = rest
	}
}

// conversion formats what follows a "%": a letter, perhaps after "-", which leaves out what fills a
// number.
func conversion(s string, t time.Time) (text, rest string, ok bool) {
	letters, isShort := strings.CutPrefix(s, "-")
	if letters == "" {
		return "", "", false
	}
	letter, rest := letters[0], letters[1:]
	if n, layout := number(letter, t); layout != "" {
		if isShort {
			layout = "%d"
		}
		return fmt.Sprintf(layout, n), rest, true
	}
	composed := map[byte]string{
		'c': "%a %b %e %H:%M:%S %Y", 'D': "%m/%d/%y", 'F': "%Y-%m-%d", 'R': "%H:%M", 'T': "%H:%M:%S",
		'x': "%m/%d/%y", 'X': "%H:%M:%S",
	}
	if layout, ok := composed[letter]; ok && !isShort {
		return Time(layout, t), rest, true
	}
	layouts := map[byte]string{
		'a': "Mon", 'A': "Monday", 'b': "Jan", 'h': "Jan", 'B': "January", 'p': "PM", 'Z': "MST",
		'z': "-0700",
	}
	if layout, ok := layouts[letter]; ok && !isShort {
		return t.Format(layout), rest, true
	}
	others := map[byte]string{
		'n': "\n", 't': "\t", '%': "%", 's': strconv.FormatInt(t.Unix(), 10),
		'N': fmt.Sprintf("%09d", t.Nanosecond()),
	}
	text, ok = others[letter]
	return text, rest, ok && !isShort
}

// number returns the number of a conversion and how it is shown, or nothing.
func number(letter byte, t time.Time) (n int, layout string) {
	switch letter {
	case 'd':
		return t.Day(), "%02d"
	case 'e':
		return t.Day(), "%2d"
	case 'H':
		return t.Hour(), "%02d"
	case 'I':
		return (t.Hour()+11)%12 + 1, "%02d"
	case 'j':
		return t.YearDay(), "%03d"
	case 'm':
		return int(t.Month()), "%02d"
	case 'M':
		return t.Minute(), "%02d"
	case 'S':
		return t.Second(), "%02d"
	case 'y':
		return t.Year() % 100, "%02d"
	case 'Y':
		return t.Year(), "%d"
	}
	return 0, ""
}
