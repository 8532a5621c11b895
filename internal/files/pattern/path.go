package pattern

import (
	"errors"
	"fmt"
	"strings"
)

// Alternatives expands the braces of a path glob.
func (c *Compiler) Alternatives(glob string) ([]string, error) {
	if err := checkSyntax(glob); err != nil {
		return nil, err
	}
	return c.expand(Path, glob)
}

// Check returns an error if a path glob is malformed or can match no path. If anyDepth is set, a
// glob without a slash matches at any depth. The error names the glob.
func (c *Compiler) Check(glob string, anyDepth bool) error {
	full := glob
	if anyDepth && !strings.Contains(glob, "/") {
		full = "**/" + glob
	}
	err := checkSyntax(glob)
	if err == nil {
		_, err = c.Compile(Path, full, false)
	}
	if err != nil {
		return fmt.Errorf("glob %.100q: %w", glob, err)
	}
	return nil
}

// checkSyntax checks what can be checked before braces are expanded.
func checkSyntax(glob string) error {
	backslash := errors.New(`a backslash quotes the character after it; separate directories with "/"`)
	switch {
	case glob == "":
		return errors.New("it is empty")
	case len(glob) > maxLength:
		return fmt.Errorf("it is longer than %d bytes", maxLength)
	case strings.ContainsRune(glob, 0):
		return errors.New("it contains a NUL")
	case glob[0] == '!':
		return errors.New(`"!" does not negate; write "\!" for a name that begins with it`)
	case strings.HasPrefix(glob, `\\`), hasDrive(glob) && strings.HasPrefix(glob[2:], `\`):
		return backslash
	}
	e := newExpander(nil, Path, glob)
	well, letter := !e.stray && len(e.open) == 0, false
	for i := 0; i < len(glob) && well; i = e.skip(i) {
		item := glob[i:min(e.skip(i), len(glob))]
		well = e.skip(i) <= len(glob) && item != "[]" && item != "[!]" && item != "[^]"
		letter = letter || well && item[0] == '\\' && (isLetter(item[1]) || isDigit(item[1]))
	}
	switch {
	case !well:
		return errors.New(`every "[" needs a character and a "]", every "{" a "}", ` +
			`and every "\" a character after it`)
	case letter:
		return backslash
	}
	return nil
}

// checkStart checks how an alternative begins.
func checkStart(a string) error {
	switch {
	case a == "~" || strings.HasPrefix(a, "~/"):
		return errors.New(`"~" does not stand for a home directory; write the path in full`)
	case hasDrive(a), strings.HasPrefix(a, "/"):
		return errors.New("it is absolute, and only relative paths are matched")
	}
	return nil
}

// hasDrive reports whether a pattern begins as absolute paths do on Windows.
func hasDrive(p string) bool {
	return len(p) > 1 && isLetter(p[0]) && p[1] == ':' &&
		(len(p) == 2 || p[2] == '/' || p[2] == '\\')
}

// Slashed returns a glob with slashes for the backslashes that separate directories, as they do on
// Windows. A backslash remains before a bracket, a brace, a comma in braces, an exclamation mark at
// the beginning, and in classes. No name on Windows contains a star or a question mark, so these
// need no escape.
func Slashed(glob string) string {
	out := []byte(glob)
	class, braces := false, 0
	for i := 0; i < len(glob); i++ {
		c, rest := glob[i], glob[i+1:]
		switch {
		case c == '\\' && rest != "" && (class || strings.IndexByte("[]{}", rest[0]) >= 0 ||
			rest[0] == ',' && braces > 0 || rest[0] == '!' && i == 0):
			i++
		case c == '\\':
			out[i] = '/'
		case c == '[':
			class = class || strings.Contains(rest, "]")
		case c == ']':
			class = false
		case class:
		case c == '{':
			braces++
		case c == '}':
			braces--
		}
	}
	return string(out)
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
