package native

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"gander/internal/registry"
	"gander/internal/testkit/tooltest"
	"gander/tool"
)

// FuzzArguments calls list_dir and read_file with any arguments: an answer keeps within its budget, is the same when repeated,
// and an error is one of the caller's or of the files, never of the tool.
func FuzzArguments(f *testing.F) {
	for _, args := range []string{
		``, `{}`, `{"path":"a.txt"}`, `{"path":"dir/","depth":3,"limit":"2"}`, `{"path":"a.txt:2:1","numbers":false}`, `{"file_path":"~/a.txt","offset":-2}`,
		`{"path":"file:///a","details":true}`, `{"path":"b\\n","block":2}`, `{"path":"a.txt","start_line":1,"end_line":2}`, `{"path":"long:1:3"}`, `{"tail":1e9,"path":"a.txt"}`,
		`{"path":null,"offset":99999999999999999999,"ignored":"true"}`, `{"path":"l@","recursive":true}`, `{"path":["x"]}`,
	} {
		f.Add(args, 0)
		f.Add(args, 150)
	}
	root := f.TempDir()
	for name, content := range map[string]string{
		"a.txt": "one\n\ttwo\n\t\tthree\r\nfour", "long": strings.Repeat("x é\r", 2000), "bin": "\x00", "dir/sub/x": "", "dir/y": "\xff", ".gitignore": "y\n", ".git/x": "", "utf16": "\xff\xfea\x00\n\x00",
	} {
		full := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			f.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(content), 0o644); err != nil {
			f.Fatal(err)
		}
	}
	_ = os.Symlink("dir/sub", filepath.Join(root, "l"))
	tools := New(tooltest.Workspace(f, nil, root), Settings{MaxChars: 2000, Home: root})
	f.Fuzz(func(t *testing.T, args string, limit int) {
		for _, each := range tools[:2] {
			c := tooltest.NewCaller(t, each, registry.Options{})
			result, failure := c.Call(args, limit%3000)
			if failure != nil {
				if failure.Kind == tool.Internal || !utf8.ValidString(failure.Message) || strings.ContainsAny(failure.Message, "\n\r") {
					t.Errorf("%s %s: %s: %q", c.ID, args, failure.Kind, failure.Message)
				}
				continue
			}
			if sizeOf(result.Text()).chars > 2000 || result.Text() == "" {
				t.Errorf("%s %s: an answer of %d characters", c.ID, args, len(result.Text()))
			}
			if again, _ := c.Call(args, limit%3000); again.Text() != result.Text() {
				t.Errorf("%s %s: another answer the second time", c.ID, args)
			}
		}
	})
}
