package pattern

import (
	"errors"
	"fmt"
	"strings"

	"gander/internal/paths"
)

var errBackslash = errors.New(
	`a backslash quotes the character after it; separate directories with "/"`)

// Alternatives expands the braces of a path glob.
func (c *Compiler) Alternatives(glob string) ([]string, error) {
	switch {
	case glob == "":
		return nil, errors.New("it is empty")
	case len(glob) > maxLength:
		return nil, fmt.Errorf("it is longer than %d bytes", maxLength)
	case strings.ContainsRune(glob, 0):
		return nil, errors.New("it contains a NUL")
	case glob[0] == '!':
		return nil, errors.New(`"!" does not negate here; write "\!" for a name that begins with it`)
	case strings.HasPrefix(glob, `\\`), paths.HasDrive(glob) && strings.HasPrefix(glob[2:], `\`):
		return nil, errBackslash
	}
	return c.expand(languages[Path], glob)
}

// checkStart checks how an alternative of a path glob begins.
func checkStart(a string) error {
	switch {
	case a == "~" || strings.HasPrefix(a, "~/"):
		return errors.New(`"~" does not stand for a home directory; write the path in full`)
	case strings.HasPrefix(a, "/"), paths.HasDrive(a) && (len(a) == 2 || a[2] == '/'):
		return errors.New("it is absolute, and only relative paths are matched")
	}
	return nil
}

// Slashed returns a glob with slashes for the backslashes that separate directories, as they do on
// Windows. A backslash remains before a bracket, a brace, a comma beside braces, and an exclamation
// mark at the beginning. No name on Windows contains a star or a question mark, so these need no
// escape.
func Slashed(glob string) string {
	rest, quoted := strings.CutPrefix(glob, `\!`)
	if !strings.Contains(rest, "{") {
		rest = strings.ReplaceAll(rest, `\,`, "/,")
	}
	rest = strings.NewReplacer(
		`\[`, `\[`, `\]`, `\]`, `\{`, `\{`, `\}`, `\}`, `\,`, `\,`, `\`, "/").Replace(rest)
	if quoted {
		return `\!` + rest
	}
	return rest
}
