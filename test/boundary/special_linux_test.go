package boundary

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/tool"
)

// quickly is the timeout of calls that have nothing to wait for. A call that opened a FIFO would
// wait forever.
const quickly = 30 * time.Second

// devices makes a character and a block device in dir, if permitted, and returns their
// names.
func devices(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	for name, mode := range map[string]uint32{
		"zero": unix.S_IFCHR | 0o666, "loop": unix.S_IFBLK | 0o666,
	} {
		number := map[string]uint64{"zero": unix.Mkdev(1, 5), "loop": unix.Mkdev(7, 0)}[name]
		switch err := unix.Mknod(dir+"/"+name, mode, int(number)); {
		case err == nil:
			names = append(names, name)
		case !errors.Is(err, fs.ErrPermission):
			t.Fatal(err)
		}
	}
	return names
}

// watch fails the test if the FIFO is opened for reading before the returned function is called.
func watch(t *testing.T, fifo string) (end func()) {
	t.Helper()
	over := make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		for {
			n, err := unix.Open(fifo, unix.O_WRONLY|unix.O_NONBLOCK, 0)
			if err == nil {
				t.Errorf("%s was opened", fifo)
				_ = unix.Close(n)
				return
			}
			select {
			case <-over:
				return
			case <-time.After(50 * time.Microsecond):
			}
		}
	})
	return func() { close(over); all.Wait() }
}

// TestBoundarySpecialFiles checks that no tool opens a FIFO, socket or device, and that each
// immediately returns the right kind of error.
func TestBoundarySpecialFiles(t *testing.T) {
	root := fixture.Make(
		t, "w/pipe|", "w/sock=", "w/to-pipe => pipe", "w/to-sock => {root}/w/sock", "w/f",
		"w/null => /dev/null", "w/tty => /dev/tty",
	)
	names := append(devices(t, root+"/w"), "pipe", "sock", "to-pipe", "to-sock", "null", "tty")
	defer watch(t, root+"/w/pipe")()
	kinds := map[tool.Kind]bool{tool.NotDirectory: true, tool.Failed: true, tool.NotFound: true}
	check := func(toolset *gander.Toolset, dir, name string, outside bool) {
		for id, key := range testkit.PathArguments() {
			for _, tail := range []string{"", "/", "/.", "/x", "/../f", ":1"} {
				result, failure := testkit.Call(t, toolset, id, object{key: dir + "/" + name + tail})
				switch {
				case isLexical(id) && tail == "/../f", id == "filesystem/get_file_info":
					// ".." is resolved lexically. The type and size of a special file may be in the
					// result.
				case isNative(id) && tail == "/../f" &&
					(failure == nil || strings.Contains(failure.Message, "f is a file")):
					// ".." is resolved lexically.
				case failure == nil && isDescription(id, result.Text()):
				case tail == "/../f" && failure != nil &&
					(id == "toolkit/tree" || id == "forge/list_directory"):
					// The tool cleans the path to f, or refuses the path.
				case failure == nil, !kinds[failure.Kind] && !(outside && failure.Kind == tool.Outside):
					t.Errorf("%s of %s%s: %.200s", id, name, tail, describe(result, failure))
				}
			}
		}
	}
	toolset := testkit.Open(
		t, gander.Options{Roots: []string{root + "/w"}, Limits: gander.Limits{Timeout: quickly}},
	)
	for _, name := range names {
		check(toolset, root+"/w", name, name == "null" || name == "tty")
	}
	system := testkit.Open(
		t, gander.Options{Roots: []string{"/dev"}, Limits: gander.Limits{Timeout: quickly}},
	)
	for _, name := range []string{"null", "zero", "full", "random", "tty"} {
		if _, err := os.Lstat("/dev/" + name); err == nil {
			check(system, "/dev", name, false)
		}
	}
	if output, found := searched(t, toolset, root+"/w"); !found ||
		strings.Contains(output, "pipe\n1") || !strings.Contains(output, "f\n1\tw/f") {
		t.Errorf("searching the directory says %s", output)
	}
	for id, key := range testkit.PathArguments() { // the entries next to them are listed
		if testkit.ReadsFile(id) || id == "codex/grep_files" || id == "gander/search_text" ||
			id == "filesystem/get_file_info" {
			continue
		}
		args := object{key: root + "/w"}
		if id == "toolkit/tree" {
			args["entry_kind"] = "all"
		}
		result, failure := testkit.Call(t, toolset, id, args)
		if failure != nil || !strings.Contains(result.Text(), "to-pipe") {
			t.Errorf("%s of the directory: %.200s", id, describe(result, failure))
		}
	}
}

