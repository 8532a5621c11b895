//go:build unix

package install

import (
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestFullDisk checks that a write that ends halfway leaves the file as it was, and nothing beside it. A process of its own
// stands for the full disk: it may not write files of more than a few bytes.
func TestFullDisk(t *testing.T) {
	const variable = "GANDER_TEST_FULL_DISK"
	if path := os.Getenv(variable); path != "" {
		c, err := Lookup("zed")
		if err != nil {
			t.Fatal(err)
		}
		change, err := c.Plan(path, "gander", Project, server())
		if err != nil {
			t.Fatal(err)
		}
		signal.Ignore(syscall.SIGXFSZ)
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 10, Max: 10}); err != nil {
			t.Fatal(err)
		}
		if _, err := change.Write(); err == nil || !strings.Contains(err.Error(), " cannot be written: ") {
			t.Fatal(err)
		}
		return
	}
	dir := t.TempDir()
	const text = `{"context_servers": {"other": {"command": "x"}}}`
	for name, before := range map[string]string{"there.json": text, "new.json": ""} {
		path := filepath.Join(dir, name)
		if before != "" {
			writeFile(t, path, before)
		}
		cmd := exec.Command(os.Args[0], "-test.run=^TestFullDisk$")
		cmd.Env = append(os.Environ(), variable+"="+path)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", name, err, out)
		}
	}
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(names) != 1 {
		t.Errorf("%v: left: %q", err, names)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "there.json")); err != nil || string(got) != text {
		t.Errorf("%v: %q", err, got)
	}
}
