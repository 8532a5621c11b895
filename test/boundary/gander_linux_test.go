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

// ganderCalls returns the arguments other than path with which gander's own tools reveal the most.
func ganderCalls() map[string]map[string]any {
	return map[string]map[string]any{
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

// TestBoundaryGander checks that gander's own tools reveal nothing outside or denied, and open no
// FIFO, socket or device, including with paths that contain line numbers or URLs.
func TestBoundaryGander(t *testing.T) {
	root := fixture.Make(t, "out/dir/SECRET", "w/f", "w/d/g", "w/link => ../out/dir", "w/d/up => ../../out", "w/file-link => ../out/dir/SECRET",
		"w/private/SECRET", "w/to-private => private", "w/pipe|", "w/sock=", "w/to-pipe => pipe", "w/null => /dev/null")
	for path, content := range map[string]string{"w/f": "SHOWN\n", "w/d/g": "SHOWN\n", "out/dir/SECRET": "SECRET content\n", "w/private/SECRET": "SECRET content\n"} {
		testkit.Must(t, os.WriteFile(root+"/"+path, []byte(content), 0o600))
	}
	special := append(devices(t, root+"/w"), "pipe", "sock", "to-pipe", "null")
	defer watch(t, root+"/w/pipe")()
	toolset := testkit.Open(t, gander.Options{Roots: []string{root + "/w"}, Deny: []string{"private/**"}, Limits: gander.Limits{Timeout: quickly}})
	for id := range ganderCalls() {
		for _, path := range []string{
			"link", "link/", "link/SECRET", "link/SECRET:1", "d/up/dir", "d/up/dir/SECRET", "file-link", "../out/dir/SECRET", "d/../../out/dir", "private/SECRET", "to-private/SECRET", "private/SECRET:1:1",
			"file://" + root + "/out/dir/SECRET", "file://" + root + "/w/private/SECRET", root + "/out/dir", "/etc/passwd", "~/../../etc/passwd", "link/missing", "file:///etc/passwd:1",
		} {
			output, failure := ganderCall(t, toolset, id, path)
			output = strings.ReplaceAll(output, strings.TrimPrefix(path, "file://"), "")
			if strings.Contains(output, "SECRET content") || strings.Contains(output, "root:") {
				t.Errorf("%s of %s: %.200s", id, path, output)
			}
			if failure != nil && failure.Kind == tool.Internal {
				t.Errorf("%s of %s: %v", id, path, failure)
			}
			if (failure == nil) && id != "gander/list_dir" && id != "gander/find_files" {
				t.Errorf("%s of %s answers %.200s", id, path, output)
			}
		}
		for _, name := range special {
			for _, tail := range []string{"", "/", "/x", ":1"} {
				output, failure := ganderCall(t, toolset, id, name+tail)
				if failure == nil && id == "gander/read_file" || failure != nil && (failure.Kind == tool.Timeout || failure.Kind == tool.Internal) {
					t.Errorf("%s of %s%s: %.200s", id, name, tail, output)
				}
			}
		}
		output, failure := ganderCall(t, toolset, id, ".")
		if failure != nil || strings.Contains(output, "SECRET") || id == "gander/search_text" && !strings.Contains(output, "SHOWN") || id != "gander/search_text" && !strings.Contains(output, "link") {
			t.Errorf("%s of the root: %s", id, output)
		}
	}
}
