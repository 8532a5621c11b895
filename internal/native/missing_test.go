package native

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gander/internal/testkit/tooltest"
)

// TestElsewhere looks for missing files whose names exist elsewhere. A path that cannot be opened is
// never suggested.
func TestElsewhere(t *testing.T) {
	if testing.Short() {
		t.Skip("a survey ends early where files are slow, as under Wine")
	}
	base := t.TempDir()
	root := filepath.Join(base, "repo")
	write(t, base, "outside.txt")
	write(t, root, "secret/hidden.go", "keys/a.pem", "web/src/app/index.js", "web/src/lib/index.js",
		"a/twice.go", "b/twice.go", "c/cli.go", ".git/cli.go",
		"pq/keep.go", "zz/keep.go")
	for i := range 5 {
		write(t, root, fmt.Sprintf("p%d/index.js", i))
	}
	err := os.Symlink("../outside.txt", filepath.Join(root, "out.txt"))
	if err != nil {
		t.Skip("no symlinks: ", err)
	}
	if err := os.Symlink("../c/cli.go", filepath.Join(root, "a", "link.go")); err != nil {
		t.Fatal(err)
	}
	e := newEnvironment(tooltest.Workspace(t, []string{"**/*.pem", "secret/**"}, root))
	for given, want := range map[string]string{
		"cli.go":           "; did you mean c/cli.go?",
		"src/cli.go":       "; did you mean c/cli.go?",
		"src/CLI.go:7":     "; did you mean c/cli.go?",
		"c/CLI.go":         "; did you mean c/cli.go?",
		"x/twice.go":       "; did you mean a/twice.go or b/twice.go?",
		"aa/twice.go":      "; did you mean a/twice.go or b/twice.go?",
		"p/keep.go":        "; did you mean pq/keep.go or zz/keep.go?",
		"pqr/keep.go":      "; did you mean pq/keep.go?",
		"x/c":              "; did you mean c?",
		"lib/link.go":      "; did you mean a/link.go?",
		"src/app/index.js": "; did you mean web/src/app/index.js?",
		"c/cli.og":         "; did you mean c/cli.go?",
		"x/hidden.go":      "; list_dir ",
		"x/a.pem":          "; list_dir ",
		"x/out.txt":        "; list_dir ",
		"x/index.js":       `, because there is no x; list_dir path="." shows what is there, find_files pattern="index.js" looks everywhere`,
	} {
		_, err := e.newCall(t).find(given)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", given, err, want)
		}
	}
}

// TestMissingName checks that the pattern that an error suggests for a missing file finds others with the
// same name, and that a name is not suggested in part.
func TestMissingName(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"[id].ts", "{id}.ts", "plain.ts"} {
		for i := range maxNear + 1 {
			write(t, root, fmt.Sprintf("p%d/%s", i, name))
		}
	}
	write(t, root, "api/")
	e := newEnvironment(tooltest.Workspace(t, nil, root))
	find := e.caller(t, "find_files")
	for name, pattern := range map[string]string{
		"[id].ts": `\[id].ts`, "{id}.ts": `\{id\}.ts`, "plain.ts": "plain.ts",
	} {
		_, err := e.newCall(t).find("api/" + name)
		want := fmt.Sprintf(`, find_files pattern="%s" looks everywhere`, pattern)
		if err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
		found := output(find, fmt.Sprintf(`{"pattern":%q}`, pattern), -1)
		if n := strings.Count(found, "/"+name); n != maxNear+1 {
			t.Errorf("%s finds %d paths: %s", pattern, n, found)
		}
	}
	_, err := e.newCall(t).find("api/" + strings.Repeat("long", 30))
	if err == nil || !strings.HasSuffix(err.Error(), `; list_dir path="api" shows what is there`) {
		t.Errorf("a long name: %v", err)
	}
}

// TestMissingNextTo looks for missing files behind a broken link and in a second root.
func TestMissingNextTo(t *testing.T) {
	if testing.Short() {
		t.Skip("Wine describes broken links as missing files")
	}
	base := t.TempDir()
	root, second := filepath.Join(base, "first"), filepath.Join(base, "second")
	write(t, root, "a/x.go")
	write(t, second, "b/y.go")
	if err := os.Symlink("nowhere", filepath.Join(root, "a", "broken")); err != nil {
		t.Skip("no symlinks: ", err)
	}
	e := newEnvironment(tooltest.Workspace(t, nil, root, second))
	shown := filepath.ToSlash(second)
	for given, want := range map[string]string{
		"a/broken/x":          "no a/broken/x, because a/broken is a link that cannot be followed",
		"a/broken/x.go":       "there is no a/broken/x.go; did you mean a/x.go?",
		second + "/c/y.go":    "; did you mean " + shown + "/b/y.go?",
		second + "/c/nothing": `find_files pattern="nothing" path="` + shown + `" looks everywhere`,
	} {
		_, err := e.newCall(t).find(given)
		if err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", given, err, want)
		}
	}
}

// TestSurveyIsBounded makes calls in a tree that is too large for the rest of their surveys. No file is
// suggested, because another may have the name, and what is said about a pattern is true.
func TestSurveyIsBounded(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a/b/x.go")
	for i := range 20 {
		write(t, root, fmt.Sprintf("d%d/", i))
	}
	e := newEnvironment(tooltest.Workspace(t, nil, root))
	c := e.newCall(t)
	c.surveyed.entries = maxSurveyed - 10*enteredCost
	for range 3 {
		_, err := c.find("b/x.go")
		if err == nil || strings.Contains(err.Error(), "did you mean") {
			t.Errorf("got %v", err)
		}
	}
	if c.surveyed.entries > maxSurveyed+3*enteredCost {
		t.Errorf("the surveys have listed %d entries", c.surveyed.entries-maxSurveyed)
	}
	find := e.tool("find_files").(*nativeTool)
	for pattern, want := range map[string]string{
		"b/*.go":  `; "**/b/*.go" matches at least 1 path`,
		"c/*.go":  `; "**/c/*.go" matches at any depth`,
		"^nobody": "; a pattern is a glob or a part of the path, not a regular expression",
		`.go$`:    "; as one, it would match at least 1 path, such as a/b/x.go",
	} {
		c := e.newCall(t)
		c.surveyed.entries = maxSurveyed - 10*enteredCost
		args := find.decodeArguments([]byte(`{"pattern":"` + pattern + `"}`))
		r, _, err := parseFind(t.Context(), args)
		if err != nil {
			t.Fatal(err)
		}
		s, err := r.section(c, unlimited, "")
		if err != nil || !strings.HasSuffix(s.heading, want) {
			t.Errorf("%s: %q, %v, want %s", pattern, s.heading, err, want)
		}
	}
}
