package toolkit

import (
	"fmt"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// published are the default excludes of section 7: exact names, of directories and files alike.
func published(name string) bool {
	switch name {
	case ".git", "node_modules", "dist", "build", "target", ".vscode", ".DS_Store":
		return true
	}
	return false
}

// excludes are globs over workspace-relative paths. Nil excludes nothing.
type excludes struct{ globs []glob }

type glob struct {
	pattern string
	inverts bool
}

// maxPattern bounds one glob, and with it what matching can cost.
const maxPattern = 4096

// compile checks patterns and prepares them. Leading exclamation marks invert, each the one before it.
func compile(patterns []string) (*excludes, error) {
	x := &excludes{}
	for _, p := range patterns {
		g := glob{pattern: strings.TrimLeft(p, "!")}
		g.inverts = (len(p)-len(g.pattern))%2 == 1
		if err := check(p, g.pattern); err != nil {
			return nil, err
		}
		x.globs = append(x.globs, g)
	}
	return x, nil
}

func check(whole, pattern string) error {
	switch {
	case whole == "":
		return fmt.Errorf("a glob must not be empty")
	case len(whole) > maxPattern:
		return fmt.Errorf("a glob must not be longer than %d bytes", maxPattern)
	case strings.ContainsRune(whole, 0):
		return fmt.Errorf("glob %q must not contain a NUL character", whole)
	case !balanced(pattern) || !doublestar.ValidatePattern(pattern):
		return fmt.Errorf("glob %q is not valid: check its brackets and braces", whole)
	}
	return nil
}

// balanced reports whether every bracket and brace that is not escaped has its partner.
func balanced(p string) bool {
	depth, class := 0, false
	for i := 0; i < len(p); i++ {
		switch c := p[i]; {
		case c == '\\':
			i++
		case class:
			class = c != ']'
		case c == '[':
			class = true
		case c == '{':
			depth++
		case c == ']':
			return false
		case c == '}':
			if depth--; depth < 0 {
				return false
			}
		}
	}
	return depth == 0 && !class
}

func (x *excludes) empty() bool { return x == nil || len(x.globs) == 0 }

// match reports whether one of the globs excludes path, which is tried as it is and as a directory.
func (x *excludes) match(path string) bool {
	if x.empty() {
		return false
	}
	for _, g := range x.globs {
		if g.match(path) || g.match(path+"/") {
			return true
		}
	}
	return false
}

func (g glob) match(path string) bool {
	return doublestar.MatchUnvalidated(g.pattern, path) != g.inverts
}
