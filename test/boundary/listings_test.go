package boundary

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"gander"
	"gander/internal/testkit"
)

// TestBoundaryListings checks that a listing with links outside does not depend on whether their
// targets exist.
func TestBoundaryListings(t *testing.T) {
	entries := []string{
		"w/to-{x} => ../out/{x}", "w/d/abs-{x} => {top}/out/{x}", "w/d/{x}-parent => ../../out",
		"w/.gitignore => ../out/x-file", "w/.git/info/exclude => {top}/out/x-file",
	}
	modified := regexp.MustCompile(
		`"modified_epoch_ms":\d+|(created|modified|accessed): [^|\n]*|modified [-0-9]+ [:0-9]+ UTC`,
	)
	var tops [2]string
	var sets [2]*gander.Toolset
	for i := range sets {
		tops[i], sets[i] = layouts[0].open(t, entries)
	}
	_ = os.Chmod(tops[1]+"/out/x-shut", 0o700) // which only Unix has
	if err := os.RemoveAll(tops[1] + "/out"); err != nil {
		t.Fatal(err)
	}
	for id, key := range testkit.PathArguments() {
		for _, more := range []string{
			`{}`, `{"depth":9,"limit":500}`, `{"recursive":true,"include_hidden":true,"include_other":true}`,
			`{"entry_kind":"all","max_depth":9,"include_hidden":true}`,
			`{"file_filtering_options":{"respect_git_ignore":true}}`,
		} {
			var output [2]string
			for i := range sets {
				args := object{}
				if err := json.Unmarshal([]byte(more), &args); err != nil {
					t.Fatal(err)
				}
				args[key] = tops[i] + "/w"
				result, failure := testkit.Call(t, sets[i], id, args)
				output[i] = modified.ReplaceAllString(
					strings.ReplaceAll(describe(result, failure), tops[i], "TOP"), "TIME",
				)
				if trace := leak(output[i]); trace != "" {
					t.Errorf("%s with %s tells %s: %s", id, more, trace, output[i])
				}
			}
			if output[0] != output[1] {
				t.Errorf("%s with %s tells what is outside:\n%s\n%s", id, more, output[0], output[1])
			}
		}
	}
}
