package list

import (
	"fmt"
	"strings"
	"testing"

	"gander/internal/native/call"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/nativetest"
	"gander/internal/testkit/tooltest"
)

// TestManyRules lists a tree of packages whose ignore files together are larger than those of one
// directory may be. The rules of all apply, and a file of rules that is too long is named.
func TestManyRules(t *testing.T) {
	root := fixture.Make(t, ".git/")
	rules := "node_modules\n" + strings.Repeat("# a comment that explains the rules\n", 130)
	files := map[string]string{"long/.gitignore": "x\n" + strings.Repeat("#", 512<<10), "long/x": ""}
	for i := range 120 {
		dir := fmt.Sprintf("p/%03d/", i)
		files[dir+".gitignore"] = rules
		files[dir+"sub/node_modules/f"] = ""
		files[dir+"node_modules/f"] = ""
	}
	fixture.Write(t, root, files)
	list := nativetest.Over(t, Tool, call.DefaultSettings(), root)
	got := tooltest.Output(list, `{"depth":5}`, -1)
	if strings.Contains(got, "node_modules") {
		t.Errorf("an ignored directory is shown: %.3000s", got)
	}
	for _, want := range []string{
		"\n  x\n", "\n[too long for ignore rules, so not applied: long/.gitignore]\n", "\n[240 ignored; ",
	} {
		if !strings.Contains(got+"\n", want) {
			t.Errorf("no %q in %.200s...%s", want, got, got[max(0, len(got)-300):])
		}
	}
}
