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

	"gander/internal/documents/office"
	"gander/internal/native/call"
	"gander/internal/native/lookup"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/nativetest"
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
		tooltest.Put(t, root, f.Name, string(f.Data))
	}
}

// replay compares results with a file in testdata. A line that begins with "> " is a call: the
// tool, the arguments, and the limit of the result in bytes, if any. Of a call after ">> " it has
// only the first line of the result. ROOT and OTHER are the roots. The files of the first root
// follow.
func replay(t *testing.T, name string, deny []string, roots ...string) {
	t.Helper()
	e := nativetest.Environment(tooltest.Workspace(t, deny, roots...))
	e.Settings.Documents = office.Formats()
	var names []string
	for i, root := range roots {
		names = append(names, []string{"ROOT", "OTHER"}[i], filepath.ToSlash(root))
	}
	expand := strings.NewReplacer(names...)
	slices.Reverse(names)
	shorten := strings.NewReplacer(names...)
	inFiles := false
	golden(t, name, func(line string) string {
		mark, call, _ := strings.Cut(line, " ")
		if inFiles = inFiles || mark == "--"; inFiles {
			return line
		} else if mark != ">" && mark != ">>" {
			return ""
		}
		name, args, _ := strings.Cut(strings.TrimSpace(call), " ")
		limit := -1
		if before, after, found := strings.Cut(args, "} "); found {
			args = before + "}"
			limit, _ = strconv.Atoi(after)
		}
		text := tooltest.Output(callerIn(t, e, name), expand.Replace(args), limit)
		if mark == ">>" {
			text, _, _ = strings.Cut(text, "\n")
		}
		return line + shorten.Replace(text) + "\n\n"
	})
}

