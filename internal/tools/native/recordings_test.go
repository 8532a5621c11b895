package native

import (
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"gander/internal/testkit/tooltest"
	"gander/internal/toolset"
)

var update = flag.Bool("update", false, "write the results to testdata")

// A recording is the calls and results in a file of testdata, followed by files of the first root.
type recording struct {
	file    string
	archive *txtar.Archive
}

// readRecording reads testdata/name.txt, and writes its files to a root.
func readRecording(t *testing.T, name, root string) recording {
	t.Helper()
	r := recording{file: filepath.Join("testdata", name+".txt")}
	var err error
	if r.archive, err = txtar.ParseFile(r.file); err != nil {
		t.Fatal(err)
	}
	for _, f := range r.archive.Files {
		write(t, root, f.Name)
		put(t, root, f.Name, string(f.Data))
	}
	return r
}

// check compares results with the recording. A line that begins with "> " is a call: the tool, the
// arguments, and the limit of the result in bytes, if any. ROOT and OTHER are the roots.
func (r recording) check(t *testing.T, deny []string, roots ...string) {
	t.Helper()
	callers := map[string]tooltest.Caller{}
	for _, each := range New(tooltest.Workspace(t, deny, roots...), DefaultSettings()) {
		o := toolset.Options{MaxDataBytes: 100}
		callers[each.Spec().Name] = tooltest.NewCaller(t, each, o)
	}
	var names []string
	for i, root := range roots {
		names = append(names, []string{"ROOT", "OTHER"}[i], filepath.ToSlash(root))
	}
	expand := strings.NewReplacer(names...)
	slices.Reverse(names)
	shorten := strings.NewReplacer(names...)
	var got strings.Builder
	for line := range strings.Lines(string(r.archive.Comment)) {
		call, ok := strings.CutPrefix(line, "> ")
		if !ok {
			continue
		}
		tool, args, _ := strings.Cut(strings.TrimSpace(call), " ")
		limit := -1
		if before, after, found := strings.Cut(args, "} "); found {
			args = before + "}"
			limit, _ = strconv.Atoi(after)
		}
		text := output(callers[tool], expand.Replace(args), limit)
		fmt.Fprintf(&got, "%s%s\n\n", line, shorten.Replace(text))
	}
	if got.String() == string(r.archive.Comment) {
		return
	}
	if !*update {
		t.Fatalf("%s: the results are\n%s", r.file, got.String())
	}
	r.archive.Comment = []byte(got.String())
	if err := os.WriteFile(r.file, txtar.Format(r.archive), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestSearchText(t *testing.T) {
	root := t.TempDir()
	r := readRecording(t, "search", root)
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
	r.check(t, []string{"**/*.pem"}, root)
}

func TestListDir(t *testing.T) {
	base := t.TempDir()
	root, other := filepath.Join(base, "repo"), filepath.Join(base, "other")
	write(t, root, ".git/config", ".gitignore", "src/main.go", "src/a.log",
		"src/sub/x/deep.go", "src/sub/y.go", "empty/", "logs/1.log", "a b", "secret/x", "z.txt")
	write(t, other, "one", "bare/.git/x")
	for link, to := range map[string]string{
		"dir": "src/sub", "file": "src/main.go",
		"out": "../outside", "gone": "nowhere",
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
	readRecording(t, "list_dir", root).check(t, []string{"secret/**"}, root, other)
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
		"flat": strings.Repeat("\tx\n", 900),
	} {
		put(t, root, name, content)
	}
	readRecording(t, "read_file", root).check(t, []string{"secret/**"}, root)
	readRecording(t, "block", root).check(t, []string{"secret/**"}, root)
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
	list := newFiles(tooltest.Workspace(t, nil, root)).tool("list_dir")
	for _, budget := range []int{200, 1000, 40_000} {
		got := pages(t, list, map[string]any{}, func() int { return budget })
		if !slices.Equal(got, want) {
			t.Errorf("%d bytes: got %d entries", budget, len(got))
		}
	}
}
