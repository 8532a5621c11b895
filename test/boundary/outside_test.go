//go:build unix

package boundary

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/tool"
)

// TestOutsideErrorsEqual checks that a tool returns the same error for all outside paths that escape
// in the same way.
func TestOutsideErrorsEqual(t *testing.T) {
	outside := fixture.Make(
		t, "there/x", "file", "pipe|", "away => /etc", "dangling => none", "loop => loop",
	)
	root := fixture.Make(t,
		"in/", "dir => "+outside+"/there", "file => "+outside+"/file", "pipe => "+outside+"/pipe",
		"none => "+outside+"/none", "up => ../../../../../../../../..", "in/away => ../dir",
	)
	toolset := testkit.Open(t, gander.Options{Roots: []string{root}})
	for id, key := range testkit.PathArguments() {
		want := map[string]string{} // the result for each way to escape
		for _, path := range []string{
			"outside:" + outside, "outside:" + outside + "/there", "outside:" + outside + "/file",
			"outside:" + outside + "/file/x", "outside:" + outside + "/none", "outside:/",
			"outside:" + outside + "/pipe", "outside:" + outside + "/away",
			"outside:" + outside + "/away/passwd", "outside:" + outside + "/away/none",
			"outside:" + outside + "/dangling", "outside:" + outside + "/loop/x",
			"outside:" + root + "x", "outside:" + filepath.Dir(root), "outside:/proc/self/root",
			"outside:/no/such",
			"link:" + root + "/dir", "link:" + root + "/none", "link:" + root + "/dir/x",
			"link:" + root + "/dir/none", "link:" + root + "/dir/x/y", "link:" + root + "/none/x",
			"link:" + root + "/up", "link:" + root + "/up/etc", "link:" + root + "/up/none",
			"link:" + root + "/in/away", "link:" + root + "/in/away/x",
			"dots:" + root + "/../x", "dots:" + root + "/in/../../x",
			"dots:" + root + "/in/../../" + filepath.Base(outside),
		} {
			way, path, _ := strings.Cut(path, ":")
			if id == "toolkit/tree" &&
				(path == root+"/dir" || path == root+"/none" || path == root+"/up" || path == root+"/in/away") {
				way = "a link itself, which tree refuses"
			}
			result, err := testkit.Call(t, toolset, id, map[string]string{key: path})
			if err == nil && way == "link" && isDescription(id, result.Text()) {
				way, err = "a link itself, which list_dir describes", &tool.Error{Kind: tool.Outside}
				_, err.Message, _ = strings.Cut(result.Text(), ": ")
			}
			if err == nil {
				t.Errorf("%s of %s succeeds", id, path)
				continue
			}
			if _, reason, ok := strings.Cut(err.Message, " is a link that cannot be followed: "); ok &&
				isNative(id) {
				way, err.Message = "a link itself, which the native tools name", reason
			}
			got := fmt.Sprintf("%s %s %s %s", err.Kind, err.Code, err.Message, err.Display)
			got = hidePath(got)
			if id == "codex/grep_files" {
				got = strings.ReplaceAll(got, "`"+path+"`", "PATH") // messages repeat the path
			} else if isNative(id) {
				got = strings.Replace(got, path+" ", "PATH ", 1)
			}
			if want[way] == "" {
				want[way] = got
			}
			if got != want[way] || way == "link" && err.Kind != tool.Outside {
				t.Errorf("%s of %s\ngot  %s\nwant %s", id, path, got, want[way])
			}
		}
	}
}
