// Package node runs scripts in Node.js for tests that compare with it.
package node

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"testing"

	"gander/internal/testkit/fixture"
)

// Ask runs a script, whose variable questions contains the questions, and decodes its JSON output
// into answers. It skips the test if Node.js is missing.
func Ask(t testing.TB, script string, questions, answers any) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("needs node, the program compared with: ", err)
	}
	in, err := json.Marshal(questions)
	fixture.Must(t, err)
	const input = `const questions = JSON.parse(require("fs").readFileSync(0, "utf8"));`
	cmd := exec.CommandContext(t.Context(), node, "-e", input+script)
	cmd.Stdin = bytes.NewReader(in)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node: %v", err)
	}
	if err := json.Unmarshal(out, answers); err != nil {
		t.Fatalf("node printed no JSON: %v", err)
	}
}
