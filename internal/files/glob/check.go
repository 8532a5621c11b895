package glob

import (
	"errors"
	"fmt"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

var errBackslash = errors.New(`a backslash quotes the character after it; separate directories with "/"`)

// checkSyntax checks what can be judged before braces are expanded.
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
	case strings.HasPrefix(pattern, `\\`), hasDrive(pattern) && strings.HasPrefix(pattern[2:], `\`):
		return errBackslash
	case !doublestar.ValidatePattern(pattern):
		return errors.New(`every "[" needs a character and a "]", every "{" a "}", and every "\" a character after it`)
	}
	for i := 0; i < len(pattern); i = itemEnd(pattern, i) {
		if pattern[i] == '\\' && isAlphanumeric(pattern[i+1]) {
			return errBackslash
		}
	}
	return nil
}

// checkPath checks that some path has the form that an alternative asks for.
func checkPath(a string, absolute bool) error {
	rest := a
	switch {
	case a == "~" || strings.HasPrefix(a, "~/"):
		return errors.New(`"~" does not stand for a home directory; write the path in full`)
	case hasDrive(a) && absolute:
		rest = strings.TrimPrefix(a[2:], "/")
	case absolute:
		rest = strings.TrimPrefix(strings.TrimPrefix(a, "/"), "/")
	case hasDrive(a), strings.HasPrefix(a, "/"):
		return errors.New("it is absolute, and only relative paths are matched")
	}
	for component := range strings.SplitSeq(rest, "/") {
		switch name := unquote(component); name {
		case "":
			return errors.New(`no path has an empty component, as "a/", "a//b" and "{a,}" have`)
		case ".", "..":
			return fmt.Errorf("no path has a component %q", name)
		}
	}
	return nil
}

// hasDrive reports whether a pattern begins as absolute paths do on Windows.
func hasDrive(p string) bool {
	return len(p) > 1 && 'a' <= p[0]|0x20 && p[0]|0x20 <= 'z' && p[1] == ':' && (len(p) == 2 || p[2] == '/' || p[2] == '\\')
}

func isAlphanumeric(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// unquote returns a component without its backslashes.
func unquote(component string) string {
	var out strings.Builder
	for i := 0; i < len(component); i++ {
		if component[i] == '\\' && i+1 < len(component) {
			i++
		}
		out.WriteByte(component[i])
	}
	return out.String()
}
