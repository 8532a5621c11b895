package native

import (
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/rogpeppe/go-internal/txtar"

	"gander/internal/testkit/tooltest"
	"gander/tool"
)

var update = flag.Bool("update", false, "write the results to testdata")

// golden replaces each line of a file in testdata, which must not change the file.
func golden(t *testing.T, name string, replace func(line string) string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var got []byte
	for line := range strings.Lines(string(want)) {
		got = append(got, replace(line)...)
	}
	if *update {
		err = os.WriteFile(file, got, 0o600)
	} else if changes := diff.Diff(file, want, "now", got); changes != nil {
		err = fmt.Errorf("%s", changes)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// makeFiles writes the files of testdata/name to a root.
func makeFiles(t *testing.T, name, root string) {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		put(t, root, f.Name, string(f.Data))
	}
}

// replay compares results with a file in testdata. A line that begins with "> " is a call: the tool,
// the arguments, and the limit of the result in bytes, if any. ROOT and OTHER are the roots. The
// files of the first root follow.
func replay(t *testing.T, name string, deny []string, roots ...string) {
	t.Helper()
	e := newEnvironment(tooltest.Workspace(t, deny, roots...))
	var names []string
	for i, root := range roots {
		names = append(names, []string{"ROOT", "OTHER"}[i], filepath.ToSlash(root))
	}
	expand := strings.NewReplacer(names...)
	slices.Reverse(names)
	shorten := strings.NewReplacer(names...)
	inFiles := false
	golden(t, name, func(line string) string {
		call, ok := strings.CutPrefix(line, "> ")
		if inFiles = inFiles || strings.HasPrefix(line, "-- "); inFiles {
			return line
		} else if !ok {
			return ""
		}
		name, args, _ := strings.Cut(strings.TrimSpace(call), " ")
		limit := -1
		if before, after, found := strings.Cut(args, "} "); found {
			args = before + "}"
			limit, _ = strconv.Atoi(after)
		}
		text := output(e.caller(t, name), expand.Replace(args), limit)
		return line + shorten.Replace(text) + "\n\n"
	})
}

func TestSearchText(t *testing.T) {
	root := t.TempDir()
	makeFiles(t, "search.txt", root)
	write(t, root, ".git/config", "build/app.js", "docs/guide.md", "keys/server.pem",
		"src/empty.txt", "src/deep/down/note.md")
	for name, content := range map[string]string{
		"src/[id].tsx":  "export const id = 1\r\n",
		"src/many.txt":  strings.Repeat("many\nfew\n", 30),
		"src/photo.png": "\x89PNG\x00greet",
		"src/bundle.js": strings.Repeat("var a=1;", 200) + "greet()" +
			strings.Repeat(";b()", 200) + "\n",
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
	replay(t, "search.txt", []string{"**/*.pem"}, root)
}

func TestListDir(t *testing.T) {
	base := t.TempDir()
	root, other := filepath.Join(base, "repo"), filepath.Join(base, "other")
	write(t, root, ".git/config", ".gitignore", "src/main.go", "src/a.log",
		"src/sub/x/deep.go", "src/sub/y.go", "empty/", "logs/1.log", "a b", "secret/x", "z.txt")
	write(t, other, "one", "bare/.git/x")
	for link, to := range map[string]string{
		"dir": "src/sub", "file": "src/main.go", "out": "../outside", "gone": "nowhere",
	} {
		err := os.Symlink(to, filepath.Join(root, link))
		if _, missing := os.Readlink(filepath.Join(root, link)); missing != nil {
			t.Skip("no symlinks: ", err)
		}
	}
	changed := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	for _, p := range []string{"src/main.go", "src/sub", "z.txt"} {
		if err := os.Chtimes(filepath.Join(root, p), changed, changed); err != nil {
			t.Fatal(err)
		}
	}
	makeFiles(t, "list_dir.txt", root)
	replay(t, "list_dir.txt", []string{"secret/**"}, root, other)
}

func TestReadFile(t *testing.T) {
	root := t.TempDir()
	write(t, root, "dir/x", "secret/x")
	long := strings.Repeat("é", 2000) + strings.Repeat("b", 700)
	for name, content := range map[string]string{
		"ends": "a\r\nreturn\r\n\r\nreturn x\r\n", "empty": "", "open": "x\ny", "bin": "a\x00b",
		"be":  utf16Of(binary.BigEndian, "ä\n😀"),
		"odd": utf16Of(binary.LittleEndian, "a") + "\x00", "long": "first\n" + long + "\nlast\n",
		"logo.png": png, "big.png": png + strings.Repeat("x", 100), "doc.pdf": "%PDF-1.7\n",
		"flat":    strings.Repeat("\tx\n", 900),
		"bom.py":  "\ufeffdef f():\n\ta\n\ta\n\ta\n\tlast\r\n",
		"wide.py": "def f(" + strings.Repeat("a, ", 70) + "):\n\ta\n\ta\n\ta\n\tlast\n",
		// Its lines are not counted.
		"large": many(200_000, func(i int) string { return fmt.Sprintf("line %d of a large file", i+1) }),
	} {
		put(t, root, name, content)
	}
	for _, name := range []string{"read_file.txt", "block.txt"} {
		makeFiles(t, name, root)
		replay(t, name, []string{"secret/**"}, root)
	}
}

func TestFind(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no file names with line feeds")
	}
	base := t.TempDir()
	root, other := filepath.Join(base, "home", "repo"), filepath.Join(base, "other")
	write(t, root, "src/main.go", "src/a:1", "src/a", "a b.txt", "~x", "at@", "new\nline",
		`new\nline`, "src/sub/", "secret/x", "k.pem")
	write(t, other, "x/y.txt")
	write(t, base, "outside.txt")
	for link, to := range map[string]string{
		"link": "src/main.go", "dir": "src",
		"out": "../../outside.txt", "gone": "nowhere", "loop": "loop", "again": "link",
	} {
		if err := os.Symlink(to, filepath.Join(root, link)); err != nil {
			t.Skip("no symlinks: ", err)
		}
	}
	w := tooltest.Workspace(t, []string{"**/*.pem", "secret/**"}, root, other)
	e := &environment{workspace: w, settings: Settings{Home: filepath.Join(base, "home")}}
	for link, want := range map[string]string{
		"link": "src/main.go", "again": "src/main.go", "dir": "src/", "out": "", "gone": "", "loop": "",
	} {
		at, err := e.newCall(t).locate(link)
		if got := e.linkTarget(at); err != nil || got != want {
			t.Errorf("%s leads to %q, %v, want %q", link, got, err, want)
		}
	}
	expand := strings.NewReplacer("ROOT", root, "OTHER", other)
	shorten := strings.NewReplacer(root, "ROOT", other, "OTHER")
	golden(t, "paths.txt", func(line string) string {
		quoted, _, ok := strings.Cut(line, " => ")
		if !ok {
			return line
		}
		given, err := strconv.Unquote(`"` + quoted + `"`)
		if err != nil {
			t.Fatal(err)
		}
		found, err := e.newCall(t).find(expand.Replace(given))
		var got string
		if failure, ok := errors.AsType[*tool.Error](err); ok {
			got = failure.Message
		} else if got = e.show(found.location); found.linkErr != nil {
			got += " cannot be followed"
		} else if found.end != (pathEnd{}) {
			end := found.end
			got += fmt.Sprintf(" {%d %d %d}", end.line, end.column, end.last)
		}
		return quoted + " => " + shorten.Replace(got) + "\n"
	})
}

// TestNestedRoots checks that a path in the first root is relative to it, even if found through
// another root.
func TestNestedRoots(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the paths are those of Unix")
	}
	outer := t.TempDir()
	write(t, outer, "in/x", "y")
	e := &environment{workspace: tooltest.Workspace(t, nil, filepath.Join(outer, "in"), outer)}
	for rel, want := range map[string]string{
		".": outer, "y": outer + "/y", "in/x": "x", "in": outer + "/in",
	} {
		got := e.rawPath(1, rel)
		if _, err := e.newCall(t).find(got); err != nil || got != want {
			t.Errorf("%s: got %s, %v, want %s", rel, got, err, want)
		}
	}
}

func TestLiterals(t *testing.T) {
	for _, tt := range []struct{ given, exact, windows string }{
		{"src/a.txt", "src/a.txt", "src/a.txt"},
		{`src\x41.txt`, `src\x41.txt srcA.txt`, `src\x41.txt srcA.txt`},
		{`src\n.txt`, "src\n.txt src\\n.txt", "src\\n.txt src\n.txt"},
		{`src\q.txt`, `src\q.txt`, `src\q.txt`},
	} {
		exact := strings.Join(literals(tt.given, false), " ")
		windows := strings.Join(literals(tt.given, true), " ")
		if exact != tt.exact || windows != tt.windows {
			t.Errorf("%q: %q and on Windows %q", tt.given, exact, windows)
		}
	}
}
