package pattern

import (
	"errors"
	"fmt"
	"strings"
)

// checkSyntax checks what can be checked before braces are expanded.
func checkSyntax(pattern string) error {
	switch {
	case pattern == "":
		return errors.New("it is empty")
	case len(pattern) > maxLength:
		return fmt.Errorf("it is longer than %d bytes", maxLength)
	case strings.ContainsRune(pattern, 0):
		return errors.New("it contains a NUL")
	case pattern[0] == '!':
		return errors.New(`"!" does not negate; write "\!" for a name that begins with it`)
	case strings.HasPrefix(pattern, `\\`), HasDrive(pattern) && strings.HasPrefix(pattern[2:], `\`):
		return errBackslash()
	}
	malformed := errors.New(`every "[" needs a character and a "]", every "{" a "}", ` +
		`and every "\" a character after it`)
	depth, letter := 0, false
	for i := 0; i < len(pattern); i = skipPlain(pattern, i) {
		switch pattern[i] {
		case '\\':
			if i+1 == len(pattern) {
				return malformed
			}
			c := pattern[i+1]
			letter = letter || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
		case '[':
			end := skipPlain(pattern, i)
			if end > len(pattern) {
				return malformed
			}
			if body := pattern[i+1 : end-1]; body == "" || body == "!" || body == "^" {
				return malformed
			}
		case '{':
			depth++
		case '}':
			depth--
		}
		if depth < 0 {
			return malformed
		}
	}
	switch {
	case depth > 0:
		return malformed
	case letter:
		return errBackslash()
	}
	return nil
}

func errBackslash() error {
	return errors.New(`a backslash quotes the character after it; separate directories with "/"`)
}

// checkStart checks how an alternative begins.
func checkStart(a string) error {
	switch {
	case a == "~" || strings.HasPrefix(a, "~/"):
		return errors.New(`"~" does not stand for a home directory; write the path in full`)
	case HasDrive(a), strings.HasPrefix(a, "/"):
		return errors.New("it is absolute, and only relative paths are matched")
	}
	return nil
}

// HasDrive reports whether a pattern begins as absolute paths do on Windows.
func HasDrive(p string) bool {
	return len(p) > 1 && 'a' <= p[0]|0x20 && p[0]|0x20 <= 'z' && p[1] == ':' &&
		(len(p) == 2 || p[2] == '/' || p[2] == '\\')
}

// Slashed returns a glob with slashes for the backslashes that separate directories, as they do on
// Windows: all except those before a bracket or a brace, before a comma in braces, before an
// exclamation mark at the beginning, and in classes. No name on Windows contains a star or a
// question mark, so these need no escape.
func Slashed(glob string) string {
	out := []byte(glob)
	class, braces := false, 0
	for i := 0; i < len(glob); i++ {
		switch c := glob[i]; {
		case c == '\\' && i+1 < len(glob) && (class || escapable(glob, i+1, braces)):
			i++
		case c == '\\':
			out[i] = '/'
		case c == '[':
			class = class || strings.Contains(glob[i:], "]")
		case c == ']':
			class = false
		case c == '{' && !class:
			braces++
		case c == '}' && !class:
			braces--
		}
	}
	return string(out)
}

// escapable reports whether a backslash before glob[i] escapes it on Windows.
func escapable(glob string, i, braces int) bool {
	switch glob[i] {
	case '[', ']', '{', '}':
		return true
	case ',':
		return braces > 0
	case '!':
		return i == 1
	}
	return false
}
