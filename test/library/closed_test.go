package library

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/tool"
)

// TestClosedDuringCall closes a toolset before a search starts to read. The search must fail
// instead of finding nothing.
func TestClosedDuringCall(t *testing.T) {
	root := fixture.Make(t, "d/match")
	for id, args := range map[string]string{
		"codex/grep_files":        `{"pattern":"match"}`,
		"filesystem/search_files": fmt.Sprintf(`{"path":%q,"pattern":"**/match"}`, root),
		"gander/search_text":      `{"pattern":"match"}`,
		"gander/list_dir":         `{}`,
	} {
		var ts *gander.Toolset
		ts = testkit.Open(t, gander.Options{Roots: []string{root}, Middleware: []tool.Middleware{
			func(_ tool.Spec, next tool.Handler) tool.Handler {
				return func(ctx context.Context, c tool.Call) (tool.Result, error) {
					_ = ts.Close()
					return next(ctx, c)
				}
			},
		}})
		for range 2 {
			if result, err := ts.Call(t.Context(), id, []byte(args)); !errors.Is(err, tool.ErrClosed) {
				t.Errorf("%s: %q, %v", id, result.Text(), err)
			}
		}
	}
}
