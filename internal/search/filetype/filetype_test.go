package filetype

import (
	"errors"
	"slices"
	"testing"
)

// TestGlobs checks that the globs of types come before those that exclude files.
func TestGlobs(t *testing.T) {
	for _, tt := range []struct{ types, others, want []string }{
		{nil, nil, nil},
		{nil, []string{"a*", "!b", "c"}, []string{"a*", "!b", "c"}},
		{[]string{"go"}, nil, []string{"*.go"}},
		{[]string{"yml", "golang"}, []string{"!a*", "!b"}, []string{"*.{yaml,yml}", "*.go", "!a*", "!b"}},
	} {
		got, err := Globs(tt.types, tt.others)
		if err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%q, %q: got %q, %v, want %q", tt.types, tt.others, got, err, tt.want)
		}
	}
}

func TestGlobsErrors(t *testing.T) {
	_, err := Globs([]string{"none"}, []string{"!a", "b"})
	if e, ok := errors.AsType[*ConflictError](err); !ok || e.Glob != "b" {
		t.Errorf("a glob that selects files: %v", err)
	}
	_, err = Globs([]string{"go", "none"}, []string{"!a"})
	if e, ok := errors.AsType[*UnknownError](err); !ok || e.Name != "none" {
		t.Errorf("an unknown type: %v", err)
	}
}
