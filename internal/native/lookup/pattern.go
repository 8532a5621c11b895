package lookup

import (
	"path/filepath"
	"strings"

	"gander/internal/files/workspace"
	"gander/internal/search"
)

// RelativePattern returns a pattern without the "./" or the directory that it may begin with, and
// that directory or "".
func RelativePattern(pattern string, dirs ...string) (relative, start string) {
	pattern = workspace.SlashGlob(pattern)
	switch pattern {
	case "", ".", "/":
		return "", ""
	}
	if rest, ok := strings.CutPrefix(pattern, "./"); ok {
		return patternAtStart(rest), ""
	}
	for _, dir := range dirs {
		prefix := strings.TrimSuffix(filepath.ToSlash(dir), "/") + "/"
		if rest, ok := strings.CutPrefix(pattern+"/", prefix); ok {
			return patternAtStart(strings.TrimSuffix(rest, "/")), dir
		}
	}
	return pattern, ""
}

// patternAtStart returns the pattern for what follows the start in a path: a glob does not match it
// at any depth.
func patternAtStart(rest string) string {
	if search.IsGlob(rest) {
		return "/" + strings.TrimLeft(rest, "/")
	}
	return rest
}

// LiteralNames returns a glob in which names with brackets or braces stand for themselves where
// they exist below a directory, such as app/[id]/page.tsx.
func LiteralNames(dir workspace.Location, glob string) string {
	if !strings.ContainsAny(glob, "[{") {
		return glob
	}
	lead, rest := "", glob
	for _, prefix := range []string{"!", "/", "**/"} {
		if after, ok := strings.CutPrefix(rest, prefix); ok {
			lead, rest = lead+prefix, after
		}
	}
	names := strings.Split(rest, "/")
	for i, name := range names {
		hasBrackets := strings.ContainsAny(name, "[{")
		if !hasBrackets && strings.ContainsAny(name, `*?\`) {
			break
		}
		dir = dir.Join(name)
		if _, err := dir.Lstat(); err != nil {
			break
		}
		if hasBrackets {
			names[i] = globEscaper.Replace(name)
		}
	}
	return lead + strings.Join(names, "/")
}
