// Package filetype knows the globs of common types of files.
package filetype

import (
	_ "embed"
	"maps"
	"slices"
	"strings"
)

// types has one glob per line, after the names of the file types that it matches.
//
//go:embed types.txt
var types string

func globs() map[string]string {
	globs := make(map[string]string)
	for line := range strings.Lines(types) {
		words := strings.Fields(line)
		for _, name := range words[:len(words)-1] {
			globs[name] = words[len(words)-1]
		}
	}
	return globs
}

// Glob returns the glob of the type with a name.
func Glob(name string) (glob string, ok bool) {
	glob, ok = globs()[name]
	return glob, ok
}

// Names returns the sorted names of all types.
func Names() []string { return slices.Sorted(maps.Keys(globs())) }
