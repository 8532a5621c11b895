//go:build unix

package boundary

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gander"
	"gander/internal/testkit"
)

// filesystemCalls returns, by the names of the tools of the official filesystem server, the arguments for a path.
func filesystemCalls(path string) map[string]any {
	one := map[string]any{"path": path}
	return map[string]any{
		"read_text_file": one, "read_media_file": one, "list_directory": one, "list_directory_with_sizes": one, "directory_tree": one, "get_file_info": one,
		"search_files": map[string]any{"path": path, "pattern": "**"}, "read_multiple_files": map[string]any{"paths": []string{path}},
	}
}

// TestBoundaryFilesystem tries the published attacks on the tools of the official filesystem server. Their errors repeat the path
// of the caller and where a link leads, as the original's do; but none tells whether something is there, or what.
func TestBoundaryFilesystem(t *testing.T) {
	for _, e := range escapes() {
		t.Run(e.name, func(t *testing.T) {
			l := layouts[0]
			top, _ := l.open(t, e.entries)
			toolset := testkit.Open(t, gander.Options{Roots: []string{filepath.Join(top, l.roots[0])}, Tools: []string{"filesystem"}})
			for _, path := range e.paths {
				answers := map[string]map[string]string{}
				for _, x := range outsiders {
					p := strings.NewReplacer("{w}", top+"/w", "{top}", top, "{x}", x).Replace(path)
					for name, args := range filesystemCalls(p) {
						result, failure := testkit.Call(t, toolset, "filesystem/"+name, args)
						said := heard(result, failure)
						if trace := leak(said, p, top); trace != "" || failure == nil && name != "read_multiple_files" {
							t.Errorf("%s of %s tells %q: %.300s", name, p, trace, said)
						}
						if answers[name] == nil {
							answers[name] = map[string]string{}
						}
						answers[name][strings.ReplaceAll(said, x, "X")] += " " + x
					}
				}
				for _, name := range slices.Sorted(maps.Keys(answers)) {
					if len(answers[name]) > 1 {
						t.Errorf("%s of %s tells what is outside: %v", name, path, answers[name])
					}
				}
			}
		})
	}
}
