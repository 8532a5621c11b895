package filesystem

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestWholeTree checks that a tree without a limit is JSON and the same as with a large limit, and
// that a denied directory has an error.
func TestWholeTree(t *testing.T) {
	files := map[string]string{"a/secret/f": "", "secret/f": ""}
	for i := range 200 {
		files[fmt.Sprintf("%s/d%d/é%04d", strings.Repeat("s/", i%4), i%37, i)] = ""
	}
	tree := open(t, write(t, files), "secret")["directory_tree"]
	for path, failures := range map[string]int{".": 2, "a": 1, "s/s": 0} {
		args := map[string]any{"path": path}
		want, failure := call(t, tree, args, 10<<20)
		if failure != nil || want.Truncated {
			t.Fatalf("%v: truncated %v, %v", path, want.Truncated, failure)
		}
		got, failure := call(t, tree, args, -1)
		if failure != nil || got.Text() != want.Text() || !json.Valid([]byte(got.Text())) {
			t.Errorf("%v: %d bytes and %v, want %d bytes", path, len(got.Text()), failure, len(want.Text()))
		}
		if n := strings.Count(got.Text(), `"error": "permission denied"`); n != failures {
			t.Errorf("%v: %d directories have an error, want %d", path, n, failures)
		}
	}
}
