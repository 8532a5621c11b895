// Package filetype knows the globs of common types of files.
package filetype

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// table has one glob per line, after the names of the types of files that it matches.
//
//go:embed types.txt
var table string

var globs = parse(table)

func parse(table string) map[string]string {
	globs := make(map[string]string)
	for line := range strings.Lines(table) {
		words := strings.Fields(line)
		last := len(words) - 1
		for _, name := range words[:last] {
			globs[name] = words[last]
		}
	}
	return globs
}

// Names returns the sorted names of all types.
func Names() []string { return slices.Sorted(maps.Keys(globs)) }

// Globs returns the globs that select files of any of the types, and exclude files that others
// match. The last glob that matches a file decides about it, so those of the types come first.
//
// Without types, the others are returned as they are. With types, they must all begin with "!",
// which excludes files. The error is a [*ConflictError] or an [*UnknownError].
func Globs(types, others []string) ([]string, error) {
	if len(types) == 0 {
		return others, nil
	}
	for _, glob := range others {
		if !strings.HasPrefix(glob, "!") {
			return nil, &ConflictError{glob}
		}
	}
	var all []string
	for _, name := range types {
		glob, ok := globs[name]
		if !ok {
			return nil, &UnknownError{name}
		}
		all = append(all, glob)
	}
	return append(all, others...), nil
}

// A ConflictError reports a glob that selects files, as types do.
type ConflictError struct{ Glob string }

func (e *ConflictError) Error() string {
	return fmt.Sprintf("glob %q and a type both select files", e.Glob)
}

// An UnknownError reports a type that does not exist.
type UnknownError struct{ Name string }

func (e *UnknownError) Error() string { return fmt.Sprintf("there is no type %q", e.Name) }
