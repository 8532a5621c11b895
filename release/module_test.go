package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestModule gives a copy of the source a public path, and then another one. Nothing imports the old path, and the names in
// server.json and the Dockerfile follow. With GANDER_RELEASE it also compiles everything.
func TestModule(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "source")
	copySource(t, dir)
	t.Chdir(dir)
	rename := func(path string) {
		t.Helper()
		var changed strings.Builder
		if err := run(t.Context(), []string{"-module", path, "-image", "registry.example.com/" + path}, &changed); err != nil {
			t.Fatal(err)
		}
		for _, file := range []string{"gander.go", "docs/library.md", "server.json", "Dockerfile"} {
			if !strings.Contains(changed.String(), filepath.Join(dir, file)+"\n") {
				t.Errorf("%s: %s is not among what changed:\n%s", path, file, &changed)
			}
		}
		imports(t, "list", "-test", "-deps", "./...")
	}
	rename("git.example.org/tools/Files/v2")
	checkNames(t, "org.example.git/Files", "@tools/files", "https://git.example.org/tools/Files", "registry.example.com/git.example.org/tools/Files/v2:0.0.0")
	rename("github.com/Example/gander")
	checkNames(t, "io.github.Example/gander", "@example/gander", "https://github.com/Example/gander", "registry.example.com/github.com/Example/gander:0.0.0")
	if os.Getenv("GANDER_RELEASE") != "" {
		imports(t, "build", "./...")
		imports(t, "test", "./test/architecture")
	}
}

// imports runs a go command that fails if an import cannot be resolved.
func imports(t *testing.T, args ...string) {
	t.Helper()
	out, err := exec.Command("go", args...).CombinedOutput()
	if err != nil || regexp.MustCompile(`(?m)^gander(/|$)`).Match(out) {
		t.Errorf("go %v: %v\n%s", args, err, out)
	}
}

// checkNames: server.json and the Dockerfile in the current directory have these names.
func checkNames(t *testing.T, name, npm, repository, image string) {
	t.Helper()
	var e entry
	if err := load("server.json", &e); err != nil {
		t.Fatal(err)
	}
	if e.Name != name || e.npm() != npm || e.Repository.URL != repository || e.of("oci")["identifier"] != image {
		t.Errorf("%+v", e)
	}
	dockerfile, err := os.ReadFile("Dockerfile")
	if err != nil || !strings.Contains(string(dockerfile), `name="`+name+`"`) {
		t.Errorf("%v\n%s", err, dockerfile)
	}
}
