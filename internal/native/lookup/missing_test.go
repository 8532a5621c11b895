package lookup

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gander/internal/testkit/tooltest"
)

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
