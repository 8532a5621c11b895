//go:build unix

package filesystem

import (
	"os"
	"path/filepath"
	"testing"

	"gander/internal/testkit/unprivileged"
	"gander/tool"
)

// TestUnreadableDirectory checks that reading an unreadable directory is denied.
func TestUnreadableDirectory(t *testing.T) {
	unprivileged.NewRunner(t).Run(t, func() {
		root := write(t, nil)
		shut := filepath.Join(root, "shut")
		if err := os.Mkdir(shut, 0o300); err != nil {
			t.Fatal(err)
		}
		tools := open(t, root)
		want := "EACCES: permission denied, open '" + shut + "'"
		for _, tt := range []struct {
			tool string
			args map[string]any
		}{
			{"read_text_file", map[string]any{"path": "shut"}},
			{"read_text_file", map[string]any{"path": "shut", "head": 1}},
			{"read_text_file", map[string]any{"path": "shut", "head": -1}},
			{"read_text_file", map[string]any{"path": "shut", "tail": 1}},
			{"read_text_file", map[string]any{"path": "shut", "tail": -1}},
			{"read_media_file", map[string]any{"path": "shut"}},
		} {
			_, failure := call(t, tools[tt.tool], tt.args, -1)
			if failure == nil || failure.Kind != tool.Denied || failure.Message != want {
				t.Errorf("%s %v: %v, want %s", tt.tool, tt.args, failure, want)
			}
		}
	})
}
