//go:build unix

package install

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"gander/internal/testkit/fixture"
)

func plan(c Client, r Request) (Change, error) {
	changes, err := c.Plan(r)
	if err != nil {
		return Change{}, err
	}
	return changes[0], nil
}

// TestWrite checks what happens to files of the user that gander must not or cannot simply replace.
func TestWrite(t *testing.T) {
	const text = "{\n  \"mcpServers\": {\"x\": {}} // mine\n}\n"
	for _, c := range []struct {
		name, wrong string
		prepare     func(t *testing.T, path string)
	}{
		{name: "mode", prepare: func(t *testing.T, path string) { fixture.Must(t, os.Chmod(path, 0o640)) }},
		{name: "read-only", wrong: "read-only", prepare: func(t *testing.T, path string) {
			fixture.Must(t, os.Chmod(path, 0o440))
		}},
		{name: "owner", prepare: func(t *testing.T, path string) {
			if os.Getuid() != 0 {
				t.Skip("needs root")
			}
			fixture.Must(t, os.Chown(path, 1234, 5678))
		}},
		{name: "link", prepare: func(t *testing.T, path string) {
			fixture.Must(t, os.Rename(path, path+".real"))
			fixture.Must(t, os.Symlink(path+".real", path))
		}},
		{name: "dangling link", wrong: "make the target of the link", prepare: func(t *testing.T, path string) {
			fixture.Must(t, os.Remove(path))
			fixture.Must(t, os.Symlink(path+".none", path))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			home := t.TempDir()
			t.Setenv("HOME", home)
			path := filepath.Join(home, ".cursor", "mcp.json")
			fixture.Must(t, os.MkdirAll(filepath.Dir(path), 0o700))
			fixture.Must(t, os.WriteFile(path, []byte(text), 0o600))
			c.prepare(t, path)
			before, _ := os.Stat(path)
			r := testRequest(Clients()["cursor"], "user", home)
			change, err := plan(Clients()["cursor"], r)
			if err == nil {
				err = change.Make()
			}
			if c.wrong != "" {
				if err == nil || !strings.Contains(err.Error(), c.wrong) {
					t.Errorf("%v, want %s", err, c.wrong)
				}
				return
			}
			fixture.Must(t, err)
			after, err := os.Stat(path)
			fixture.Must(t, err)
			was, is := before.Sys().(*syscall.Stat_t), after.Sys().(*syscall.Stat_t)
			if is.Mode != was.Mode || is.Uid != was.Uid || is.Gid != was.Gid {
				t.Errorf("mode %o of %d:%d, was %o of %d:%d",
					is.Mode, is.Uid, is.Gid, was.Mode, was.Uid, was.Gid)
			}
			r.Remove = true
			carryOut(t, Clients()["cursor"], r)
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
			fixture.Must(t, os.Remove(filepath.Dir(path)))
			return os.Symlink("/tmp", filepath.Dir(path))
		}, "symbolic link"},
		"large":    {text(strings.Repeat(" ", maxFileSize+1)), "not a regular file of at most"},
		"deep":     {text(strings.Repeat("[", maxFileSize)), "more than 20000"},
		"not JSON": {text("{a}"), "mcp.json: "},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, ".cursor", "mcp.json")
			fixture.Must(t, os.MkdirAll(filepath.Dir(path), 0o700))
			fixture.Must(t, c.prepare(dir, path))
			_, err := plan(Clients()["cursor"], testRequest(Clients()["cursor"], "project", dir))
			if err == nil || !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("%v, want %s", err, c.wrong)
			}
		})
	}
}

// TestSwappedLink replaces the file of a project and its directory by links to a secret, and by a
// FIFO, while gander changes it. The secret never changes and is never read, and no change waits.
func TestSwappedLink(t *testing.T) {
	top := t.TempDir()
	secrets := filepath.Join(top, "secrets")
	project := filepath.Join(top, "project")
	folder := filepath.Join(project, ".cursor")
	path := filepath.Join(folder, "mcp.json")
	secret := filepath.Join(secrets, "mcp.json")
	fixture.Must(t, os.MkdirAll(folder, 0o700))
	fixture.Must(t, os.Mkdir(secrets, 0o700))
	const content = `{"secret": "SECRET"}`
	fixture.Must(t, os.WriteFile(secret, []byte(content), 0o600))
	end := make(chan struct{})
	var swaps sync.WaitGroup
	swaps.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-end:
				return
			default:
			}
			os.RemoveAll(folder)
			switch i % 4 {
			case 0:
				os.Symlink(secrets, folder)
				continue
			case 1:
				os.Mkdir(folder, 0o700)
				os.Symlink(secret, path)
			case 2:
				os.Mkdir(folder, 0o700)
				syscall.Mkfifo(path, 0o600)
			default:
				os.Mkdir(folder, 0o700)
				os.WriteFile(path, []byte("{}"), 0o600)
			}
		}
	})
	made := 0
	for deadline := time.Now().Add(time.Second); time.Now().Before(deadline); {
		change, err := plan(Clients()["cursor"], testRequest(Clients()["cursor"], "project", project))
		if err != nil {
			continue
		}
		if strings.Contains(string(change.after), "SECRET") {
			t.Fatal("the secret was read")
		}
		if change.Make() == nil {
			made++
		}
		change.Close()
	}
	close(end)
	swaps.Wait()
	if got, err := os.ReadFile(secret); err != nil || string(got) != content {
		t.Errorf("the secret is %q, %v", got, err)
	}
	if entries, _ := os.ReadDir(secrets); len(entries) != 1 {
		t.Errorf("files were made beside the secret: %v", entries)
	}
	t.Logf("%d changes", made)
}
