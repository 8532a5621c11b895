package list

import (
	"strings"
	"testing"

	"gander/internal/native/call"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/nativetest"
	"gander/internal/testkit/tooltest"
)

// TestAlike checks that the heading about a directory or a file of another name than the path given
// says that it is the only one alike.
func TestAlike(t *testing.T) {
	root := fixture.Make(t, "l’été/file.txt")
	list := nativetest.Over(t, Tool, call.DefaultSettings(), root)
	for path, want := range map[string]string{
		"l'été":          "l’été/ (the only name like l'été): 1 entry",
		"l'été/file.txt": "l’été/file.txt (the only name like l'été/file.txt): text",
		"l’été":          "l’été/: 1 entry",
	} {
		got := tooltest.Output(list, `{"path":"`+path+`"}`, -1)
		if !strings.HasPrefix(got, want) {
			t.Errorf("%s: %.200s, want %s", path, got, want)
		}
	}
}
