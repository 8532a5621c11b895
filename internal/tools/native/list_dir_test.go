package native

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gander/internal/registry"
	"gander/internal/testkit/tooltest"
	"gander/tool"
)

// toolOf returns a caller of the tool with this name over roots.
func toolOf(t *testing.T, s Settings, name string, deny []string, roots ...string) tooltest.Caller {
	t.Helper()
	tools := New(tooltest.Workspace(t, deny, roots...), s)
	i := slices.IndexFunc(tools, func(each tool.Tool) bool { return each.Spec().Name == name })
	return tooltest.NewCaller(t, tools[i], registry.Options{MaxDataBytes: 100})
}

// asked returns the text of an answer or of an error.
func asked(c tooltest.Caller, args string, limit int) string {
	c.T.Helper()
	result, failure := c.Call(args, limit)
	if failure != nil {
		return fmt.Sprintf("%s: %s", failure.Kind, failure.Message)
	}
	return result.Text()
}

// TestListDirPages follows the pages of a directory of more names than one pass keeps.
func TestListDirPages(t *testing.T) {
	root := t.TempDir()
	var want []string
	for i := range 1200 {
		name := fmt.Sprintf("file-%05d", i)
		want = append(want, name)
		if err := os.WriteFile(filepath.Join(root, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, chars := range []int{0, 200, 1000, 40000} {
		c := toolOf(t, Settings{MaxChars: chars}, "list_dir", nil, root)
		var got []string
		for offset := 1; ; {
			args, _ := json.Marshal(map[string]int{"offset": offset})
			text := asked(c, string(args), -1)
			if chars > 0 && sizeOf(text).chars > chars {
				t.Fatalf("%d characters: an answer of %d", chars, len(text))
			}
			lines := strings.Split(text, "\n")
			for _, line := range lines[1:] {
				if line[0] != '[' {
					got = append(got, line)
				}
			}
			next := 0
			if _, err := fmt.Sscanf(lines[0][strings.LastIndex(lines[0], "offset=")+1:],
				"ffset=%d", &next); err != nil {
				break
			}
			offset = next
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d characters: got %d entries", chars, len(got))
		}
	}
}
