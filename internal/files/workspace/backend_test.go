package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"gander/internal/testkit/fixture"
	"gander/internal/testkit/handles"
)

// onEach runs a test on every backend, and checks that it leaves no handle open.
func onEach(t *testing.T, body func(t *testing.T, b backend)) {
	for _, b := range testBackends() {
		before := handles.Count(t)
		t.Run(b.name, func(t *testing.T) { body(t, b.backend) })
		CheckHandles(t, before, b.name)
	}
}

// checkTrees checks the scenarios of an archive: file trees with their roots, w and v by default,
// deny patterns, and an error of [Open] or a list for [checkLooks] after an empty line. Lists are
// separated by ", " or newlines.
func checkTrees(t *testing.T, archive string) {
	for _, scenario := range Must(txtar.ParseFile("testdata/" + archive + ".txtar")).Files {
		t.Run(scenario.Name, func(t *testing.T) {
			head, looks, _ := strings.Cut(string(scenario.Data), "\n\n")
			tree := map[string][]string{}
			for line := range strings.Lines(head) {
				key, list, _ := strings.Cut(strings.TrimSpace(line), " ")
				tree[key] = append(tree[key], items(list)...)
			}
			if _, unix := tree["unix"]; unix && runtime.GOOS == "windows" {
				t.Skip("Windows has other paths")
			}
			roots, ok := tree["roots"]
			if !ok {
				roots, tree["files"] = []string{"w", "v"}, append(tree["files"], "w/", "v/")
			}
			for _, chain := range tree["chain"] {
				dir, target, _ := strings.Cut(chain, " ")
				tree["files"] = append(tree["files"], linkChain(dir, target, maxLinks+1)...)
			}
			top := fixture.Make(t, tree["files"]...)
			for i, dir := range roots {
				if roots[i] = top + "/" + dir; strings.HasPrefix(dir, "/") {
					roots[i] = dir
				}
			}
			var o Options
			for _, pattern := range tree["deny"] {
				o.Deny = append(o.Deny, strings.ReplaceAll(pattern, "{root}", top))
			}
			onEach(t, func(t *testing.T, b backend) {
				if want := tree["error"]; want != nil {
					if w, err := open(native(), b, o, roots...); err == nil || w != nil ||
						!strings.Contains(err.Error(), want[0]) {
						t.Errorf("got %v, %v; want %q in the error", w, err, want)
					}
					return
				}
				checkLooks(t, mustOpen(t, b, o, roots...), top, looks)
			})
		})
	}
}

// items splits a list. An item may be quoted as in Go.
func items(list string) []string {
	var all []string
	for line := range strings.Lines(list) {
		for item := range strings.SplitSeq(strings.TrimRight(strings.TrimSpace(line), ","), ", ") {
			if quoted, err := strconv.Unquote(item); err == nil {
				item = quoted
			}
			if item != "" {
				all = append(all, item)
			}
		}
	}
	return all
}

// checkLooks checks a list of "path = result". {root} in a path is top. The result is the content
// of a file, which is its path in the fixture, the root's index and path of a directory, or an
// error. A bar separates different results of File and Dir. A different kind or error from Stat
// follows after a space, and "@" marks a symlink.
//
// For example, in "a/f = a/f, a = 0:a, to = a/f @, p = !notreg|!notdir other, k.pem = !denied", a/f
// is a file with this content, a is a directory of the first root, to is a symlink to a/f, p is a
// FIFO, which can be described but not opened, and k.pem is denied.
func checkLooks(t *testing.T, w *Workspace, top, looks string) {
	t.Helper()
	for _, item := range items(looks) {
		path, result, ok := strings.Cut(item, " = ")
		if !ok {
			t.Fatalf("not a look: %s", item)
		}
		if quoted, err := strconv.Unquote(path); err == nil {
			path = quoted
		}
		path = strings.ReplaceAll(path, "{root}", top)
		result, link := strings.CutSuffix(result, " @")
		open, stat, _ := strings.Cut(result, " ")
		file, dir, both := strings.Cut(open, "|")
		switch {
		case both:
		case strings.HasPrefix(open, "!"):
			dir, stat = open, cmp.Or(stat, open)
		case strings.Contains(open, ":"):
			file, dir, stat = "!isdir", open, cmp.Or(stat, "dir")
		default:
			dir, stat = "!notdir", cmp.Or(stat, "file")
		}
		lstat := stat
		if link {
			lstat = "link"
		}
		for _, method := range []struct {
			name string
			look func(*Workspace, string) (string, error)
			want string
		}{
			{"File", lookFile, file},
			{"Dir", lookDir, dir},
			{"Stat", lookStat, stat},
			{"Lstat", lookLstat, lstat},
		} {
			got, err := method.look(w, path)
			if err != nil {
				got = word(err)
				if strings.Contains(err.Error(), "/") && !errors.Is(err, ErrDenied) {
					t.Errorf("%s of %.100q: the error contains a path: %v", method.name, path, err)
				}
			}
			if got != method.want {
				t.Errorf("%s of %.100q: got %.100q, want %q", method.name, path, got, method.want)
			}
		}
	}
}

// checkFiles checks the results of opening files, by the expected error.
func checkFiles(t *testing.T, w *Workspace, results map[error][]string) {
	t.Helper()
	for want, paths := range results {
		for _, path := range paths {
			if _, err := lookFile(w, path); !errors.Is(err, want) {
				t.Errorf("%.100q, %d bytes: got %v, want %v", path, len(path), err, want)
			}
		}
	}
}

