package boundary

import (
	"maps"
	"os"
	"strings"
	"testing"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/tool"
)

// ganderCalls returns the most revealing arguments of the native tools, except path.
func ganderCalls() map[string]object {
	return map[string]object{
		"gander/list_dir":    {"depth": 9, "ignored": true, "details": true},
		"gander/read_file":   {},
		"gander/find_files":  {"pattern": "**", "ignored": true},
		"gander/search_text": {"pattern": ".", "ignored": true},
	}
}

// ganderCall calls a tool for a path.
func ganderCall(t *testing.T, toolset *gander.Toolset, id, path string) (string, *tool.Error) {
	t.Helper()
	args := maps.Clone(ganderCalls()[id])
	args["path"] = path
	result, failure := testkit.Call(t, toolset, id, args)
	return describe(result, failure), failure
}

// TestBoundaryGander checks that the native tools reveal nothing outside or denied, with their most
// revealing arguments and with paths that contain line numbers or URLs.
func TestBoundaryGander(t *testing.T) {
	root := fixture.Make(t,
		"out/dir/SECRET", "w/f", "w/d/g", "w/link => ../out/dir", "w/d/up => ../../out",
		"w/file-link => ../out/dir/SECRET", "w/private/SECRET", "w/to-private => private",
	)
	for path, content := range map[string]string{
		"w/f": "SHOWN", "w/d/g": "SHOWN", "out/dir/SECRET": "HIDDEN", "w/private/SECRET": "HIDDEN",
	} {
		testkit.Must(t, os.WriteFile(root+"/"+path, []byte(content), 0o600))
	}
	toolset := testkit.Open(t, gander.Options{
		Roots: []string{root + "/w"}, Deny: []string{"private/**"},
	})
	for id := range ganderCalls() {
		for _, path := range []string{
			"link", "link/SECRET", "link/SECRET:1", "d/up/dir", "file-link", "../out/dir/SECRET:1:1",
			"private/SECRET", "to-private/SECRET", "private/SECRET:1:1", "~/../../etc/passwd",
			"file://" + root + "/out/dir/SECRET", "file://" + root + "/w/private/SECRET",
			"link/missing", "file:///etc/passwd:1",
		} {
			output, failure := ganderCall(t, toolset, id, path)
			if strings.Contains(output, "HIDDEN") || strings.Contains(output, "root:") {
				t.Errorf("%s of %s: %.200s", id, path, output)
			}
			if failure != nil && failure.Kind == tool.Internal {
				t.Errorf("%s of %s: %v", id, path, failure)
			}
			if failure == nil && id != "gander/list_dir" && id != "gander/find_files" {
				t.Errorf("%s of %s succeeds: %.200s", id, path, output)
			}
		}
		want := "link"
		if id == "gander/search_text" {
			want = "SHOWN"
		}
		output, failure := ganderCall(t, toolset, id, ".")
		if failure != nil || strings.Contains(output, "SECRET") || !strings.Contains(output, want) {
			t.Errorf("%s of the root: %s", id, output)
		}
	}
}
