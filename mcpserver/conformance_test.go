package mcpserver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander"
)

// TestConformance runs the protocol's own suite over HTTP, in the two revisions for which it has
// lists of requirements. The scenarios that call tools, prompts and resources of the suite's own
// are expected to fail.
func TestConformance(t *testing.T) {
	s := installSuites(t)
	t.Run("inspector", s.inspect)
	for revision, scenarios := range map[string]int{"2025-11-25": 30, "2026-07-28": 37} {
		t.Run(revision, func(t *testing.T) {
			t.Parallel()
			needs, err := filepath.Abs(filepath.Join("testdata", "fixtures-"+revision+".yml"))
			if err != nil {
				t.Fatal(err)
			}
			s.conforms(t, serveSample(t), revision, scenarios, "--expected-failures", needs)
		})
	}
}

// conforms runs the scenarios that a revision requires. There must be at least as many as given.
func (s suites) conforms(t *testing.T, url, revision string, scenarios int, args ...string) {
	t.Helper()
	args = append([]string{"server", "--url", url, "--requirements", revision}, args...)
	out, err := s.command(t, "conformance", args...).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	ran := strings.Count(string(out), "=== Running scenario: ")
	if ran < scenarios {
		t.Errorf("%d scenarios were run, not %d\n%s", ran, scenarios, out)
	}
}

// inspect runs the Inspector, which warns of what clients and models may not understand, over both
// transports, with and without a handshake, and with every tool.
func (s suites) inspect(t *testing.T) {
	t.Parallel()
	program := build(t)
	root, err := filepath.Abs("../testdata/sample")
	if err != nil {
		t.Fatal(err)
	}
	inspect := func(t *testing.T, args ...string) string {
		t.Helper()
		cmd := s.command(t, "mcp-inspector", append([]string{"--cli"}, args...)...)
		cmd.Env = append(os.Environ(), "HOME="+s.dir)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil || strings.Contains(strings.ToLower(stderr.String()), "warning") {
			t.Errorf("%q: %v\n%s%s", args, err, out, &stderr)
		}
		return string(out)
	}
	url := serveSample(t)
	for _, tt := range []struct {
		target []string
		era    string
		method []string
		want   string
	}{
		{[]string{url}, "modern", []string{"tools/list", "--strict"}, `"tree"`},
		{[]string{program, "mcp", "--root", root}, "legacy", []string{"tools/list", "--strict"}, `"find_files"`},
		{[]string{program, "mcp", "--root", root, "--tools", "all"}, "modern", []string{"tools/list", "--strict"}, `"tree"`},
	} {
		args := append(slices.Clone(tt.target), "--protocol-era", tt.era, "--format", "json", "--method")
		if out := inspect(t, append(args, tt.method...)...); !strings.Contains(out, tt.want) {
			t.Errorf("%q, %s: %s", tt.target, tt.era, out)
		}
	}
}

// suites are the test programs of the protocol's authors, in a directory, and the Node.js that runs
// them.
type suites struct{ dir, node string }

// installSuites installs the suites, and the Node.js that they need, which is newer than that of
// many systems.
func installSuites(t *testing.T) suites {
	t.Helper()
	dir := npmInstall(t, "testdata/npm")
	arch, found := map[string]string{"amd64": "x64"}[runtime.GOARCH]
	if !found {
		arch = runtime.GOARCH
	}
	node := filepath.Join(dir, "node_modules", fmt.Sprintf("node-%s-%s", runtime.GOOS, arch), "bin", "node")
	if _, err := os.Stat(node); errors.Is(err, fs.ErrNotExist) {
		var err error
		if node, err = exec.LookPath("node"); err != nil {
			t.Fatal(err)
		}
	}
	return suites{dir, node}
}

// command returns the command to run one of the programs. It is killed after five minutes.
func (s suites) command(t *testing.T, program string, args ...string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(cancel)
	script := filepath.Join(s.dir, "node_modules", ".bin", program)
	cmd := exec.CommandContext(ctx, s.node, append([]string{script}, args...)...)
	cmd.Dir = s.dir
	return cmd
}

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

// sample opens the default tools with the sample workspace.
func sample(t *testing.T) *gander.Toolset {
	t.Helper()
	ts, err := gander.Open(gander.Options{Roots: []string{"../testdata/sample"}, Tools: []string{"forge/list_directory", "codex/read_file", "toolkit/tree"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ts.Close() })
	return ts
}

// serveSample serves the sample workspace as people do.
func serveSample(t *testing.T) string {
	t.Helper()
	return listenAt(t, New(sample(t), nil), nil)
}

// listenAt serves s until the test ends, and returns its URL.
func listenAt(t *testing.T, s *mcp.Server, o *HTTPOptions) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- ServeHTTP(ctx, l, s, o) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	return "http://" + l.Addr().String() + "/mcp"
}
