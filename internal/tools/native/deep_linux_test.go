package native

import (
	"fmt"
	"strings"
	"testing"

	"gander/internal/testkit/tooltest"
)

// TestDeepTree lists entries whose paths are much longer than their lines.
func TestDeepTree(t *testing.T) {
	root := t.TempDir()
	t.Chdir(root)
	deep := strings.Repeat("d", 250)
	for range 15 {
		write(t, ".", deep+"/")
		t.Chdir(deep)
	}
	for i := range 1500 {
		write(t, ".", fmt.Sprint(i))
	}
	f := newFiles(tooltest.Workspace(t, nil, root))
	r, err := bounded(t, f, "list_dir", "deep", map[string]any{"depth": 100}, 4)
	want := "\n" + strings.Repeat("  ", 15) + "1499"
	if err != nil || !strings.Contains(string(r.Parts[0].Text), want) {
		t.Errorf("%v, %.200v...", err, r)
	}
}
