package boundary

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/program"
)

// A scene is a workspace whose results must not depend on the confinement by the kernel. {top} in
// roots and paths is its directory.
type scene struct {
	name   string
	roots  string
	paths  []string // in addition to all entries of {top}
	mount  func(t *testing.T, top string)
	change func(top string) error // after the servers have started
}

// TestBoundaryKernelResults compares the results of all tools with and without the confinement by
// the kernel: for roots of all kinds, and for roots that change while they are open.
func TestBoundaryKernelResults(t *testing.T) {
	testkit.SkipLong(t)
	needConfinement(t)
	path, err := program.Path()
	testkit.Must(t, err)
	for _, s := range scenes() {
		t.Run(s.name, func(t *testing.T) { s.compare(t, path) })
	}
}

func scenes() []scene {
	remove := func(top string) error { return os.RemoveAll(top + "/w") }
	return []scene{
		{name: "one root", roots: "{top}/w"},
		{name: "through symlinks", roots: "{top}/lnk {top}/far/lnk"},
		{name: "nested", roots: "{top}/w {top}/w/in"},
		{name: "the inner first", roots: "{top}/w/in {top}/w"},
		{name: "the same twice", roots: "{top}/w {top}/lnk {top}/w/"},
		{name: "below a repository", roots: "{top}/w/in/deep"},
		{name: "the working directory", roots: "."},
		{name: "above all", roots: "/", paths: []string{"/proc/version", "/etc/hostname", "/none"}},
		{name: "kernel", roots: "/proc/sys/kernel /sys/kernel", paths: []string{
			"/proc/sys/kernel/ostype", "/sys/kernel/vmcoreinfo", "ostype", "/proc/version",
		}},
		{name: "proc", roots: "/proc", paths: []string{
			"/proc/version", "version", "/proc/sys/kernel/ostype", "/proc/self", "/proc/none",
			"/proc/1/comm", "/proc/self/cwd", "/proc/self/fd/0",
		}},
		{name: "tmpfs inside", roots: "{top}/w", mount: mount("tmpfs", "w/in/deep")},
		{name: "tmpfs as the root", roots: "{top}/far {top}/w", mount: mount("tmpfs", "far")},
		{name: "bind mount inside", roots: "{top}/w", mount: mount("out", "w/in/deep")},
		{name: "bind mount of the root", roots: "{top}/far", mount: mount("w", "far")},
		{name: "mount on the root", roots: "{top}/w {top}/far", change: func(top string) error {
			return unix.Mount("tmpfs", top+"/w", "tmpfs", 0, "")
		}, mount: mount("tmpfs", "far")},
		{name: "overlay", roots: "{top}/w/in {top}/lnk", mount: mount("overlay", "w")},
		{name: "removed", roots: "{top}/w", change: remove},
		{name: "removed and made again", roots: "{top}/w {top}/far", change: func(top string) error {
			return errors.Join(remove(top), os.MkdirAll(top+"/w/in", 0o755),
				os.WriteFile(top+"/w/f", []byte("new"), 0o600))
		}},
		{name: "renamed", roots: "{top}/w {top}/far", change: func(top string) error {
			return os.Rename(top+"/w", top+"/far/w")
		}},
		{name: "replaced", roots: "{top}/w", change: func(top string) error {
			return errors.Join(os.Rename(top+"/w", top+"/w2"), os.Rename(top+"/far", top+"/w"))
		}},
		{name: "moved inside and out", roots: "{top}/w {top}/far", change: func(top string) error {
			return errors.Join(os.Rename(top+"/w/in/deep", top+"/out/deep"),
				os.Rename(top+"/out/o", top+"/w/o"), os.Rename(top+"/w/f", top+"/far/f"))
		}},
		{name: "the working directory is gone", roots: ".", change: remove},
	}
}

// mount mounts a tmpfs, an overlay, or another directory of top, at a directory of top.
func mount(source, at string) func(t *testing.T, top string) {
	return func(t *testing.T, top string) {
		t.Helper()
		at := top + "/" + at
		var err error
		switch source {
		case "tmpfs":
			err = unix.Mount(source, at, source, 0, "")
		case "overlay":
			err = unix.Mount(source, at, source, 0, fmt.Sprintf("lowerdir=%s/w:%s/out", top, top))
		default:
			err = unix.Mount(top+"/"+source, at, "", unix.MS_BIND, "")
		}
		if err != nil {
			t.Skip("this process cannot mount: ", err)
		}
		_ = os.WriteFile(at+"/mounted", []byte("mounted"), 0o600) // An overlay is read-only.
	}
}

