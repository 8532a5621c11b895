package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// here returns the platform of the test.
func here() target { return target{runtime.GOOS, runtime.GOARCH} }

// A result is what a test made: a release for the machine that it runs on.
type result struct {
	release
	entry entry
}

// TestRelease makes a release for the machine that it runs on, and starts gander in every way in which a user would get it.
func TestRelease(t *testing.T) {
	r := result{release: release{version: "1.2.3-rc.1", output: filepath.Join(t.TempDir(), "dist"), url: "https://example.com/mcp"}}
	arguments := []string{"-version", r.version, "-output", r.output, "-url", r.url, "-image", "registry.example.com/files/gander"}
	var printed strings.Builder
	if err := run(t.Context(), append(arguments, "-targets", here().String()), &printed); err != nil {
		t.Fatal(err)
	}
	if err := run(t.Context(), arguments, io.Discard); err == nil || !strings.Contains(err.Error(), "is not empty") {
		t.Errorf("into a directory that is not empty: %v", err)
	}
	r.entry = checkEntry(t, r.path("server.json"))
	t.Run("sums", func(t *testing.T) { checkSums(t, r, printed.String()) })
	t.Run("archive", func(t *testing.T) { checkArchive(t, r) })
	t.Run("npm", func(t *testing.T) { checkPackages(t, r) })
	t.Run("bundle", func(t *testing.T) { checkBundle(t, r) })
	t.Run("entry", func(t *testing.T) { checkReleasedEntry(t, r) })
	t.Run("bill", func(t *testing.T) { checkBill(t, r) })
	t.Run("formula", func(t *testing.T) { checkFormula(t, r) })
}

// checkSums: SHA256SUMS, which was also printed, has the sum of every other file.
func checkSums(t *testing.T, r result, printed string) {
	files, err := os.ReadDir(r.output)
	if err != nil || len(files) != 8 {
		t.Errorf("%v: %v", err, files)
	}
	lines, err := os.ReadFile(r.path("SHA256SUMS"))
	if err != nil || string(lines) != printed {
		t.Fatalf("%v: printed %q, written %q", err, printed, lines)
	}
	for _, f := range files {
		if f.Name() == "SHA256SUMS" {
			continue
		}
		sum, err := checksum(r.path(f.Name()))
		if err != nil || !strings.Contains(printed, sum+"  "+f.Name()+"\n") {
			t.Errorf("%v: SHA256SUMS lacks %s", err, f.Name())
		}
	}
}

// checkServer starts a server as an MCP client does, and compares the tools that it lists with the default.
func checkServer(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	cmd.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}` + "\n")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v", err, failure(err))
	}
	var reply struct{ Result struct{ Tools []described } }
	if err := json.Unmarshal(bytes.TrimSpace(out), &reply); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	want, err := defaultTools(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, tools := range [][]described{want, reply.Result.Tools} {
		slices.SortFunc(tools, func(a, b described) int { return cmp.Compare(a.Name, b.Name) })
	}
	if diff := gocmp.Diff(want, reply.Result.Tools); diff != "" {
		t.Errorf("tools (-default +server):\n%s", diff)
	}
}

// failure returns what a failed command has said.
func failure(err error) string {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return string(exit.Stderr)
	}
	return ""
}

// TestReproducible makes a release for another system twice, from two copies of the source in different directories and the second
// time without what the compiler has kept, and compares the files.
func TestReproducible(t *testing.T) {
	if os.Getenv("GANDER_RELEASE") == "" {
		t.Skip("compiling everything anew takes a minute; set GANDER_RELEASE=1 to run it")
	}
	platform := target{"windows", "arm64"} // on most machines a cross build
	var sums [2]string
	for i, name := range []string{"one", "another place"} {
		source, output := filepath.Join(t.TempDir(), name), t.TempDir()
		copySource(t, source)
		t.Chdir(source)
		if i == 1 {
			t.Setenv("GOCACHE", t.TempDir())
		}
		var printed strings.Builder
		if err := run(t.Context(), []string{"-version", "1.2.3", "-output", output, "-targets", platform.String()}, &printed); err != nil {
			t.Fatal(err)
		}
		sums[i] = printed.String()
	}
	if diff := gocmp.Diff(sums[0], sums[1]); diff != "" || strings.Count(sums[0], "\n") != 7 {
		t.Errorf("checksums (-one place +another)\n%s", diff)
	}
}

// copySource copies the source.
func copySource(t *testing.T, to string) {
	t.Helper()
	top, err := filepath.Abs(top(t))
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == top {
			return err
		}
		name, err := filepath.Rel(top, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			if n := d.Name(); n == ".git" || n == "node_modules" || n == "dist" {
				return fs.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		into := filepath.Join(to, name)
		if err := os.MkdirAll(filepath.Dir(into), 0o755); err != nil {
			return err
		}
		return os.WriteFile(into, data, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// top returns the top directory of the module.
func top(t *testing.T) string {
	t.Helper()
	m, err := mainModule(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return m.dir
}

func TestUsage(t *testing.T) {
	for want, args := range map[string][]string{
		`the version is ""`:                               nil,
		`the version is "v1"`:                             {"-version", "v1"},
		`"linux" is not a platform`:                       {"-version", "1.0.0", "-targets", "linux"},
		`"gander" is not the path of a public module`:     {"-module", "gander"},
		`"https://x.y/z" is not the path of a public mod`: {"-module", "https://x.y/z"},
		`could not read Go build info: open nothing: `:    {"-licenses", "nothing"},
	} {
		if err := run(t.Context(), args, io.Discard); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v: %v", args, err)
		}
	}
}