func TestSearchText(t *testing.T) {
	root := t.TempDir()
	makeFiles(t, "search.txt", root)
	tooltest.Write(t, root, ".git/config", "build/app.js", "docs/guide.md", "keys/server.pem",
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
	tooltest.Write(t, root, ".git/config", ".gitignore", "src/main.go", "src/a.log",
		"src/sub/x/deep.go", "src/sub/y.go", "empty/", "logs/1.log", "a b", "secret/x", "z.txt")
	tooltest.Write(t, other, "one", "bare/.git/x")
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
	tooltest.Write(t, root, "dir/x", "secret/x")
	long := strings.Repeat("é", 2000) + strings.Repeat("b", 700)
	for name, content := range map[string]string{
		"ends": "a\r\nreturn\r\n\r\nreturn x\r\n", "empty": "", "open": "x\ny", "bin": "a\x00b",
		"be":  tooltest.UTF16(binary.BigEndian, "ä\n😀"),
		"odd": tooltest.UTF16(binary.LittleEndian, "a") + "\x00", "long": "first\n" + long + "\nlast\n",
		"logo.png": tooltest.PNG, "big.png": tooltest.PNG +
			strings.Repeat("x", 100), "doc.pdf": "%PDF-1.7\n",
		"flat":    strings.Repeat("\tx\n", 900),
		"bom.py":  "\ufeffdef f():\n\ta\n\ta\n\ta\n\tlast\r\n",
		"wide.py": "def f(" + strings.Repeat("a, ", 70) + "):\n\ta\n\ta\n\ta\n\tlast\n",
		"big.go": "package p\n\n// F is long.\nfunc F(\n\ta int,\n) {\n" + strings.Repeat("\tx()\n", 600) +
			"\thit()\n" + strings.Repeat("\tx()\n", 100) + "\thit()\n}\n\nvar missed = 1\n",
		"long.js": strings.Repeat("x", 3000) + "\nshort\n",
		"many.js": strings.Repeat("function f() {\n  x();\n  y;\n  x();\n}\n", 3),
		// Its lines are not counted.
		"large": tooltest.Many(200_000,
			func(i int) string { return fmt.Sprintf("line %d of a large file", i+1) }),
	} {
		tooltest.Put(t, root, name, content)
	}
	for _, name := range []string{"read_file.txt", "block.txt", "ranges.txt"} {
		makeFiles(t, name, root)
		replay(t, name, []string{"secret/**"}, root)
	}
}

// TestElsewhere looks for missing files whose names exist elsewhere. A path that cannot be opened
// is never suggested.
func TestElsewhere(t *testing.T) {
	if testing.Short() {
		t.Skip("a survey ends early where files are slow, as under Wine")
	}
	base := fixture.Make(t, "outside.txt", "repo/out.txt => ../outside.txt",
		"repo/a/link.go => ../c/cli.go")
	makeFiles(t, "missing.txt", base+"/repo")
	replay(t, "missing.txt", []string{"**/*.pem", "secret/**"}, base+"/repo")
}

// TestCalls makes calls of all tools.
func TestCalls(t *testing.T) {
	root := t.TempDir()
	makeFiles(t, "calls.txt", root)
	replay(t, "calls.txt", nil, root)
}

// TestDocuments reads documents by line, by mark and by block, and files that look like documents.
func TestDocuments(t *testing.T) {
	root := t.TempDir()
	for name, content := range map[string]string{
		"n.ipynb": tooltest.Notebook(3), "a.docx": tooltest.WordDocument("First paragraph.", "Second."),
		"b.ods": tooltest.Spreadsheet("Summary", "1", "2"), "archive.zip": "PK\x03\x04 and nothing more",
		"truncated.odt": tooltest.WordDocument("x")[:200],
	} {
		tooltest.Put(t, root, name, content)
	}
	makeFiles(t, "read_documents.txt", root)
	replay(t, "read_documents.txt", nil, root)
}

// TestSearchDocuments checks what a search says of documents, and what it finds in them.
func TestSearchDocuments(t *testing.T) {
	root := t.TempDir()
	for name, content := range map[string]string{
		"a.docx":    tooltest.WordDocument("The first word.", "No match.", "The last word."),
		"b/n.ipynb": tooltest.Notebook(3), "bad.odt": tooltest.WordDocument("x")[:200],
		"d/only.docx": tooltest.WordDocument("word"), "e/x.bin": "word \x00",
		"e/image.docx": "PK\x03\x04 word \x00",
		"f.ipynb": "{\"x\":[\ntrue,\n" + strings.Repeat("  1,\n", 20) + "2]," +
			tooltest.Notebook(3)[1:],
	} {
		tooltest.Put(t, root, name, content)
	}
	makeFiles(t, "search_documents.txt", root)
	replay(t, "search_documents.txt", nil, root)
	plain := toolOf(t, call.DefaultSettings(), "search_text", root)
	for args, want := range map[string]string{
		`{"pattern":"\"print.2","output":"files","glob":"!f.*"}`: "1 matching file; 5 binary skipped\n" +
			"b/n.ipynb",
		`{"pattern":"x","documents":true}`: "bad_arguments: documents cannot be true: no formats of " +
			"documents are known here; leave it out",
	} {
		if got := tooltest.Output(plain, args, -1); got != want {
			t.Errorf("without formats:\n%s\nwant\n%s", got, want)
		}
	}
}

func TestFind(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no file names with line feeds")
	}
	base := t.TempDir()
	root, other := filepath.Join(base, "home", "repo"), filepath.Join(base, "other")
	tooltest.Write(t, root, "src/main.go", "src/a:1", "src/a", "a b.txt", "~x", "at@", "new\nline",
		`new\nline`, "src/sub/", "secret/x", "k.pem")
	tooltest.Write(t, other, "x/y.txt")
	tooltest.Write(t, base, "outside.txt")
	for link, to := range map[string]string{
		"link": "src/main.go", "dir": "src",
		"out": "../../outside.txt", "gone": "nowhere", "loop": "loop", "again": "link",
	} {
		if err := os.Symlink(to, filepath.Join(root, link)); err != nil {
			t.Skip("no symlinks: ", err)
		}
	}
	w := tooltest.Workspace(t, []string{"**/*.pem", "secret/**"}, root, other)
	e := &call.Environment{Workspace: w, Settings: call.Settings{Home: filepath.Join(base, "home")}}
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
		found, err := e.NewCall("").Paths.Find(t.Context(), expand.Replace(given))
		var got string
		if failure, ok := errors.AsType[*tool.Error](err); ok {
			got = failure.Message
		} else if got = e.NewCall("").Paths.Show(found.Location); found.LinkErr != nil {
			got += " cannot be followed"
		} else if found.End != (lookup.PathEnd{}) {
			end := found.End
			got += fmt.Sprintf(" {%d %d %d}", end.Line, end.Column, end.Last)
		}
		return quoted + " => " + shorten.Replace(got) + "\n"
	})
}