func (s scene) compare(t *testing.T, path string) {
	top := fixture.Make(t, "w/f", "w/in/deep/leaf", "w/in/up => ../f", "w/in/out => ../../out/o",
		"w/in/abs => {root}/w/f", "w/to-far => ../far/g", "far/g", "far/lnk => ../w/in", "lnk => w",
		"out/o", ".git/", ".gitignore", "w/in/deep/locked 0000")
	testkit.Must(t, os.WriteFile(top+"/.gitignore", []byte("leaf\n"), 0o600))
	t.Cleanup(func() { unmount(t, top) })
	if s.mount != nil {
		s.mount(t, top)
	}
	paths := s.paths
	if len(paths) == 0 {
		paths = pathsBelow(t, top)
	}
	var flags []string
	for root := range strings.FieldsSeq(strings.ReplaceAll(s.roots, "{top}", top)) {
		flags = append(flags, "--root", root)
	}
	both := serveTwice(t, path, top+"/w", flags...)
	if s.change != nil {
		testkit.Must(t, s.change(top))
	}
	answers := 0
	for _, id := range tools() {
		if s.paths != nil && !testkit.PathTools()[id].Reads {
			continue // these directories are large, and change
		}
		for _, path := range paths {
			args := string(encoded(t, testkit.PathTools()[id].Arguments(path)))
			if failed := both.compare(t, id, args); !failed {
				answers++
			}
		}
	}
	if answers == 0 && s.change == nil {
		t.Error("no call succeeds")
	}
}

// TestBoundaryKernelReason checks that an error names the confinement if it is the reason. Landlock
// hides some files of /proc that describe other processes.
func TestBoundaryKernelReason(t *testing.T) {
	needConfinement(t)
	gander, err := program.Path()
	testkit.Must(t, err)
	both := serveTwice(t, gander, "", "--root", "/proc")
	for _, name := range []string{"io", "cwd/x"} {
		path := fmt.Sprintf("/proc/%d/%s", os.Getpid(), name)
		const reason = "denied by the kernel's confinement of gander; --no-kernel-confinement "
		if got := both.confined.use(t, "gander/read_file", path); !strings.Contains(got.Text, reason) {
			t.Errorf("%s: %s", path, got.Text)
		}
		if got := both.lifted.use(t, "gander/read_file", path); strings.Contains(got.Text, "kernel") {
			t.Errorf("%s, without confinement: %s", path, got.Text)
		}
	}
}

// pathsBelow returns the paths of all entries, absolute and relative, and some that do not exist.
func pathsBelow(t *testing.T, top string) []string {
	t.Helper()
	paths := []string{top + "/none", "none", "../out/o", "in/../../w/f"}
	testkit.Must(t, filepath.WalkDir(top, func(path string, _ fs.DirEntry, err error) error {
		if relative, ok := strings.CutPrefix(path, top+"/w/"); ok {
			paths = append(paths, relative)
		}
		paths = append(paths, path)
		return err
	}))
	return paths
}

// unmount unmounts everything below top.
func unmount(t *testing.T, top string) {
	t.Helper()
	mounts, err := os.ReadFile("/proc/self/mounts")
	testkit.Must(t, err)
	for line := range strings.Lines(string(mounts)) {
		if at := strings.Fields(line)[1]; strings.HasPrefix(at, top+"/") {
			testkit.Must(t, unix.Unmount(at, unix.MNT_DETACH))
		}
	}
}

// A vectorFile is a part of a file of vectors: calls on fixtures.
type vectorFile struct {
	Tool     string
	Fixtures map[string][]fixture.Item
	Cases    []struct {
		Tool, Fixture string
		Args          json.RawMessage
	}
}

// TestBoundaryKernelVectors makes the calls of all vectors with and without the confinement by the
// kernel, and compares the results.
func TestBoundaryKernelVectors(t *testing.T) {
	testkit.SkipLong(t)
	needConfinement(t)
	gander, err := program.Path()
	testkit.Must(t, err)
	names, err := filepath.Glob("../conformance/testdata/vectors/*.json")
	testkit.Must(t, err)
	calls := 0
	for _, name := range names {
		data, err := os.ReadFile(name)
		testkit.Must(t, err)
		var f vectorFile
		testkit.Must(t, json.Unmarshal(data, &f))
		for fixtureName, items := range f.Fixtures {
			t.Run(filepath.Base(name)+"/"+fixtureName, func(t *testing.T) {
				root := fixture.Build(t, items)
				both := twoServers{serve(t, gander, "", "--root", root), serveHere(t, root)}
				for _, c := range f.Cases {
					if c.Fixture != fixtureName || len(c.Args) == 0 {
						continue
					}
					calls++
					id := c.Tool
					if id == "" {
						id = f.Tool
					}
					var args bytes.Buffer
					testkit.Must(t, json.Compact(&args, c.Args))
					line := bytes.ReplaceAll(args.Bytes(), []byte("${ROOT}"), []byte(root))
					both.compare(t, id, string(line))
				}
			})
		}
	}
	if calls < 1000 {
		t.Errorf("made %d calls", calls)
	}
}
