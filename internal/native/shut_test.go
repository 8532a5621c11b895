package native

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"gander/internal/native/call"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/tooltest"
	"gander/internal/testkit/unprivileged"
	"gander/tool"
)

// TestShutDirectories lists a tree with directories that cannot be entered. Results name them, and
// say that something was not read unless it is only denied.
func TestShutDirectories(t *testing.T) {
	unprivileged.NewRunner(t).Run(t, func() {
		root := fixture.Make(
			t, "a/.ssh/id", "a/f", "b/shut/f", "b/shut/ 0000", ".ssh/id", "c/unread 0000",
		)
		w := tooltest.Workspace(t, []string{"**/.ssh/**"}, root)
		e := &call.Environment{Workspace: w, Settings: call.DefaultSettings()}
		everything := strings.Fields(".ssh/ a/ a/.ssh/ a/f b/ b/shut/ c/ c/unread")
		for _, tt := range []struct {
			tool, args string
			unreadable bool
			want       []string
		}{
			{"list_dir", `{"depth":9}`, true, everything},
			{"list_dir", `{"depth":9,"path":"a"}`, false, []string{"a/.ssh/", "a/f"}},
			{"find_files", `{}`, true, everything},
			{"find_files", `{"sort":"modified"}`, true, everything},
			{"find_files", `{"pattern":"shut"}`, true, []string{"b/shut/"}},
			{"find_files", `{"kind":"directory","path":"a"}`, false, []string{"a/.ssh/"}},
			{"find_files", `{"pattern":"absent"}`, true, nil},
			{"search_text", `{"pattern":"absent"}`, true, nil},
			{"search_text", `{"pattern":"absent","path":"c"}`, true, nil},
			{"search_text", `{"pattern":"absent","path":"a"}`, false, nil},
			{"search_text", `{"pattern":"absent","path":"a\nnone"}`, true, nil},
			{"search_text", `{"pattern":"absent","path":"a\na"}`, false, nil},
		} {
			nt := toolIn(e, tt.tool)
			ctx := context.Background()
			result, err := nt.Call(ctx, tool.Call{Args: json.RawMessage(tt.args)})
			if err != nil || result.Unreadable != tt.unreadable {
				t.Errorf("%s %s: unreadable %t, error %v", tt.tool, tt.args, result.Unreadable, err)
			}
			for _, want := range tt.want {
				name := want[strings.LastIndex(strings.TrimSuffix(want, "/"), "/")+1:]
				if !strings.Contains(result.Text(), name) {
					t.Errorf("%s %s: no %s in\n%s", tt.tool, tt.args, want, result.Text())
				}
			}
		}
	})
}
