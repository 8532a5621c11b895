package native

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gander/internal/testkit/tooltest"
	"gander/tool"
)

var update = flag.Bool("update", false, "write the results to testdata/forms.txt")

// TestForms compares results of find_files and search_text with testdata/forms.txt. A line that
// begins with "> " is a call: the tool, the arguments, and the limit of the result in bytes, if any.
func TestForms(t *testing.T) {
	root := t.TempDir()
	write(t, root, ".git/config", "build/app.js", "docs/guide.md", "keys/server.pem",
		"src/empty.txt", "src/deep/down/note.md")
	for name, content := range map[string]string{
		".gitignore": "build/\n*.log\n",
		"app.log":    "greet\n",
		"src/greet.go": "package greet\n\n// Greet returns a greeting.\n" +
			"func Greet(name string) string {\n\treturn \"Hello, \" + name\n}\n\n" +
			"func unused() {}\n\n" +
			"// Again greets again.\nfunc Again() string { return Greet(\"again\") }\n",
		"src/[id].tsx":  "export const id = 1\r\n",
		"src/many.txt":  strings.Repeat("many\nfew\n", 30),
		"src/photo.png": "\x89PNG\x00greet",
		"src/bundle.js": strings.Repeat("var a=1;",
			200) + "greet()" + strings.Repeat(";b()", 200) + "\n",
		"src/utf16.txt":    "\xff\xfeg\x00r\x00e\x00e\x00t\x00!\x00\n\x00",
		"src/late.dat":     "greet\n" + strings.Repeat("text\n", 20_000) + "\x00greet\n",
		"src/odd\nname.md": "greet\n",
	} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(content), 0o600); err != nil {
			t.Skip("not all names can be made here: ", err)
		}
	}
	for i, name := range []string{"docs/guide.md", "src/many.txt", "src/greet.go"} {
		at := time.Now().Add(time.Duration(1+i) * time.Hour)
		if err := os.Chtimes(filepath.Join(root, name), at, at); err != nil {
			t.Fatal(err)
		}
	}
	f := newFiles(tooltest.Workspace(t, []string{"**/*.pem"}, root))
	want, err := os.ReadFile("testdata/forms.txt")
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for line := range strings.Lines(string(want)) {
		call, ok := strings.CutPrefix(line, "> ")
		if !ok {
			continue
		}
		got.WriteString(line)
		name, args, _ := strings.Cut(strings.TrimSpace(call), " ")
		var c tool.Call
		if args, limit, found := strings.Cut(args, "} "); found {
			bytes := 0
			if _, err := fmt.Sscan(limit, &bytes); err != nil {
				t.Fatal(err)
			}
			c = tool.Call{Args: []byte(args + "}"), Budget: tool.Budget{MaxOutputBytes: &bytes}}
		} else {
			c.Args = []byte(args)
		}
		result, err := f.tool(name).Call(t.Context(), c)
		if err != nil {
			fmt.Fprintf(&got, "error: %v\n\n", err)
			continue
		}
		fmt.Fprintf(&got, "%s\n\n", result.Text())
	}
	answers := strings.ReplaceAll(strings.TrimSuffix(got.String(), "\n"),
		f.workspace.Roots()[0], "ROOT")
	if *update {
		if err := os.WriteFile("testdata/forms.txt", []byte(answers), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if answers != string(want) {
		t.Errorf("the answers are\n%s", answers)
	}
}

// TestLineEnds checks that CRLF ends a line for a pattern, as for read_file.
func TestLineEnds(t *testing.T) {
	root := t.TempDir()
	put(t, root, "a.txt", "a\r\nreturn\r\n\r\nreturn x\r\n")
	c := toolOf(t, DefaultSettings(), "search_text", nil, root)
	for pattern, want := range map[string]string{
		"return$": "2\treturn", "^$": "3\t", `^a\\s*$`: "1\ta", `x\\r`: "4\treturn x",
	} {
		got := asked(c, `{"pattern":"`+pattern+`","context":0}`, -1)
		if got != "1 matching line in 1 file\na.txt\n"+want {
			t.Errorf("%s: %q, want %q", pattern, got, want)
		}
	}
}
