package text

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"testing"
)

// askNode runs script in Node.js with questions, as JSON, for its standard input, and reads what it prints into answers.
func askNode(t *testing.T, script string, questions, answers any) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("needs node, the program compared with: ", err)
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
