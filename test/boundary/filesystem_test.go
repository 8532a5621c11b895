package boundary

import (
	"path/filepath"
	"strings"
	"testing"

	"gander"
	"gander/internal/testkit"
)

// TestBoundaryFilesystem tries the escapes with filesystem/read_multiple_files, whose calls do not
// fail. Its errors repeat the path and the target of a link, but do not depend on entries outside.
func TestBoundaryFilesystem(t *testing.T) {
	for _, e := range escapes() {
		t.Run(e.name, func(t *testing.T) {
			l := layouts[0]
			top, _ := l.open(t, e.entries)
			toolset := testkit.Open(
				t,
				gander.Options{Roots: []string{filepath.Join(top, l.roots[0])}, Tools: []string{"filesystem"}},
			)
			for _, path := range e.paths {
				answers := map[string]string{}
				for _, x := range outsiders() {
					p := strings.NewReplacer("{w}", top+"/w", "{top}", top, "{x}", x).Replace(path)
					output := describe(
						testkit.Call(t, toolset, "filesystem/read_multiple_files", object{"paths": []string{p}}),
					)
					if trace := leak(output, p, top); trace != "" || !strings.HasPrefix(output, p+": Error - ") {
						t.Errorf("%s tells %q: %.300s", p, trace, output)
					}
					answers[strings.ReplaceAll(output, x, "X")] += " " + x
				}
				if len(answers) > 1 {
					t.Errorf("%s tells what is outside: %v", path, answers)
				}
			}
		})
	}
}
