//go:build unix

package boundary

import (
	"path/filepath"
	"strings"
	"testing"

	"gander"
	"gander/internal/testkit"
)

// TestBoundaryFilesystem tries the published attacks on filesystem/read_multiple_files, whose calls do not fail. Its errors repeat
// the path of the caller and where a link leads; but none tells whether something is there, or what.
func TestBoundaryFilesystem(t *testing.T) {
	for _, e := range escapes() {
		t.Run(e.name, func(t *testing.T) {
			l := layouts[0]
			top, _ := l.open(t, e.entries)
			toolset := testkit.Open(t, gander.Options{Roots: []string{filepath.Join(top, l.roots[0])}, Tools: []string{"filesystem"}})
			for _, path := range e.paths {
				answers := map[string]string{}
				for _, x := range outsiders {
					p := strings.NewReplacer("{w}", top+"/w", "{top}", top, "{x}", x).Replace(path)
					said := heard(testkit.Call(t, toolset, "filesystem/read_multiple_files", map[string]any{"paths": []string{p}}))
					if trace := leak(said, p, top); trace != "" || !strings.HasPrefix(said, p+": Error - ") {
						t.Errorf("%s tells %q: %.300s", p, trace, said)
					}
					answers[strings.ReplaceAll(said, x, "X")] += " " + x
				}
				if len(answers) > 1 {
					t.Errorf("%s tells what is outside: %v", path, answers)
				}
			}
		})
	}
}
