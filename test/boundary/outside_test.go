package boundary

import (
	"path/filepath"
	"strings"
	"testing"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
)

// TestOutsideErrorsEqual checks that a tool returns the same error for all absolute paths outside,
// whatever is there. [TestBoundaryEscapes] checks paths that begin inside.
func TestOutsideErrorsEqual(t *testing.T) {
	outside := fixture.Make(t, "there/x", "file")
	root := fixture.Make(t, "in/")
	volume := filepath.VolumeName(root)
	paths := []string{
		outside, outside + "/there", outside + "/file", outside + "/file/x", outside + "/none",
		root + "x", filepath.Dir(root), volume + "/", volume + "/no/such", volume + "/proc/self/root",
	}
	toolset := testkit.Open(t, gander.Options{Roots: []string{root}})
	for id, key := range testkit.PathArguments() {
		want := ""
		for _, path := range paths {
			result, err := testkit.Call(t, toolset, id, object{key: path})
			if err == nil {
				t.Errorf("%s of %s succeeds", id, path)
				continue
			}
			got := hidePath(describe(result, err))
			if id == "codex/grep_files" || isNative(id) { // messages repeat the path
				got = strings.Replace(strings.Replace(got, "`"+path+"`", "PATH", 1), path+" ", "PATH ", 1)
			}
			if want == "" {
				want = got
			}
			if got != want {
				t.Errorf("%s of %s\ngot  %s\nwant %s", id, path, got, want)
			}
		}
	}
}
