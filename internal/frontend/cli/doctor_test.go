//go:build unix

package cli

import (
	"testing"

	"gander"
	"gander/internal/frontend/config"
)

// The limits that doctor shows where nothing is configured are those that the example configuration states.
func TestLimitsAreTheDefaults(t *testing.T) {
	example, err := config.Load(config.Sources{File: "../../../gander.example.toml"})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := limitsOf(gander.Limits{}), limitsOf(example.Options.Limits); got != want {
		t.Errorf("%+v, not %+v", got, want)
	}
	if got := limitsOf(gander.Limits{MaxOutputBytes: -1, Timeout: -1, MemoryBytes: -1, MaxCalls: 1}); got != (limits{MaxCalls: 1}) {
		t.Errorf("without limits: %+v", got)
	}
}

func TestPortable(t *testing.T) {
	for _, row := range []struct{ path, here, want string }{
		{"/p", "", "/p"},
		{"/p", ".", "."},
		{"/p/a/b", ".", "a/b"},
		{"/p", "${workspaceFolder}", "${workspaceFolder}"},
		{"/p/a/../b", "${workspaceFolder}", "${workspaceFolder}/b"},
		{"/q", ".", "/q"},
		{"/", "${workspaceFolder}", "/"},
		{"/pq", ".", "/pq"},
		{"/p/..a", ".", "..a"},
		{"${X}/a", "", "${X}/a"},
	} {
		if got, err := portable(row.path, "/p", row.here); err != nil || got != row.want {
			t.Errorf("%+v: %v, %q", row, err, got)
		}
	}
}
