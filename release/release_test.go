package main

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// here returns the program for the platform of the test.
func here() program { return program{Goos: runtime.GOOS, Goarch: runtime.GOARCH} }

// TestRelease makes a release for the machine that it runs on, from the output that goreleaser would
// have written, and starts the server in each form.
func TestRelease(t *testing.T) {
	t.Chdir("..")
	r := release{version: "1.2.3-rc.1", dist: t.TempDir()}
	p := here()
	p.Path, p.Type = r.path(p.name()), "Binary"
	build := exec.Command("go", "build", "-ldflags", linkerFlags(r.version), "-o", p.Path, "./cmd/gander")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for name, value := range map[string]any{
		"metadata.json":  document{"version": r.version},
		"artifacts.json": []any{p, document{"type": "Archive", "goos": p.Goos, "path": "x.tar.gz"}},
	} {
		text, err := encode(value)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(r.path(name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := run(t.Context(), []string{"-dist", r.dist, "-url", "https://example.com/mcp"}); err != nil {
		t.Fatal(err)
	}
	r.entry = checkEntry(t, r.path("server.json"))
	t.Run("sums", func(t *testing.T) { checkSums(t, r) })
	t.Run("npm", func(t *testing.T) { checkPackages(t, r) })
	t.Run("bundle", func(t *testing.T) { checkBundle(t, r) })
	t.Run("entry", func(t *testing.T) { checkReleasedEntry(t, r) })
}

// linkerFlags returns the flags of the linker for a release.
func linkerFlags(version string) string {
	return "-s -w -buildid= -X gander/internal/cli.release=" + version
}

// checkSums checks that SHA256SUMS has every file that was made.
func checkSums(t *testing.T, r release) {
	sums, err := os.ReadFile(r.path("SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(r.path("*-1.2.3-rc.1*"))
	if err != nil || len(files) != 3 {
		t.Errorf("%v: %v", err, files)
	}
	for _, f := range append(files, r.path("server.json")) {
		sum, err := checksum(f)
		if err != nil || !strings.Contains(string(sums), sum+"  "+filepath.Base(f)+"\n") {
			t.Errorf("%v: SHA256SUMS lacks %s", err, f)
		}
	}
}

// TestLicenses checks that the licenses are those of Go and of every module that the program links.
func TestLicenses(t *testing.T) {
	t.Chdir("..")
	file := filepath.Join(t.TempDir(), "THIRD_PARTY_LICENSES")
	if err := run(t.Context(), []string{"-licenses", file}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "==== Go 1.") {
		t.Error("no license of Go")
	}
	build := exec.Command("go", "version", "-m", buildProgram(t))
	out, err := build.Output()
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for line := range strings.Lines(string(out)) {
		if fields := strings.Fields(line); fields[0] == "dep" {
			count++
			if !strings.Contains(string(text), "==== "+fields[1]+" "+fields[2]+": LICENSE") {
				t.Errorf("no license of %s", fields[1])
			}
		}
	}
	if count == 0 {
		t.Error("no modules")
	}
}

func buildProgram(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), here().name())
	if out, err := exec.Command("go", "build", "-o", program, "./cmd/gander").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return program
}

func TestUsage(t *testing.T) {
	t.Chdir("..")
	empty := t.TempDir()
	if err := os.WriteFile(filepath.Join(empty, "metadata.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(empty, "artifacts.json"), []byte("[]"), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, dist := range map[string]string{
		"metadata.json: no such file":              t.TempDir(),
		"no version or no program; run goreleaser": empty,
	} {
		if err := run(t.Context(), []string{"-dist", dist}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
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
	want, err := defaultTools()
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

// toolbox returns a directory with links to programs of this machine, as the only directory of a PATH.
func toolbox(t *testing.T, programs ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, p := range programs {
		path, err := exec.LookPath(p)
		if err != nil {
			t.Skipf("this needs %s: %v", p, err)
		}
		if err := os.Symlink(path, filepath.Join(dir, p)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// unzip unpacks an archive.
func unzip(t *testing.T, archive, dir string) {
	t.Helper()
	z, err := zip.OpenReader(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	if err := os.CopyFS(dir, z); err != nil {
		t.Fatal(err)
	}
}
