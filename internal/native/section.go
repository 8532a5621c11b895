package native

import (
	"strconv"
	"strings"

	"gander/tool"
)

// A section is the part of a result about one path.
type section struct {
	heading string // the first line, which describes the range shown; never empty

	body      string // the entries: lines of a file, paths or matches
	markers   string // the lines after the entries, about omitted entries and how to get them
	items     int    // the number of items in the body; without any, it is no line
	bodySize  size   // if known
	truncated bool
	nothing   bool // a search found nothing
	// unreadable says that files or directories below the path could not be read.
	unreadable bool
	data       []tool.Part // images
}

func (s section) text() string {
	text := s.heading
	if s.items > 0 {
		text += "\n"
	}
	return joinLines(text+s.body, s.markers)
}

func (s section) size() size {
	frame := joinLines(s.heading, s.markers)
	total := sizeOf(frame)
	if s.items > 0 {
		total = lineSize(frame)
	}
	if s.bodySize == (size{}) {
		s.bodySize = sizeOf(s.body)
	}
	return total.plus(s.bodySize)
}

// withHint returns the section with a hint at the end of the heading, and with a marker at its end:
// what is left, and the hint.
func (s section) withHint(left, hint string) section {
	s.heading += "; " + hint
	s.markers = "[" + left + "; " + hint + "]"
	return s
}

// joinLines joins lines, which may be empty.
func joinLines(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}

// grouped returns a number with commas between groups of three digits, such as 12,345.
func grouped[T ~int | ~int64](n T) string {
	digits := strconv.FormatInt(int64(n), 10)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

func atLeast(n int, exact bool) string {
	if !exact {
		return "at least " + grouped(n)
	}
	return grouped(n)
}

// counted returns a number with a noun, which is given in the singular, such as "2 entries".
func counted(n int, noun string) string {
	if n != 1 {
		noun = plural(noun)
	}
	return grouped(n) + " " + noun
}

func plural(noun string) string {
	if stem, ok := strings.CutSuffix(noun, "y"); ok {
		return stem + "ies"
	} else if strings.HasSuffix(noun, "ch") {
		return noun + "es"
	}
	return noun + "s"
}
