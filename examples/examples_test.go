// Package examples_test runs the examples.
package examples_test

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const listed = `. is /sample: 6 entries and 3 below
.geminiignore
README.md
cache/
  lows.json
docs/
  2026.md
latest.md@	-> docs/2026.md
tide/
  causeway.py`

const seen = "I see " + listed + `
The attic: there is no attic; list_dir path="." shows what is there, find_files pattern="attic" looks everywhere
`

func TestExamples(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the examples print a symlink of the sample, which git does not make on Windows")
	}
	programs := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", programs, "./agent", "./first").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for command, want := range map[string]string{
		"agent -api openai":           seen,
		"agent -api openai-responses": seen,
		"agent -api anthropic":        seen,
		"agent -api gemini":           seen,
		"first": `[{"type":"function","function":{"name":"list_dir","description":"Lists a directo... <nil>
` + listed + " <nil>\n",
	} {
		t.Run(command, func(t *testing.T) {
			words := strings.Fields(command)
			cmd := exec.Command(filepath.Join(programs, words[0]), words[1:]...)
			cmd.Dir = filepath.Join("..", "testdata", "sample")
			out, err := cmd.CombinedOutput()
			where, _ := filepath.Abs(cmd.Dir)
			if diff := cmp.Diff(want, strings.ReplaceAll(string(out), where, "/sample")); diff != "" || err != nil {
				t.Errorf("%v (-want +got)\n%s", err, diff)
			}
		})
	}
}
