package list

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"gander/internal/testkit/nativetest"
	"gander/internal/testkit/tooltest"
)

// TestLinkTargets checks where links lead, or that this is not known.
func TestLinkTargets(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links below a root are not named under Wine")
	}
	root := filepath.Join(t.TempDir(), "repo")
	tooltest.Write(t, root, "src/main.go", "../outside.txt")
	for link, to := range map[string]string{
		"link": "src/main.go", "dir": "src",
		"out": "../outside.txt", "gone": "nowhere", "loop": "loop", "again": "link",
	} {
		if err := os.Symlink(to, filepath.Join(root, link)); err != nil {
			t.Skip("no symlinks: ", err)
		}
	}
	p := nativetest.Environment(tooltest.Workspace(t, nil, root)).NewCall("").Paths
	for link, want := range map[string]string{
		"link": "src/main.go", "again": "src/main.go", "dir": "src/", "out": "", "gone": "", "loop": "",
	} {
		at, err := p.Locate(t.Context(), link)
		if got := linkTarget(p, at); err != nil || got != want {
			t.Errorf("%s leads to %q, %v, want %q", link, got, err, want)
		}
	}
}
