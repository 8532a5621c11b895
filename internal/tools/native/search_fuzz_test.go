package native

import (
	"errors"
	"strings"
	"testing"

	"gander/internal/testkit/tooltest"
	"gander/tool"
)

// FuzzSearchArguments calls find_files and search_text with any arguments: they answer within the limit, or with an error that says
// what is wrong.
func FuzzSearchArguments(f *testing.F) {
	for _, seed := range []string{
		`{"pattern":"a","context":"7","limit":3,"offset":2,"output":"counts"}`, `{"pattern":"*.go","kind":"file","sort":"modified"}`,
		`{"query":"(","literal":true,"glob":"!{a,b}","path":"src:1:2"}`, `{"pattern":"[a-z]\\b","ignore_case":true,"context":1e9}`, `null`, `{"path":"~/../x"}`,
	} {
		f.Add(seed, 1000)
	}
	root := f.TempDir()
	write(f, root, "src/a.go", "src/b", "c.txt", ".gitignore", ".git/x")
	shared := newFiles(tooltest.Workspace(f, nil, root))
	f.Fuzz(func(t *testing.T, args string, limit int) {
		for _, called := range []tool.Tool{shared.tool("find_files"), shared.tool("search_text")} {
			result, err := called.Call(t.Context(), tool.Call{Args: []byte(args), Budget: tool.Budget{MaxOutputBytes: &limit}})
			if err != nil {
				if e, ok := errors.AsType[*tool.Error](err); !ok || e.Message == "" || strings.Contains(e.Message, "%!") {
					t.Errorf("%s: %v", args, err)
				}
				continue
			}
			if text := result.Text(); len(text) > limit || text == "" {
				t.Errorf("%s: %d bytes of at most %d", args, len(text), limit)
			}
		}
	})
}
