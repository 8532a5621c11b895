package lookup

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gander/internal/testkit/tooltest"
)

// TestElsewhere looks for missing files whose names exist elsewhere. A path that cannot be opened
// is never suggested.
func TestElsewhere(t *testing.T) {
	if testing.Short() {
		t.Skip("a survey ends early where files are slow, as under Wine")
	}
	base := t.TempDir()
	root := filepath.Join(base, "repo")
	tooltest.Write(t, base, "outside.txt")
	tooltest.Write(t, root, "secret/hidden.go", "keys/a.pem", "web/src/app/index.js",
		"web/src/lib/index.js",
		"a/twice.go", "b/twice.go", "c/cli.go", ".git/cli.go",
		"pq/keep.go", "zz/keep.go")
	for i := range 5 {
		tooltest.Write(t, root, fmt.Sprintf("p%d/index.js", i))
	}
	err := os.Symlink("../outside.txt", filepath.Join(root, "out.txt"))
	if err != nil {
		t.Skip("no symlinks: ", err)
	}
	if err := os.Symlink("../c/cli.go", filepath.Join(root, "a", "link.go")); err != nil {
		t.Fatal(err)
	}
	w := tooltest.Workspace(t, []string{"**/*.pem", "secret/**"}, root)
	for given, want := range map[string]string{
		"cli.go":           "; did you mean c/cli.go?",
		"src/cli.go":       "; did you mean c/cli.go?",
		"src/CLI.go:7":     "; did you mean c/cli.go?",
		"x/twice.go":       "; did you mean a/twice.go or b/twice.go?",
		"aa/twice.go":      "; did you mean a/twice.go or b/twice.go?",
		"p/keep.go":        "; did you mean pq/keep.go or zz/keep.go?",
		"pqr/keep.go":      "; did you mean pq/keep.go or zz/keep.go?",
		"x/c":              "; did you mean c?",
		"lib/link.go":      "; did you mean a/link.go?",
		"src/app/index.js": "; did you mean web/src/app/index.js?",
		"c/cli.og":         "; did you mean c/cli.go?",
		"x/hidden.go":      "; list_dir ",
		"x/a.pem":          "; list_dir ",
		"x/out.txt":        "; list_dir ",
		"x/index.js": `, because there is no x; list_dir path="." shows what is there, ` +
			`find_files pattern="index.js" looks everywhere`,
	} {
		_, err := newPaths(t, w).Find(t.Context(), given)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", given, err, want)
		}
	}
}

// TestMissingNextTo looks for missing files behind a broken link and in a second root.
func TestMissingNextTo(t *testing.T) {
	if testing.Short() {
		t.Skip("Wine describes broken links as missing files")
	}
	base := t.TempDir()
	root, second := filepath.Join(base, "first"), filepath.Join(base, "second")
	tooltest.Write(t, root, "a/x.go")
	tooltest.Write(t, second, "b/y.go")
	if err := os.Symlink("nowhere", filepath.Join(root, "a", "broken")); err != nil {
		t.Skip("no symlinks: ", err)
	}
	w := tooltest.Workspace(t, nil, root, second)
	shown := filepath.ToSlash(second)
	for given, want := range map[string]string{
		"a/broken/x":          "no a/broken/x, because a/broken is a link that cannot be followed",
		"a/broken/x.go":       "there is no a/broken/x.go; did you mean a/x.go?",
		second + "/c/y.go":    "; did you mean " + shown + "/b/y.go?",
		second + "/c/nothing": `find_files pattern="nothing" path="` + shown + `" looks everywhere`,
	} {
		_, err := newPaths(t, w).Find(t.Context(), given)
		if err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", given, err, want)
		}
	}
}

// TestSurveyIsBounded makes calls in a tree that is too large for the rest of their surveys. No
// file is suggested, because another may have the name.
func TestSurveyIsBounded(t *testing.T) {
	root := t.TempDir()
	tooltest.Write(t, root, "a/b/x.go")
	for i := range 20 {
		tooltest.Write(t, root, fmt.Sprintf("d%d/", i))
	}
	w := tooltest.Workspace(t, nil, root)
	c := newPaths(t, w)
	c.Surveyed.Entries = MaxSurveyed - 10*EnteredCost
	for range 3 {
		_, err := c.Find(t.Context(), "b/x.go")
		if err == nil || strings.Contains(err.Error(), "did you mean") {
			t.Errorf("got %v", err)
		}
	}
	if c.Surveyed.Entries > MaxSurveyed+3*EnteredCost {
		t.Errorf("the surveys have listed %d entries", c.Surveyed.Entries-MaxSurveyed)
	}
}
