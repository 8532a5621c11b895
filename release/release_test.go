package main

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gander/internal/testkit/fixture"
)

// here returns the program for the platform of the test.
func here() program { return program{Goos: runtime.GOOS, Goarch: runtime.GOARCH} }

// TestRelease makes a release for the machine that it runs on, from the lists that goreleaser
// would have written, and starts the server in each form.
func TestRelease(t *testing.T) {
	t.Chdir("..")
	r := release{version: "1.2.3-rc.1", dist: t.TempDir()}
	p := here()
	p.Path, p.Type = r.path(p.name()), "Binary"
	build := []string{"build", "-ldflags", linkerFlags(r.version), "-o", p.Path, "./cmd/gander"}
	finish(t, exec.Command("go", build...))
	writeJSON(t, r.path("metadata.json"), document{"version": r.version})
	writeJSON(t, r.path("artifacts.json"), []any{p, document{"type": "Archive", "path": "x.tar.gz"}})
	fixture.Must(t, run([]string{"-dist", r.dist}))
	must(t, load(r.path("server.json"), &r.entry))
	t.Run("sums", func(t *testing.T) { checkSums(t, r) })
	t.Run("npm", func(t *testing.T) { checkPackages(t, r) })
	t.Run("bundle", func(t *testing.T) { checkBundle(t, r) })
	t.Run("entry", func(t *testing.T) { checkReleasedEntry(t, r) })
	t.Run("licenses", func(t *testing.T) { checkLicenses(t, p) })
}

// linkerFlags returns the flags of the linker for a release.
func linkerFlags(version string) string {
	return "-s -w -buildid= -X gander/internal/cli.release=" + version
}

func must(t *testing.T, err error) {
	t.Helper()
	fixture.Must(t, err)
}

// finish runs a command that must succeed, and returns its output.
func finish(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	out, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		t.Logf("%s", exit.Stderr)
	}
	must(t, err)
	return string(out)
}

func writeJSON(t *testing.T, name string, value any) {
	t.Helper()
	text, err := json.Marshal(value)
	must(t, err)
	must(t, os.WriteFile(name, text, 0o600))
}

func checkSums(t *testing.T, r release) {
	sums, err := os.ReadFile(r.path("SHA256SUMS"))
	must(t, err)
	files, err := filepath.Glob(r.path("*-1.2.3-rc.1*"))
	if err != nil || len(files) != 3 {
		t.Errorf("%v: %v", err, files)
	}
	for _, f := range append(files, "server.json") {
		name := filepath.Base(f)
		sum, err := r.checksum(name)
		if err != nil || !strings.Contains(string(sums), sum+"  "+name+"\n") {
			t.Errorf("%v: SHA256SUMS lacks %s", err, name)
		}
	}
}

// checkLicenses compares the licenses with the modules linked in a program.
func checkLicenses(t *testing.T, p program) {
	file := filepath.Join(t.TempDir(), "THIRD_PARTY_LICENSES")
	must(t, run([]string{"-licenses", file}))
	text, err := os.ReadFile(file)
	must(t, err)
	want := []string{"==== Go 1."}
	for line := range strings.Lines(finish(t, exec.Command("go", "version", "-m", p.Path))) {
		if fields := strings.Fields(line); fields[0] == "dep" {
			want = append(want, "==== "+fields[1]+" "+fields[2]+": LICENSE")
		}
	}
	for _, title := range want {
		if !strings.Contains(strings.ToLower(string(text)), strings.ToLower(title)) || len(want) == 1 {
			t.Errorf("no license %q of %q", title, want)
		}
	}
}

func TestMissingOutput(t *testing.T) {
	t.Chdir("..")
	empty := t.TempDir()
	writeJSON(t, filepath.Join(empty, "metadata.json"), document{})
	writeJSON(t, filepath.Join(empty, "artifacts.json"), []any{})
	for want, dist := range map[string]string{
		"metadata.json: no such file":              t.TempDir(),
		"no version or no program; run goreleaser": empty,
	} {
		if _, err := open(dist); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// manifest is the part of a bundle's manifest that the tests use.
type manifest struct {
	Version, Description string
	Server               struct {
		EntryPoint string `json:"entry_point"`
		Config     struct {
			Command string
			Args    []string
		} `json:"mcp_config"`
	}
	Compatibility struct{ Platforms []string }
	User          map[string]struct{ Default string } `json:"user_config"`
}

// checkBundle unpacks a bundle and starts its server for two directories, as a host does.
func checkBundle(t *testing.T, r release) {
	dir := t.TempDir()
	z, err := zip.OpenReader(r.path(r.bundleName(here())))
	must(t, err)
	defer z.Close()
	must(t, os.CopyFS(dir, z))
	var m manifest
	must(t, load(filepath.Join(dir, "manifest.json"), &m))
	info, err := fs.Stat(z, m.Server.EntryPoint)
	if err != nil || info.Mode().Perm() != 0o755 || info.ModTime().Year() < 1980 {
		t.Fatalf("%v, %v", info, err)
	}
	system, _ := here().node()
	if m.Version != r.version || !slices.Equal(m.Compatibility.Platforms, []string{system}) {
		t.Errorf("%+v", m)
	}
	command := strings.ReplaceAll(m.Server.Config.Command, "${__dirname}", dir)
	must(t, os.Chmod(command, 0o755))
	var args []string
	for _, a := range m.Server.Config.Args {
		if a == "${user_config.directories}" {
			args = append(args, t.TempDir(), t.TempDir())
			continue
		}
		args = append(args, strings.ReplaceAll(a, "${user_config.tools}", m.User["tools"].Default))
	}
	checkServer(t, exec.CommandContext(t.Context(), command, args...))
}

// checkServer starts a server as an MCP client does, and lists its tools.
func checkServer(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	cmd.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{` +
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{}}}}` + "\n")
	var reply struct {
		Result struct{ Tools []struct{ Name string } }
	}
	must(t, json.Unmarshal([]byte(finish(t, cmd)), &reply))
	var names []string
	for _, tool := range reply.Result.Tools {
		names = append(names, tool.Name)
	}
	want := []string{"bash", "find_files", "list_dir", "read_file", "search_text"}
	if slices.Sort(names); !slices.Equal(names, want) {
		t.Errorf("the server has the tools %q", names)
	}
}

// TestManual checks that there is a page for each command, and that its text does not depend on
// when it is made.
func TestManual(t *testing.T) {
	t.Chdir("..")
	var pages [2]map[string]string
	for i := range pages {
		dir := filepath.Join(t.TempDir(), "man")
		must(t, run([]string{"-manual", dir, "-date", "2026-01-31T12:00:00Z"}))
		pages[i] = map[string]string{}
		files, err := os.ReadDir(dir)
		must(t, err)
		for _, f := range files {
			text, err := os.ReadFile(filepath.Join(dir, f.Name()))
			must(t, err)
			pages[i][f.Name()] = string(text)
		}
	}
	if diff := cmp.Diff(pages[0], pages[1]); diff != "" {
		t.Errorf("pages differ (-first +second):\n%s", diff)
	}
	for name, want := range map[string]string{
		"gander.1":        `"Jan 2026"`,
		"gander-read.1":   "gander read PATH",
		"gander-search.1": "--ignore-case",
		"gander-mcp.1":    "--tools",
	} {
		if !strings.Contains(pages[0][name], want) {
			t.Errorf("%s does not contain %s:\n%s", name, want, pages[0][name])
		}
	}
}
