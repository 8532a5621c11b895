//go:build unix

package codex

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gander/internal/testkit/fixture"
	"gander/internal/testkit/tooltest"
	"gander/tool"
)

// TestReadFileErrors checks the texts of errors, and that every path outside the workspace has the same one.
func TestReadFileErrors(t *testing.T) {
	root := fixture.Make(t, "d/file", "pipe|", "s=", "key.pem", "loop => loop", "out => /etc/passwd", "gone => /no/such/place", "key => key.pem")
	w := tooltest.Workspace(t, []string{"**/*.pem"}, root)
	const outside = "path is outside the workspace; use an absolute path inside it"
	for path, want := range map[string]string{
		root:                          "is a directory",
		root + "/d":                   "is a directory",
		root + "/d/":                  "is a directory",
		root + "/none":                "no such file or directory",
		root + "/d/file/":             "not a directory",
		root + "/d/file/x":            "not a directory",
		root + "/pipe":                "not a regular file",
		root + "/s":                   "not a regular file",
		root + "/loop":                "too many levels of symbolic links",
		root + "/key.pem":             "denied by pattern **/*.pem",
		root + "/key":                 "denied by pattern **/*.pem",
		"/dev/null":                   outside,
		"/etc/passwd":                 outside,
		"/no/such/place":              outside,
		root + "/out":                 outside,
		root + "/gone":                outside,
		root + "/../x":                outside,
		root + "/d/../../etc/passwd":  outside,
		root + "/out/../../../passwd": outside,
	} {
		for _, mode := range []string{"slice", "indentation"} {
			args := strings.TrimSuffix(pathArgument(t, "file_path", path), "}") + fmt.Sprintf(`,"mode":%q}`, mode)
			_, err := call(t, readFile(w), args, -1)
			if err == nil || err.Message != "failed to read file: "+want || (want == outside) != (err.Kind == tool.Outside) {
				t.Errorf("%s: got %+v, want %s", args, err, want)
			}
		}
	}
}

// TestReadFileConfigured checks that a configured default holds exactly where a call leaves the argument out.
func TestReadFileConfigured(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, []byte("# h\na\n    b\n    c\n    # d\n    e\n        f\n    g\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	w := open(t, filepath.Dir(path))
	for _, tt := range []struct {
		settings ReadFileSettings
		args     string
		want     string // the numbers of the lines
	}{
		{ReadFileSettings{Limit: 2000, MaxLevels: 4}, `"offset":7`, "2 3 4 5 6 7 8"},
		{ReadFileSettings{Limit: 3, MaxLevels: 4}, `"offset":7`, "6 7 8"},
		{ReadFileSettings{Limit: 3, MaxLevels: 4}, `"offset":7,"limit":2`, "6 7"},
		{ReadFileSettings{Limit: 2000, MaxLevels: 1}, `"offset":7`, "6 7 8"},
		{ReadFileSettings{Limit: 2000, MaxLevels: 1, IncludeHeader: true}, `"offset":7`, "5 6 7 8"},
		{ReadFileSettings{Limit: 2000, MaxLevels: 1, IncludeSiblings: true}, `"offset":7`, "3 4 5 6 7 8"},
		{ReadFileSettings{Limit: 2000, MaxLevels: 1, IncludeSiblings: true}, `"offset":7,"indentation":{"include_siblings":false}`, "6 7 8"},
		{ReadFileSettings{Limit: 2000, MaxLevels: 1}, `"offset":7,"indentation":{"max_levels":0}`, "2 3 4 5 6 7 8"},
		{ReadFileSettings{Limit: 2000, MaxLevels: 0}, `"offset":7,"indentation":{"anchor_line":null}`, "2 3 4 5 6 7 8"},
	} {
		args := fmt.Sprintf(`{"file_path":%q,"mode":"indentation",%s}`, path, tt.args)
		var numbers []string
		for line := range strings.SplitSeq(answer(t, NewReadFile(w, tt.settings), args), "\n") {
			number, _, _ := strings.Cut(strings.TrimPrefix(line, "L"), ":")
			numbers = append(numbers, number)
		}
		if got := strings.Join(numbers, " "); got != tt.want {
			t.Errorf("%+v, %s: got %s, want %s", tt.settings, tt.args, got, tt.want)
		}
	}
}
