package text

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"testing"
)

// askNode runs a script in Node.js. The script finds the questions in a variable of that name, and
// prints the answers as JSON.
func askNode(t *testing.T, script string, questions, answers any) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	in, err := json.Marshal(questions)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), node, "-e",
		`const questions = JSON.parse(require("fs").readFileSync(0, "utf8"));`+script)
	cmd.Stdin = bytes.NewReader(in)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node: %v", err)
	}
	if err := json.Unmarshal(out, answers); err != nil {
		t.Fatalf("node printed no JSON: %v", err)
	}
}
