//go:build unix

package install

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestDanglingLink checks that a link to a file that is missing is not replaced.
func TestDanglingLink(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	path := filepath.Join(home, ".cursor", "mcp.json")
	must(t, os.MkdirAll(filepath.Dir(path), 0o700))
	must(t, os.Symlink(filepath.Join(home, "dot.json"), path))
	_, change, err := Clients["cursor"].Plan("user", home, testServer(), false)
	must(t, err)
	if err := change.Make(); err == nil || !strings.Contains(err.Error(), "make the target of the link") {
		t.Error(err)
	}
	if target, err := os.Readlink(path); err != nil || target != filepath.Join(home, "dot.json") {
		t.Errorf("%q, %v", target, err)
	}
}

// TestNewFile checks that only the user can read a new file of the user, but everyone can read that of
// a project.
func TestNewFile(t *testing.T) {
	for scope, want := range map[string]os.FileMode{"project": 0o644, "user": 0o600} {
		dir := t.TempDir()
		t.Setenv("HOME", dir)
		_, change, err := Clients["cursor"].Plan(scope, dir, testServer(), false)
		must(t, err)
		must(t, change.Make())
		info, err := os.Stat(filepath.Join(dir, ".cursor", "mcp.json"))
		must(t, err)
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s: mode %o, not %o", scope, got, want)
		}
	}
}

// TestWrite checks what happens to files that gander must not or cannot simply replace.
func TestWrite(t *testing.T) {
	cursor := Clients["cursor"]
	const text = "{\n  \"mcpServers\": {\"x\": {}} // mine\n}\n"
	for _, c := range []struct {
		name, wrong string
		prepare     func(t *testing.T, path string)
	}{
		{name: "mode", prepare: func(t *testing.T, path string) { must(t, os.Chmod(path, 0o640)) }},
		{name: "read-only", wrong: "read-only", prepare: func(t *testing.T, path string) {
			must(t, os.Chmod(path, 0o440))
		}},
		{name: "owner", prepare: func(t *testing.T, path string) {
			if os.Getuid() != 0 {
				t.Skip("needs root")
			}
			must(t, os.Chown(path, 1234, 5678))
		}},
		{name: "link", prepare: func(t *testing.T, path string) {
			must(t, os.Rename(path, path+".real"))
			must(t, os.Symlink(path+".real", path))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			home := t.TempDir()
			t.Setenv("HOME", home)
			path := filepath.Join(home, ".cursor", "mcp.json")
			must(t, os.MkdirAll(filepath.Dir(path), 0o700))
			must(t, os.WriteFile(path, []byte(text), 0o600))
			if c.prepare != nil {
				c.prepare(t, path)
			}
			before, err := os.Stat(path)
			must(t, err)
			_, change, err := cursor.Plan("user", home, testServer(), false)
			must(t, err)
			err = change.Make()
			if c.wrong != "" {
				if err == nil || !strings.Contains(err.Error(), c.wrong) {
					t.Errorf("%v, want %s", err, c.wrong)
				}
				return
			}
			must(t, err)
			after, err := os.Stat(path)
			must(t, err)
			was, is := before.Sys().(*syscall.Stat_t), after.Sys().(*syscall.Stat_t)
			if is.Mode != was.Mode || is.Uid != was.Uid || is.Gid != was.Gid {
				t.Errorf("mode %o of %d:%d, was %o of %d:%d",
					is.Mode, is.Uid, is.Gid, was.Mode, was.Uid, was.Gid)
			}
			_, change, err = cursor.Plan("user", home, testServer(), true)
			must(t, err)
			must(t, change.Make())
			if got, err := os.ReadFile(path); err != nil || string(got) != text {
				t.Errorf("removed: %v\n%s", err, got)
			}
			if names, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".gander-*")); len(names) > 0 {
				t.Errorf("left: %q", names)
			}
		})
	}
}

// TestHostileProject checks files of a project that gander must not read or change.
func TestHostileProject(t *testing.T) {
	cursor := Clients["cursor"]
	text := func(s string) func(dir, path string) error {
		return func(_, path string) error { return os.WriteFile(path, []byte(s), 0o600) }
	}
	for name, c := range map[string]struct {
		prepare func(dir, path string) error
		wrong   string
	}{
		"fifo":      {func(_, p string) error { return syscall.Mkfifo(p, 0o600) }, "not a regular file"},
		"directory": {func(_, p string) error { return os.Mkdir(p, 0o700) }, "not a regular file"},
		"link":      {func(_, p string) error { return os.Symlink("/etc/hosts", p) }, "symbolic link"},
		"link above": {func(dir, path string) error {
			must(t, os.Remove(filepath.Dir(path)))
			return os.Symlink("/tmp", filepath.Dir(path))
		}, "symbolic link"},
		"large":          {text(strings.Repeat(" ", maxFileSize+1)), "not a regular file of at most"},
		"deep":           {text(strings.Repeat("[", maxFileSize)), "more than 20000"},
		"not JSON":       {text("{a}"), "mcp.json: "},
		"another server": {text(`{"mcpServers":{"gander":{"command":"x"}}}`), "another server"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, ".cursor", "mcp.json")
			must(t, os.MkdirAll(filepath.Dir(path), 0o700))
			must(t, c.prepare(dir, path))
			line, _, err := cursor.Plan("project", dir, testServer(), false)
			if err == nil || !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("%s, %v, want %s", line, err, c.wrong)
			}
		})
	}
}

// TestRemoveKeepsFiles checks that the entry is removed from files that were empty before it was
// added, and that no file or target of a link is deleted.
func TestRemoveKeepsFiles(t *testing.T) {
	cursor := Clients["cursor"]
	for _, before := range []string{"", "{}", "{}\n", "{\n}\n", "{ }"} {
		for _, isLink := range []bool{false, true} {
			home := t.TempDir()
			t.Setenv("HOME", home)
			path := filepath.Join(home, ".cursor", "mcp.json")
			must(t, os.MkdirAll(filepath.Dir(path), 0o700))
			if isLink {
				must(t, os.WriteFile(path+".real", []byte(before), 0o600))
				must(t, os.Symlink(path+".real", path))
			} else {
				must(t, os.WriteFile(path, []byte(before), 0o600))
			}
			for _, isRemoval := range []bool{false, true} {
				_, change, err := cursor.Plan("user", home, testServer(), isRemoval)
				must(t, err)
				must(t, change.Make())
			}
			left, err := os.ReadFile(path)
			if err != nil || dense(left) != "{}" {
				t.Errorf("%q, link %v: %q is left, %v", before, isLink, left, err)
			}
		}
	}
}
