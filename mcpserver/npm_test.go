package mcpserver

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// npmInstall installs the packages of the lock file in source into a temporary directory, and
// returns that. It skips the test unless it runs in continuous integration or GANDER_CLIENTS is
// set, because it downloads a hundred megabytes.
func npmInstall(t *testing.T, source string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("runs other programs")
	}
	if os.Getenv("CI") == "" && os.Getenv("GANDER_CLIENTS") == "" {
		t.Skip("downloads packages from npm; set GANDER_CLIENTS=1 to run it")
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skipf("needs npm to install programs: %v", err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(source)); err != nil {
		t.Fatal(err)
	}
	run(t, dir, npm, "ci", "--ignore-scripts", "--prefer-offline")
	return dir
}

// build builds the gander program and returns its path.
func build(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "gander.exe") // Windows needs this ending; other systems do not mind.
	run(t, "..", "go", "build", "-o", path, "./cmd/gander")
	return path
}

func run(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
}
