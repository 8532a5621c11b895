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

const missing = "NOT_FOUND: path does not exist; list its parent to see what does\n"

const seen = "I see cache docs tide README.md latest.md.\nThe attic: " + missing

func TestExamples(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the examples print a symlink of the sample, which git does not make on Windows")
	}
	for command, want := range map[string]string{
		"agent -api openai":           seen,
		"agent -api openai-responses": seen,
		"agent -api anthropic":        seen,
		"agent -api gemini":           seen,
		"first": `[{"type":"function","function":{"name":"list_dir","description":"Lists a directo... <nil>
. is /sample: 6 entries and 3 below
.geminiignore
README.md
cache/
  lows.json
docs/
  2026.md
latest.md@	-> docs/2026.md
tide/
  causeway.py <nil>
`,
		"explore": `cache: the model should leave this alone
docs/
docs/2026.md begins with L1: # Crossing in 2026
tide/
tide/causeway.py begins with L1: import datetime
.geminiignore begins with L1: cache/
README.md begins with L1: # Tide
latest.md is neither a file nor a directory
tree {}: the model should correct its arguments: INVALID_ARGUMENT: path is required; use "." for the workspace root
tree {"path": "../.."}: the model should stay inside
tree {"path": "cache"}: the model should leave this alone
tree {"path": "attic"}: the model should look for it elsewhere
tree {"path": "README.md"}: the model should read it instead
tree {"path": "."}: it could not be done: INTERNAL: the output limit of 10 bytes is too small for any answer; raise it
tree {"path": "."}: nobody waits for it any more
tree {"path": "."}: the model should ask for less at a time
break : somebody should look at the log: internal error; the call was given up
rake : there is no such tool
`,
	} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			name, args, _ := strings.Cut(command, " ")
			program := filepath.Join(t.TempDir(), name)
			if out, err := exec.Command("go", "build", "-o", program, "./"+name).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			cmd := exec.Command(program, strings.Fields(args)...)
			cmd.Dir = filepath.Join("..", "testdata", "sample")
			out, err := cmd.CombinedOutput()
			where, _ := filepath.Abs(cmd.Dir)
			if diff := cmp.Diff(want, strings.ReplaceAll(string(out), where, "/sample")); diff != "" || err != nil {
				t.Errorf("%v (-want +got)\n%s", err, diff)
			}
		})
	}
}
