package boundary

import (
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

// openQuickly opens a toolset whose calls have nothing to wait for. A call that opened a FIFO would
// wait forever.
func openQuickly(t *testing.T, root string) *gander.Toolset {
	return testkit.Open(t, gander.Options{
		Roots:  []string{root},
		Limits: gander.Limits{Timeout: 30 * time.Second, MaxOutputBytes: 4096},
	})
}

// makeDevice makes a character or block device, if permitted.
func makeDevice(t *testing.T, path string, mode uint32, major, minor uint32) bool {
	t.Helper()
	err := unix.Mknod(path, mode|0o666, int(unix.Mkdev(major, minor)))
	if err != nil && !errors.Is(err, fs.ErrPermission) {
		t.Fatal(err)
	}
	return err == nil
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

// TestBoundarySpecialFiles checks that no tool opens a FIFO, socket or device, that each
// immediately returns the right kind of error, and that the entries next to them are listed.
func TestBoundarySpecialFiles(t *testing.T) {
	root := fixture.Make(t, "w/pipe|", "w/sock=", "w/to-pipe => pipe", "w/to-sock => {root}/w/sock",
		"w/f", "w/null => /dev/null", "w/tty => /dev/tty")
	root += "/w"
	names := []string{"/pipe", "/sock", "/to-pipe", "/to-sock", "/null", "/tty"}
	if makeDevice(t, root+"/zero", unix.S_IFCHR, 1, 5) {
		names = append(names, "/zero")
	}
	if makeDevice(t, root+"/loop", unix.S_IFBLK, 7, 0) {
		names = append(names, "/loop")
	}
	defer watch(t, root+"/pipe")()
	check := func(toolset *gander.Toolset, path string, outside bool) {
		for _, id := range tools() {
			for _, tail := range []string{"", "/", "/.", "/x", ":1"} {
				if id == "filesystem/get_file_info" {
					continue // it returns the type and size of a special file
				}
				o := use(t, toolset, id, path+tail)
				switch o.kind {
				case "", tool.NotDirectory, tool.Failed, tool.NotFound:
					outside = true
				}
				if !o.refused || !outside {
					t.Errorf("%s of %s%s: %.200s", id, path, tail, o.text)
				}
			}
		}
	}
	toolset := openQuickly(t, root)
	for _, name := range names {
		check(toolset, root+name, name == "/null" || name == "/tty")
	}
	system := openQuickly(t, "/dev")
	for _, name := range []string{"null", "zero", "full", "random", "tty"} {
		if _, err := os.Lstat("/dev/" + name); err == nil {
			check(system, "/dev/"+name, false)
		}
	}
	for id, p := range testkit.PathTools() {
		want := "to-pipe"
		switch {
		case p.Reads, id == "filesystem/get_file_info":
			continue
		case id == "codex/grep_files", id == "gander/search_text", id == "gander/find_files":
			want = "f"
		}
		if o := use(t, toolset, id, root); o.kind != "" || !strings.Contains(o.text, want) {
			t.Errorf("%s of the directory: %.200s", id, o.text)
		}
	}
}

// TestBoundarySpecialIgnoreFiles checks that an ignore file or .git that is a special file is not
// opened, hides nothing and does not end the call, and that one outside is not read.
func TestBoundarySpecialIgnoreFiles(t *testing.T) {
	outside := fixture.Make(t, "rules", "info/exclude")
	for _, rules := range []string{"rules", "info/exclude"} {
		testkit.Must(t, os.WriteFile(outside+"/"+rules, []byte("canary\n"), 0o600))
	}
	for _, name := range []string{
		".gitignore", "sub/.gitignore", ".geminiignore", ".git/info/exclude", ".git/info", ".git",
	} {
		for _, kind := range []string{
			"|", "=", "/", " => /dev/zero", " => " + name, " => nowhere",
			" => " + outside + "/rules", " => " + outside, " => " + outside + "/info", " is a device",
		} {
			entries := []string{"canary", "sub/canary"}
			if kind == " is a device" {
				entries = append(entries, path.Dir(name)+"/")
			} else {
				entries = append(entries, name+kind)
			}
			if !strings.HasPrefix(name, ".git/") && name != ".git" {
				entries = append(entries, ".git/")
			}
			root := fixture.Make(t, entries...)
			if kind == " is a device" && !makeDevice(t, root+"/"+name, unix.S_IFCHR, 1, 5) {
				continue
			}
			end := func() {}
			if kind == "|" {
				end = watch(t, root+"/"+name)
			}
			toolset := openQuickly(t, root)
			for _, dir := range []string{root, root + "/sub"} {
				o := use(t, toolset, "gemini/list_directory", dir)
				if o.refused || !strings.Contains(o.text, "\ncanary") {
					t.Errorf("%s%s, listing %q: %.200s", name, kind, dir, o.text)
				}
			}
			end()
		}
	}
}

// TestBoundaryProc checks that files of /proc and /sys have a result within the limits, or an
// error, and that magic links are resolved by their text.
func TestBoundaryProc(t *testing.T) {
	for _, root := range []string{"/proc/self", "/proc/sys/kernel", "/sys/kernel"} {
		toolset := openQuickly(t, root)
		seen, answered := 0, 0
		err := fs.WalkDir(toolset.FS(), ".", func(name string, d fs.DirEntry, err error) error {
			switch {
			case seen == 200:
				return fs.SkipAll
			case name == ".":
				return nil
			case err != nil:
				return fs.SkipDir
			case d.Name() == "pagemap": // of terabytes
				return nil
			}
			seen++
			for _, id := range tools() {
				if id != "codex/read_file" && seen%20 != 1 {
					continue
				}
				o := use(t, toolset, id, path.Join(root, name))
				if !o.refused {
					answered++
				}
				if o.kind == tool.Internal || o.kind == tool.Timeout || len(o.text) > 4200 {
					t.Errorf("%s of %s/%s: %d bytes, %.200s", id, root, name, len(o.text), o.text)
				}
			}
			if d.IsDir() && strings.Count(name, "/") == 2 {
				return fs.SkipDir
			}
			return nil
		})
		if err != nil || seen == 0 || answered == 0 {
			t.Errorf("%s: %d entries, %d answers, %v", root, seen, answered, err)
		}
	}
	toolset := openQuickly(t, "/proc")
	want, err := os.ReadFile("/proc/version") // whose size is 0
	o := use(t, toolset, "codex/read_file", "/proc/version")
	if err != nil || !strings.Contains(o.text, strings.TrimSpace(string(want))) {
		t.Errorf("/proc/version: %s; want %s, %v", o.text, want, err)
	}
	for _, link := range []string{
		"root", "cwd", "exe", "root/etc/passwd", "root/none", "cwd/boundary_test.go",
		fmt.Sprintf("task/%d/cwd", os.Getpid()),
	} {
		for _, id := range tools() {
			path := fmt.Sprintf("/proc/%d/%s", os.Getpid(), link)
			o := use(t, toolset, id, path)
			if !o.refused || o.kind != "" && o.kind != tool.Outside && o.kind != tool.NotDirectory {
				t.Errorf("%s of %s: %.200s", id, path, o.text)
			}
		}
	}
}

// TestBoundaryMounts checks that mounts below a root are crossed, and links followed by their text.
func TestBoundaryMounts(t *testing.T) {
	toolset := openQuickly(t, "/")
	for path, id := range map[string]string{
		"/proc/sys/kernel/ostype":       "codex/read_file",
		"/proc/self/root/proc/self/cwd": "gemini/list_directory",
	} {
		if o := use(t, toolset, id, path); o.refused {
			t.Errorf("%s: %s", path, o.text)
		}
	}
}
