package pattern_test

import (
	_ "embed"
	"strings"
	"testing"

	"gander/internal/files/pattern"
)

// minimatchCases has lines of three fields, separated by tabs: a pattern, paths that the npm
// package minimatch 10.2.6 matches with the option dot, and paths that it does not match. Most
// patterns are random. They omit the documented differences.
//
//go:embed testdata/minimatch.txt
var minimatchCases string

func TestAsMinimatch(t *testing.T) {
	for line := range strings.Lines(minimatchCases) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		p, err := pattern.NewCompiler(t.Context()).Compile(pattern.Minimatch, fields[0], false)
		if err != nil {
			t.Errorf("%q: %v", fields[0], err)
			continue
		}
		for i, paths := range fields[1:] {
			for path := range strings.FieldsSeq(paths) {
				if got := pattern.Match(new(pattern.Work), p, path); got != (i == 0) {
					t.Errorf("%q and %q: got %v", fields[0], path, got)
				}
			}
		}
	}
}