// word is the short form of an error in a table.
func word(err error) string {
	if err == nil {
		return "!none"
	}
	for _, e := range []struct {
		err  error
		word string
	}{
		{ErrOutside, "!outside"},
		{ErrDenied, "!denied"},
		{ErrNotDirectory, "!notdir"},
		{ErrIsDirectory, "!isdir"},
		{ErrNotRegular, "!notreg"},
		{ErrLoop, "!loop"},
		{ErrBadPath, "!bad"},
		{fs.ErrNotExist, "!missing"},
		{fs.ErrPermission, "!forbidden"},
		{fs.ErrClosed, "!closed"},
		{syscall.ENAMETOOLONG, "!toolong"},
	} {
		if errors.Is(err, e.err) {
			return e.word
		}
	}
	return "!" + err.Error()
}

func lookFile(w *Workspace, path string) (string, error) {
	p, err := w.Find(context.Background(), path)
	if err != nil {
		return "", err
	}
	f, err := p.File()
	if err != nil {
		return "", err
	}
	return contentOf(f)
}

// readAt returns the content of the file at path, or the short form of an error.
func readAt(w *Workspace, path string) string {
	content, err := lookFile(w, path)
	if err != nil {
		return word(err)
	}
	return content
}

// closed closes c, if it could be opened.
func closed[T io.Closer](c T, err error) error {
	if err != nil {
		return err
	}
	return c.Close()
}

// contentOf reads the whole file and closes it.
func contentOf(f *File) (string, error) {
	info, err := f.Info()
	if err != nil {
		return "", err
	}
	content, err := io.ReadAll(io.NewSectionReader(f, 0, info.Size+1))
	return string(content), errors.Join(err, f.Close())
}

func lookDir(w *Workspace, path string) (string, error) {
	d, err := find(w, path)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d:%s", d.Root(), d.Path()), d.Close()
}

// find opens a directory.
func find(w *Workspace, path string) (*Dir, error) {
	p, err := w.Find(context.Background(), path)
	if err != nil {
		return nil, err
	}
	return p.Dir()
}

func mustFind(t testing.TB, w *Workspace, path string) *Dir {
	t.Helper()
	d := Must(find(w, path))
	t.Cleanup(func() { _ = d.Close() })
	return d
}

func lookStat(w *Workspace, path string) (string, error) {
	return describe(w, path, Location.Stat)
}

func lookLstat(w *Workspace, path string) (string, error) {
	return describe(w, path, Location.Lstat)
}

func describe(w *Workspace, path string, look func(Location) (Info, error)) (string, error) {
	p, err := w.Find(context.Background(), path)
	if err != nil {
		return "", err
	}
	info, err := look(p)
	return []string{"", "file", "dir", "link", "other"}[info.Kind], err
}

// marks are the marks of entries in a list of names.
var marks = [...]string{Unknown: "?", Regular: "", Directory: "/", Symlink: "@", Other: "|"}

// namesOf returns all names in the directory with their marks, sorted.
func namesOf(d *Dir) ([]string, error) {
	var names []string
	err := d.Names(context.Background(), func(name []byte, kind EntryKind) bool {
		names = append(names, string(name)+marks[kind])
		return true
	})
	slices.Sort(names)
	return names, err
}

// run executes a shell command in dir.
func run(t *testing.T, dir, command string) {
	t.Helper()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell: ", err)
	}
	c := exec.Command(sh, "-ec", command)
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", command, err, out)
	}
}

// CheckHandles checks that the number of open files is unchanged.
func CheckHandles(t testing.TB, before int, what string) {
	t.Helper()
	if after := handles.Count(t); after != before {
		t.Errorf("%s: %d handles are left open", what, after-before)
	}
}

// linkChain returns n symlinks in dir, called 1 to n. Each points to its predecessor, the first to
// target.
func linkChain(dir, target string, n int) []string {
	entries := []string{dir + "/1 => " + target}
	for i := 2; i <= n; i++ {
		entries = append(entries, fmt.Sprintf("%s/%d => %d", dir, i, i-1))
	}
	return entries
}

func TestInfo(t *testing.T) {
	names := []string{"file", "dir", "link", "pipe", "socket", "."}
	entries := []string{"file", "dir/", "link => file", "pipe|", "socket="}
	if runtime.GOOS == "windows" {
		names, entries = names[:3], entries[:3]
	}
	root := fixture.Make(t, entries...)
	onEach(t, func(t *testing.T, b backend) {
		w := mustOpen(t, b, Options{}, root)
		d := mustFind(t, w, "")
		for _, name := range names {
			want := Must(os.Lstat(root + "/" + name))
			p := Must(w.Find(context.Background(), name))
			for method, look := range map[string]func() (Info, error){
				"Location.Lstat": p.Lstat,
				"Dir.Lstat":      func() (Info, error) { return d.Lstat(name) },
			} {
				got, err := look()
				if err != nil || got.Kind != kindOf(want.Mode()) || got.Size != want.Size() ||
					!got.ModTime.Equal(want.ModTime()) {
					t.Errorf("%s of %s: got %v, %v; want %v", method, name, got, err, want)
				}
			}
		}
		f := Must(d.File("file", Unknown))
		defer f.Close()
		if info, err := f.Info(); err != nil || info.Kind != Regular || info.Size != 4 {
			t.Errorf("the open file is %v, %v", info, err)
		}
		buf := make([]byte, 3)
		if n, err := f.ReadAt(buf, 2); n != 2 || err != io.EOF || string(buf[:n]) != "le" {
			t.Errorf("reading at 2: %q, %v", buf[:n], err)
		}
		if info, err := d.Stat(t.Context(), "link"); err != nil || info.Kind != Regular {
			t.Errorf("Dir.Stat of a link: %v, %v", info, err)
		}
	})
}
