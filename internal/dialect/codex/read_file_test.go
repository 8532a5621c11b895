//go:build unix

package codex

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gander/internal/engine/workspace"
	"gander/internal/testkit/fixture"
	"gander/tool"
)

// TestReadFileErrors: the system's words in lower case, and the same ones for whatever is outside.
func TestReadFileErrors(t *testing.T) {
	root := fixture.Make(t, "d/file", "pipe|", "s=", "key.pem", "loop => loop", "out => /etc/passwd", "gone => /no/such/place", "key => key.pem")
	w, err := workspace.Open(workspace.Options{Deny: []string{"**/*.pem"}}, root)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
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
		root + "/key.pem":             "permission denied",
		root + "/key":                 "permission denied",
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
			if err == nil || err.Error() != "failed to read file: "+want || (want == outside) != (kindOf(err) == tool.Outside) {
				t.Errorf("%s: got %v (%s), want %s", args, err, kindOf(err), want)
			}
		}
	}
}

// TestReadFileConfigured: the configured defaults hold where an argument is omitted, and only there.
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
