package awk

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"gander/internal/shell/command"
	"gander/internal/shell/regex"
)

// noDigits is the warning about \x, which gawk repeats.
const noDigits = "no hex digits in `\\x' escape sequence"

// unescape replaces the escapes of a string, and warns of those that have no meaning.
func unescape(s string, warn func(text string)) string {
	var b strings.Builder
	for {
		n := strings.IndexByte(s, '\\')
		if n < 0 || n == len(s)-1 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:n])
		s = s[n:]
		value, size := regex.Escape(s, true)
		switch c := s[1]; {
		case size > 0:
			b.WriteByte(value)
		case c == '\n':
			size = 2
		default: // any other character is itself
			if c == 'x' {
				warn(noDigits)
			} else if c != '"' && c != '\\' {
				warn(fmt.Sprintf("escape sequence `\\%c' treated as plain `%c'", c, c))
			}
			size = 2
			b.WriteByte(c)
		}
		s = s[size:]
	}
}

// checkEscapes warns of the escapes in a regular expression that have no meaning.
func checkEscapes(source string, warn func(text string)) {
	const known = "$'()*+-./01234567<>?BSW[\\]^`abfnrstvwxy{|}\n"
	for at := strings.IndexByte(source, '\\'); at >= 0 && at+1 < len(source); {
		c := source[at+1]
		_, size := regex.Escape(source[at:], true)
		switch {
		case c == 'x' && size == 0:
			warn(noDigits)
		case c == '8' || c == '9':
			warn(fmt.Sprintf("regexp escape sequence `\\%c' treated as plain `%c'", c, c))
		case strings.IndexByte(known, c) < 0:
			warn(fmt.Sprintf("regexp escape sequence `\\%c' is not a known regexp operator", c))
		}
		next := strings.IndexByte(source[at+2:], '\\')
		if next < 0 {
			return
		}
		at += 2 + next
	}
}

// quotedWide matches up to a backslash before a character that is not ASCII.
var quotedWide = regexp.MustCompile(`(?s)^([^\\]|\\[\x00-\x7f])*\\[^\x00-\x7f]`)

// checkQuoted refuses such a backslash, which gawk leaves there.
func checkQuoted(s string) error {
	if quotedWide.MatchString(s) {
		return command.Refuse("awk: a backslash before a character that is not ASCII is not available " +
			"here; leave it out")
	}
	return nil
}

// checkQuoted is checkQuoted for what is known when the program runs.
func (m *machine) checkQuoted(s string) {
	if err := checkQuoted(s); err != nil {
		panic(command.Abort{Err: err})
	}
}

// warn prints a warning about what the program does.
func (m *machine) warn(format string, a ...any) {
	place := ""
	if m.line > 0 {
		place = m.place()
	}
	m.call.Errorf("%swarning: %s", place, fmt.Sprintf(format, a...))
}

// warnOnce prints a warning that gawk does not repeat, unless it is noDigits.
func (m *machine) warnOnce(text string) {
	if m.warned[text] {
		return
	}
	m.warned[text] = text != noDigits
	m.warn("%s", text)
}

// wide returns a text whose characters matter, and warns if it is not UTF-8.
func (m *machine) wide(s string) string {
	if !utf8.ValidString(s) {
		m.warnOnce("Invalid multibyte data detected. There may be a mismatch between your data and " +
			"your locale")
	}
	return s
}
