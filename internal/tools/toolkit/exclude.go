package toolkit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gander/internal/files/glob"
	"gander/internal/tools/shared"
)

// isDefaultExclude reports whether name is one of the default excludes of section 7, for directories and files alike.
func isDefaultExclude(name string) bool {
	switch name {
	case ".git", "node_modules", "dist", "build", "target", ".vscode", ".DS_Store":
		return true
	}
	return false
}

// excludes are globs that match paths from the workspace root. Nil excludes nothing.
type excludes []exclude

// An exclude is a glob.
type exclude struct {
	path      *glob.Pattern // for a path as it is
	directory *glob.Pattern // for a path with a slash at its end
	inverted  bool          // the glob matches what the patterns do not match
}

const (
	// maxGlob is the longest glob, in bytes.
	maxGlob = 4096
	// maxGlobs is how many bytes all globs may take once their braces are expanded. It bounds the cost of matching.
	maxGlobs = 128 << 10
)

var errTooMuch = errors.New("the globs come to too much once their braces are written out; use fewer, or fewer braces")

// compile compiles globs. Every exclamation mark at the start of one inverts it.
func compile(globs []string) (excludes, error) {
	var x excludes
	left := maxGlobs
	for _, whole := range globs {
		if err := check(whole); err != nil {
			return nil, err
		}
		pattern := strings.TrimLeft(whole, "!")
		patterns := glob.Expand(pattern, &left)
		if left < 0 {
			return nil, errTooMuch
		}
		x = append(x, newExclude(patterns, (len(whole)-len(pattern))%2 == 1))
	}
	return x, nil
}

// check returns an error if a glob is not valid.
func check(whole string) error {
	switch {
	case whole == "":
		return errors.New("a glob must not be empty")
	case len(whole) > maxGlob:
		return fmt.Errorf("a glob must not be longer than %d bytes", maxGlob)
	case strings.ContainsRune(whole, 0):
		return errors.New("a glob must not contain a NUL character")
	case !balanced(whole, '[', ']'):
		return fmt.Errorf("the brackets of the glob \"%s\" are not balanced", shared.Excerpt(whole))
	case !balanced(whole, '{', '}'):
		return fmt.Errorf("the braces of the glob \"%s\" are not balanced", shared.Excerpt(whole))
	}
	return nil
}

// balanced reports whether every opening bracket has its closing one. As in the original, a backslash does not quote them.
func balanced(p string, opening, closing rune) bool {
	depth := 0
	for _, c := range p {
		switch c {
		case opening:
			depth++
		case closing:
			if depth--; depth < 0 {
				return false
			}
		}
	}
	return depth == 0
}

// newExclude returns an exclude of patterns without braces. A pattern that ends in a slash matches directories alone. The
// pattern dir/** matches dir/ and what is in it, but not a file dir; it is replaced because the engine matches that too.
func newExclude(patterns []string, inverted bool) exclude {
	var path, directory []string
	for _, p := range patterns {
		body, onlyDirectories := strings.CutSuffix(p, "/")
		if parent, ok := strings.CutSuffix(body, "/**"); ok {
			p = parent + "/**/*" + p[len(body):]
			directory = append(directory, parent+"/")
		}
		directory = append(directory, p)
		if !onlyDirectories {
			path = append(path, p)
		}
	}
	return exclude{glob.Unchecked(path...), glob.Unchecked(directory...), inverted}
}

// match reports whether one of the globs excludes the path, as that of a file or as that of a directory. Matching can be
// slow: once ctx is done, everything is excluded.
func (x excludes) match(ctx context.Context, path string) bool {
	directory := path + "/"
	return slices.ContainsFunc(x, func(e exclude) bool {
		return ctx.Err() != nil || e.inverted != e.path.Match(path) || e.inverted != e.directory.Match(directory)
	})
}