// TestBoundarySpecialIgnoreFiles checks that an ignore file or .git that is a special file is not
// opened, hides nothing and does not end the call, and that one outside is not read.
func TestBoundarySpecialIgnoreFiles(t *testing.T) {
	outside := fixture.Make(t, "rules", "info/exclude")
	for _, rules := range []string{"rules", "info/exclude"} {
		if err := os.WriteFile(outside+"/"+rules, []byte("canary\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{
		".gitignore", "sub/.gitignore", ".geminiignore", ".git/info/exclude", ".git/info", ".git",
	} {
		for _, kind := range []string{
			"|", "=", "/", " => /dev/zero", " => /dev/tty", " => " + name, " => nowhere",
			" => " + outside + "/rules", " => " + outside, " => " + outside + "/info", "zero", "loop",
		} {
			if path.Base(name) == ".git" && kind == " => /dev/tty" {
				continue
			}
			entries := []string{"canary", "sub/canary"}
			special := kind != "zero" && kind != "loop"
			if special {
				entries = append(entries, name+kind)
			} else {
				entries = append(entries, path.Dir(name)+"/")
			}
			if !strings.HasPrefix(name, ".git/") && name != ".git" {
				entries = append(entries, ".git/")
			}
			root := fixture.Make(t, entries...)
			if !special {
				made := devices(t, path.Dir(root+"/"+name))
				if len(made) == 0 {
					continue
				}
				if err := os.Rename(path.Dir(root+"/"+name)+"/"+kind, root+"/"+name); err != nil {
					t.Fatal(err)
				}
			}
			end := func() {}
			if kind == "|" {
				end = watch(t, root+"/"+name)
			}
			toolset := testkit.Open(
				t, gander.Options{Roots: []string{root}, Limits: gander.Limits{Timeout: quickly}},
			)
			for _, dir := range []string{"", "/sub"} {
				result, failure := testkit.Call(t, toolset, "gemini/list_directory", object{"path": root + dir})
				if failure != nil || !strings.Contains(result.Text(), "\ncanary") {
					t.Errorf("%s%s, listing %q: %.200s", name, kind, dir, describe(result, failure))
				}
			}
			end()
		}
	}
}

// TestBoundaryProc checks that each file of /proc/self or /sys has a result within the limits, or
// an error, and that magic links are resolved by their text.
func TestBoundaryProc(t *testing.T) {
	for _, root := range []string{"/proc/self", "/proc/sys/kernel", "/sys/kernel", "/sys/class"} {
		if _, err := os.Stat(root); err != nil {
			continue
		}
		toolset := testkit.Open(
			t,
			gander.Options{
				Roots: []string{root}, Limits: gander.Limits{Timeout: quickly, MaxOutputBytes: 4096},
			},
		)
		seen, answered := 0, 0
		testkit.Must(t, fs.WalkDir(toolset.FS(), ".", func(name string, d fs.DirEntry, err error) error {
			switch {
			case seen == 400:
				return fs.SkipAll
			case name == ".":
				return nil
			case err != nil:
				return fs.SkipDir
			}
			seen++
			for id, key := range testkit.PathArguments() {
				if id != "codex/read_file" && seen%20 != 1 {
					continue
				}
				result, failure := testkit.Call(t, toolset, id, object{key: path.Join(root, name)})
				switch {
				case failure == nil && len(result.Text()) > 4096:
					t.Errorf("%s of %s/%s: %d bytes", id, root, name, len(result.Text()))
				case failure == nil:
					answered++
				case failure.Kind == tool.Internal || failure.Kind == tool.Timeout:
					t.Errorf("%s of %s/%s: %s", id, root, name, describe(result, failure))
				}
				if d.Type()&fs.ModeSymlink != 0 && failure == nil && id == "codex/read_file" {
					target, err := os.Readlink(path.Join(root, name))
					if err != nil || path.IsAbs(target) && !strings.HasPrefix(target, root) {
						t.Errorf("%s/%s -> %s was followed", root, name, target)
					}
				}
			}
			if d.IsDir() && strings.Count(name, "/") == 2 {
				return fs.SkipDir
			}
			return nil
		}))
		t.Logf("%s: %d entries, %d answers", root, seen, answered)
		if seen == 0 || answered == 0 {
			t.Errorf("%s: %d entries, %d answers", root, seen, answered)
		}
	}
	toolset := testkit.Open(t, gander.Options{Roots: []string{"/proc"}})
	result, failure := testkit.Call(
		t, toolset, "codex/read_file", object{"file_path": "/proc/version"},
	)
	want, err := os.ReadFile("/proc/version")
	if err != nil || failure != nil || result.Text() != "L1: "+strings.TrimSuffix(string(want), "\n") {
		t.Errorf("/proc/version, whose size is 0: %s; want %s, %v", describe(result, failure), want, err)
	}
	for _, link := range []string{
		"root", "cwd", "exe", "root/etc/passwd", "root/none", "cwd/boundary_test.go",
		fmt.Sprintf("task/%d/cwd", os.Getpid()),
	} {
		for id, key := range testkit.PathArguments() {
			path := fmt.Sprintf("/proc/%d/%s", os.Getpid(), link)
			result, failure := testkit.Call(t, toolset, id, object{key: path})
			if failure == nil && isDescription(id, result.Text()) {
				continue
			}
			if failure == nil || failure.Kind != tool.Outside && failure.Kind != tool.NotDirectory {
				t.Errorf("%s of %s: %.200s", id, path, describe(result, failure))
			}
		}
	}
}

// TestBoundaryMounts checks that mounts below a root are crossed. /proc below / is one.
func TestBoundaryMounts(t *testing.T) {
	toolset := testkit.Open(t, gander.Options{Roots: []string{"/"}})
	result, failure := testkit.Call(
		t, toolset, "codex/read_file", object{"file_path": "/proc/sys/kernel/ostype"},
	)
	if failure != nil || !strings.Contains(result.Text(), "Linux") {
		t.Errorf("a file of another file system: %s", describe(result, failure))
	}
	var args json.RawMessage = []byte(`{"path":"/proc/self/root/proc/self/cwd"}`)
	if _, err := toolset.Call(t.Context(), "gemini/list_directory", args); err != nil {
		t.Errorf("in a workspace of everything links are followed by their text: %v", err)
	}
}
