package toolkit

import (
	"slices"
	"strings"
	"testing"

	"gander/internal/testkit/tooltest"
)

// TestGlobs checks which paths globs exclude.
func TestGlobs(t *testing.T) {
	for glob, rest := range tooltest.Rows(t, "globs.txt") {
		x, err := compile(t.Context(), []string{glob})
		if err != nil {
			t.Errorf("%s: %v", glob, err)
		}
		excluded, kept, _ := strings.Cut(rest, "\n")
		for want, paths := range map[bool]string{true: excluded, false: kept} {
			for _, path := range strings.Fields(strings.TrimPrefix(paths, "NONE")) {
				if got := x.match(t.Context(), path); got != want {
					t.Errorf("%s excludes %s: %v", glob, path, got)
				}
			}
		}
	}
}

// TestInvalidGlobs checks invalid globs. Quoted brackets and braces count, as in the original.
func TestInvalidGlobs(t *testing.T) {
	const brackets, braces = "[ ] []a] [!]] [[] \\[ ][ src/[a-", "{ {a,b}} }{ \\{ [{]"
	want := map[string]string{
		"":      "a glob must not be empty",
		"a\x00": "a glob must not contain a NUL character",

		"{\u202e\n": `the braces of the glob "{\u202e\n" are not balanced`,

		"[" + strings.Repeat("x", 4096): "a glob must not be longer than 4096 bytes",
		"[" + strings.Repeat("x", 4000): `the brackets of the glob "[` + strings.Repeat("x", 59) +
			`..." are not balanced`,
	}
	for _, glob := range strings.Fields(brackets) {
		want[glob] = `the brackets of the glob "` + glob + `" are not balanced`
	}
	for _, glob := range strings.Fields(braces) {
		want[glob] = `the braces of the glob "` + glob + `" are not balanced`
	}
	for glob, message := range want {
		_, err := compile(t.Context(), []string{"ok", glob})
		if err == nil || err.Error() != message {
			t.Errorf("%.80q\ngot  %v\nwant %s", glob, err, message)
		}
	}
}

// TestManyGlobs checks that the size of expanded globs is limited, which bounds the time to match.
func TestManyGlobs(t *testing.T) {
	nested := strings.Repeat("{a,", 30) + "b" + strings.Repeat("}", 30)
	for _, tt := range []struct {
		name  string
		globs []string
		want  error
	}{
		{"nested", []string{nested}, nil},
		{"nested far", []string{strings.Repeat("{a,", 1000) + "b" + strings.Repeat("}", 1000)}, nil},
		{"a product", []string{strings.Repeat("{a,b}", 10)}, nil},
		{"an exploding product", []string{strings.Repeat("{a,b}", 30)}, errTooMuch},
		{"a product of empty ones", []string{strings.Repeat("{,}", 500)}, errTooMuch},
		{"stars", []string{strings.Repeat("**/", 1365)}, nil},
		{"stars in one segment", []string{strings.Repeat("*a", 2047)}, nil},
		{"the longest", []string{strings.Repeat("a", 4096)}, nil},
		{"thousands", slices.Repeat([]string{"**/some_name_*.log"}, 5000), nil},
		{"too many", slices.Repeat([]string{"**/some_name_*.log"}, 50000), errTooMuch},
	} {
		x, err := compile(t.Context(), tt.globs)
		if err != tt.want {
			t.Errorf("%s: got %v, want %v", tt.name, err, tt.want)
		}
		if err == nil {
			x.match(t.Context(), strings.Repeat("a", 255)+"/"+strings.Repeat("b/", 500))
		}
	}
}
