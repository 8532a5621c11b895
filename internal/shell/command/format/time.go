package format

import (
	"cmp"
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

// composed are the conversions that stand for others, numbers and names those that a layout of the
// package time has.
var (
	composed = map[byte]string{
		'c': "%a %b %e %H:%M:%S %Y", 'D': "%m/%d/%y", 'F': "%Y-%m-%d", 'R': "%H:%M", 'T': "%H:%M:%S",
		'x': "%m/%d/%y", 'X': "%H:%M:%S",
	}
	numbers = map[byte]string{
		'd': "02", 'e': "_2", 'H': "15", 'I': "03", 'j': "002", 'm': "01", 'M': "04", 'S': "05",
		'y': "06", 'Y': "2006",
	}
	names = map[byte]string{
		'a': "Mon", 'A': "Monday", 'b': "Jan", 'h': "Jan", 'B': "January", 'p': "PM", 'Z': "MST",
		'z': "-0700", 'n': "\n", 't': "\t", '%': "%",
	}
)

// conversion formats what follows a "%": a letter, perhaps after "-", which leaves out what fills a
// number.
func conversion(s string, t time.Time) (text, rest string, ok bool) {
	letters, isShort := strings.CutPrefix(s, "-")
	if letters == "" {
		return "", "", false
	}
	letter, rest := letters[0], letters[1:]
	if layout, ok := numbers[letter]; ok {
		text = t.Format(layout)
		if isShort || letter == 'Y' {
			text = cmp.Or(strings.TrimLeft(text, " 0"), "0")
		}
		return text, rest, true
	}
	switch letter {
	case 's':
		text = strconv.FormatInt(t.Unix(), 10)
	case 'N':
		text = fmt.Sprintf("%09d", t.Nanosecond())
	default:
		text = Time(composed[letter], t) + t.Format(names[letter])
	}
	return text, rest, text != "" && !isShort
}
