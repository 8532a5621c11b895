package cli

import (
	"strings"
	"testing"
	"time"
)

// TestShutdownTimeout checks that only the server has time to finish calls, wherever its flags are.
func TestShutdownTimeout(t *testing.T) {
	for args, want := range map[string]time.Duration{
		"mcp": 15 * time.Second, "--root . mcp --http 80": 15 * time.Second,
		"": time.Second, "read mcp": time.Second, "call read_file - --deny mcp": time.Second,
		"no mcp": time.Second,
	} {
		if got := ShutdownTimeout(strings.Fields(args)); got != want {
			t.Errorf("%q: %v, want %v", args, got, want)
		}
	}
}
