package native

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"gander/internal/testkit/tooltest"
	"gander/internal/toolset"
	"gander/tool"
)

// FuzzArguments calls the tools with any arguments. A result must be within its budget and the same
// when repeated, and an error must be the caller's or of the files, never of the tool.
func FuzzArguments(f *testing.F) {
	for _, args := range []string{
		``, `{}`, `null`, `{"path":"a.txt"}`, `{"path":"dir/","depth":3,"limit":"2"}`,
		`{"path":"a.txt:2:1","numbers":false}`, `{"file_path":"~/a.txt","offset":-2}`,
		`{"path":"file:///a","details":true}`, `{"path":"b\\n","block":2}`, `{"path":"long:1:3"}`,
		`{"path":"a.txt","start_line":1,"end_line":2}`, `{"tail":1e9,"path":"a.txt\ndir"}`,
		`{"path":null,"offset":99999999999999999999,"ignored":"true"}`, `{"path":["x"]}`,
		`{"path":"l@","recursive":true}`, `{"pattern":"*.go","kind":"file","sort":"modified"}`,
		`{"pattern":"a","context":"7","limit":3,"offset":2,"output":"counts"}`,
		`{"query":"(","literal":true,"glob":"!{a,b}","path":"src:1:2"}`,
		`{"pattern":"[a-z]\\b","ignore_case":true,"context":1e9,"output":"matches"}`,
	} {
		f.Add(args, 0)
		f.Add(args, 150)
	}
	root := f.TempDir()
	write(f, root, "dir/sub/x", ".git/x", "src/a.go", "src/b")
	for name, content := range map[string]string{
		"a.txt": "one\n\ttwo\n\t\tthree\r\nfour", "long": strings.Repeat("x é\r", 2000),
		"bin": "\x00", "dir/y": "\xff", ".gitignore": "y\n", "utf16": "\xff\xfea\x00\n\x00",
	} {
		put(f, root, name, content)
	}
	_ = os.Symlink("dir/sub", filepath.Join(root, "l"))
	tools := New(tooltest.Workspace(f, nil, root), Settings{MaxChars: 2000, Home: root})
	f.Fuzz(func(t *testing.T, args string, limit int) {
		for _, each := range tools {
			c := tooltest.NewCaller(t, each, toolset.Options{})
			result, failure := c.Call(args, limit%3000)
			if failure != nil {
				several := strings.Contains(args, `\n`)
				if failure.Kind == tool.Internal || !utf8.ValidString(failure.Message) ||
					strings.ContainsAny(failure.Message, "\n\r") && !several ||
					strings.Contains(failure.Message, "%!") && !strings.Contains(args, "%") {
					t.Errorf("%s %s: %s: %q", c.ID, args, failure.Kind, failure.Message)
				}
				continue
			}
			if sizeOf(result.Text()).chars > 2000 || result.Text() == "" {
				t.Errorf("%s %s: %d characters", c.ID, args, len(result.Text()))
			}
			if again, _ := c.Call(args, limit%3000); again.Text() != result.Text() {
				t.Errorf("%s %s: another result the second time", c.ID, args)
			}
		}
	})
}
