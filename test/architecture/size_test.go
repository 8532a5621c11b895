package architecture

import (
	"bytes"
	"os/exec"
	"testing"
)

// TestPublicInterfaceIsSmall bounds what a user of the library has to read.
func TestPublicInterfaceIsSmall(t *testing.T) {
	const most = 295
	lines := 0
	for _, folder := range []string{".", "./tool", "./mcpserver"} {
		cmd := exec.Command("go", "doc", "-all", folder)
		cmd.Dir = "../.."
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		lines += bytes.Count(out, []byte("\n"))
	}
	if lines < most/2 || lines > most {
		t.Errorf("go doc -all prints %d lines, not at most %d", lines, most)
	}
}
