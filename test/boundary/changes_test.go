//go:build unix

package boundary

import (
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gander"
	"gander/internal/testkit"
	"gander/tool"
)

// TestBoundaryRenamedRoot: a root that is renamed stays in the workspace, and what takes its place is outside.
func TestBoundaryRenamedRoot(t *testing.T) {
	top, toolset := layouts[len(layouts)-1].open(t, nil)
	for id, key := range testkit.PathArguments() {
		for _, path := range []string{"/moved", "/moved/f", "/moved/none", "/w/OTHER", "/out"} {
			result, failure := testkit.Call(t, toolset, id, map[string]any{key: top + path})
			want := tool.Outside
			if path == "/w/OTHER" {
				want = tool.NotFound // looked for in the directory that was w
			}
			if failure == nil || failure.Kind != want {
				t.Errorf("%s of %s: %s", id, path, heard(result, failure))
			}
		}
		path := "/w"
		if testkit.ReadsFile(id) {
			path = "/w/f"
		}
		result, failure := testkit.Call(t, toolset, id, map[string]any{key: top + path})
		if failure != nil || strings.Contains(result.Text(), "OTHER") {
			t.Errorf("%s of the renamed root: %s", id, heard(result, failure))
		}
	}
}

// TestBoundaryListings: a listing with links that lead outside is the same, byte for byte, if their targets do not exist.
func TestBoundaryListings(t *testing.T) {
	entries := []string{"w/to-{x} => ../out/{x}", "w/d/abs-{x} => {top}/out/{x}", "w/d/{x}-parent => ../../out", "w/.gitignore => ../out/x-file", "w/.git/info/exclude => {top}/out/x-file"}
	modified := regexp.MustCompile(`"modified_epoch_ms":\d+|(created|modified|accessed): [^|\n]*|modified [-0-9]+ [:0-9]+ UTC`)
	var tops [2]string
	var sets [2]*gander.Toolset
	for i := range sets {
		tops[i], sets[i] = layouts[0].open(t, entries)
	}
	if err := os.Chmod(tops[1]+"/out/x-shut", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(tops[1] + "/out"); err != nil {
		t.Fatal(err)
	}
	for id, key := range testkit.PathArguments() {
		for _, more := range []string{
			`{}`, `{"depth":9,"limit":500}`, `{"recursive":true,"include_hidden":true,"include_other":true}`, `{"entry_kind":"all","max_depth":9,"include_hidden":true}`,
			`{"file_filtering_options":{"respect_git_ignore":true}}`,
		} {
			var said [2]string
			for i := range sets {
				args := map[string]any{}
				if err := json.Unmarshal([]byte(more), &args); err != nil {
					t.Fatal(err)
				}
				args[key] = tops[i] + "/w"
				result, failure := testkit.Call(t, sets[i], id, args)
				said[i] = modified.ReplaceAllString(strings.ReplaceAll(heard(result, failure), tops[i], "TOP"), "TIME")
				if trace := leak(said[i]); trace != "" {
					t.Errorf("%s with %s tells %s: %s", id, more, trace, said[i])
				}
			}
			if said[0] != said[1] {
				t.Errorf("%s with %s tells what is outside:\n%s\n%s", id, more, said[0], said[1])
			}
		}
	}
}

// TestBoundaryLaterLink covers CVE-2026-39861: a directory and a file are replaced by links outward between two calls.
func TestBoundaryLaterLink(t *testing.T) {
	top, toolset := layouts[0].open(t, []string{"w/dir/f", "w/file"})
	answers := func() (said []string) {
		for _, id := range slices.Sorted(maps.Keys(testkit.PathArguments())) {
			for _, path := range []string{"/w/dir", "/w/dir/f", "/w/dir/SECRET", "/w/file"} {
				result, failure := testkit.Call(t, toolset, id, map[string]any{testkit.PathArguments()[id]: top + path})
				said = append(said, id+" "+path+": "+heard(result, failure))
			}
		}
		return said
	}
	for _, s := range answers() {
		if strings.Contains(s, "outside") {
			t.Errorf("before: %s", s)
		}
	}
	for name, target := range map[string]string{"dir": "x-dir", "file": "x-file"} {
		if err := os.RemoveAll(top + "/w/" + name); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("../out/"+target, top+"/w/"+name); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range answers() {
		if leak(s, top, "/w/dir/SECRET", "/x-dir/SECRET") != "" || !strings.Contains(s, "outside") && !strings.Contains(s, "must be within") && !strings.Contains(s, "not a directory") {
			t.Errorf("after: %s", s)
		}
	}
}
