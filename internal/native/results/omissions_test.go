package results

import (
	"io/fs"
	"strings"
	"testing"

	"gander/internal/native/call"
	"gander/internal/testkit/tooltest"
)

// TestManyUnreadable checks that unreadable files are counted, and only the shown ones stored.
func TestManyUnreadable(t *testing.T) {
	e := &call.Environment{Workspace: tooltest.Workspace(t, nil, t.TempDir())}
	s := &Report{Call: e.NewCall(""), Shown: "."}
	const n = 10_000
	allocated := testing.AllocsPerRun(1, func() {
		for range n {
			s.AddUnreadable("directory", fs.ErrPermission)
		}
	})
	const want = "unreadable: directory (permission denied), directory (permission denied), " +
		"directory (permission denied), 19,997 more files and directories"
	if notes := s.Notes(t.Context()); !strings.Contains(notes, want) || allocated > 100 {
		t.Errorf("%.0f allocations, %s", allocated, notes)
	}
}
