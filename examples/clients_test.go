package examples_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gander"
	"gander/tool"
)

// maxLines bounds the length of a client, which must be easy to read.
const maxLines = 59

func TestPythonClient(t *testing.T) {
	python := program(t, "python3")
	checkLength(t, "python/client.py")
	checkClient(t, exec.Command(python, "python/client.py", sample))
}

// TestTypeScriptClient compiles the client with its own settings, which check types, and runs it.
func TestTypeScriptClient(t *testing.T) {
	if testing.Short() {
		t.Skip("installing the compiler takes too long")
	}
	node, npm := program(t, "node"), program(t, "npm")
	checkLength(t, "typescript/client.ts")
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("typescript")); err != nil {
		t.Fatal(err)
	}
	install := exec.Command(npm, "ci", "--ignore-scripts", "--prefer-offline")
	install.Dir = dir
	if out, err := install.CombinedOutput(); err != nil {
		if os.Getenv("CI") == "" {
			t.Skipf("the compiler can neither be found nor fetched: %v\n%s", err, out)
		}
		t.Fatalf("%v\n%s", err, out)
	}
	run(t, dir, npm, "run", "build")
	checkClient(t, exec.Command(node, filepath.Join(dir, "build", "client.js"), sample))
}

const sample = "../testdata/sample"

// checkClient runs a client with gander in PATH. Every byte that it prints must be what the toolset returns.
func checkClient(t *testing.T, client *exec.Cmd) {
	t.Helper()
	bin := t.TempDir()
	run(t, "..", "go", "build", "-o", bin, "./cmd/gander")
	client.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	var stderr bytes.Buffer
	client.Stderr = &stderr
	out, err := client.Output()
	if err != nil || stderr.Len() > 0 {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	ts, err := gander.Open(gander.Options{Roots: []string{sample}})
	if err != nil {
		t.Fatal(err)
	}
	defer ts.Close()
	tree, err := ts.Call(t.Context(), "tree", tool.Call{Args: []byte(`{"path":"."}`)})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(tree.Text()+"\nnot_found - NOT_FOUND: path does not exist; list its parent to see what does\n", string(out)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func checkLength(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(data, []byte("\n")); n > maxLines {
		t.Errorf("%s has %d lines, more than %d", path, n, maxLines)
	}
}

// program returns the path of a program and skips the test if there is none.
func program(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed: %v", name, err)
	}
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
