package codex

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReadFileSettings checks that a configured default applies only to absent arguments.
func TestReadFileSettings(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	text := "# h\na\n    b\n    c\n    # d\n    e\n        f\n    g\n"
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	w := open(t, filepath.Dir(path))
	one := ReadFileSettings{Limit: 2000, MaxLevels: 1}
	header, siblings := one, one
	header.IncludeHeader, siblings.IncludeSiblings = true, true
	for _, tt := range []struct {
		settings ReadFileSettings
		args     string
		want     string // line numbers
	}{
		{ReadFileSettings{Limit: 2000, MaxLevels: 4}, ``, "2 3 4 5 6 7 8"},
		{ReadFileSettings{Limit: 3, MaxLevels: 4}, ``, "6 7 8"},
		{ReadFileSettings{Limit: 3, MaxLevels: 4}, `,"limit":2`, "6 7"},
		{one, ``, "6 7 8"},
		{header, ``, "5 6 7 8"},
		{siblings, ``, "3 4 5 6 7 8"},
		{siblings, `,"indentation":{"include_siblings":false}`, "6 7 8"},
		{one, `,"indentation":{"max_levels":0}`, "2 3 4 5 6 7 8"},
		{ReadFileSettings{Limit: 2000}, `,"indentation":{"anchor_line":null}`, "2 3 4 5 6 7 8"},
	} {
		args := fmt.Sprintf(`{"file_path":%q,"mode":"indentation","offset":7%s}`, path, tt.args)
		var numbers []string
		for line := range strings.SplitSeq(output(t, NewReadFile(w, tt.settings), args), "\n") {
			number, _, _ := strings.Cut(strings.TrimPrefix(line, "L"), ":")
			numbers = append(numbers, number)
		}
		if got := strings.Join(numbers, " "); got != tt.want {
			t.Errorf("%+v, %s: got %s, want %s", tt.settings, tt.args, got, tt.want)
		}
	}
}
