// Package hostilefiles makes the hostile files with which packages test their readers, so that
// tests of the whole can use them, too.
package hostilefiles

import (
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gander/internal/testkit/fixture"
)

var keep = flag.String("keep", "", "write hostile files to this directory instead of reading them")

// Keep writes a file and returns true if [Make] runs the test, which must not read it then.
func Keep(t *testing.T, name string, content io.Reader) bool {
	t.Helper()
	if *keep == "" {
		return false
	}
	name = strings.NewReplacer("/", "-", " ", "-").Replace(t.Name() + " " + name)
	f, err := os.Create(filepath.Join(*keep, name))
	if err == nil {
		_, err = io.Copy(f, content)
	}
	if err == nil {
		err = f.Close()
	}
	fixture.Must(t, err)
	return true
}

// Make writes the hostile files of the tests of packages to a directory, and returns their names.
func Make(t *testing.T, dir string, packages ...string) (names []string) {
	t.Helper()
	args := append([]string{"test", "-vet=off", "-count=1", "-run", "^TestHostile"}, packages...)
	out, err := exec.Command("go", append(args, "-keep", dir)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	entries, err := os.ReadDir(dir)
	fixture.Must(t, err)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
