package cli

import (
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"
)

// TestShutdown checks that only the server has time to finish calls, wherever its flags are.
func TestShutdown(t *testing.T) {
	for args, want := range map[string]time.Duration{
		"mcp": 15 * time.Second, "--root . mcp --http 80": 15 * time.Second,
		"": time.Second, "read mcp": time.Second, "call read_file - --deny mcp": time.Second,
		"no mcp": time.Second,
	} {
		isServer, got := Shutdown(strings.Fields(args))
		if got != want || isServer != (want > time.Second) {
			t.Errorf("%q: %v, %t, want %v", args, got, isServer, want)
		}
	}
}

// TestTitles checks that each tool has a title in words, and the hint that it only reads.
func TestTitles(t *testing.T) {
	var out strings.Builder
	code := run(t.Context(), []string{"tools", "--tools", "all"}, nil, &out, io.Discard)
	if code != exitOK {
		t.Fatalf("exit code %d", code)
	}
	var tools []struct {
		Name, Title string
		Annotations struct{ ReadOnlyHint, DestructiveHint, OpenWorldHint *bool }
	}
	if err := json.Unmarshal([]byte(out.String()), &tools); err != nil || len(tools) < 20 {
		t.Fatalf("%d tools, %v", len(tools), err)
	}
	for _, tool := range tools {
		is := func(hint *bool, want bool) bool { return hint != nil && *hint == want }
		hints := tool.Annotations
		if tool.Title == "" || strings.ContainsAny(tool.Title, "_/") || !is(hints.ReadOnlyHint, true) ||
			!is(hints.DestructiveHint, false) || !is(hints.OpenWorldHint, false) {
			t.Errorf("%s: %+v", tool.Name, tool)
		}
	}
}
