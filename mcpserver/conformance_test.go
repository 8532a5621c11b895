package mcpserver

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander"
	"gander/internal/testkit"
)

// TestConformance runs the protocol's own suite over HTTP, in the two revisions that have lists of
// requirements, and the Inspector, which reports doubtful definitions, over both transports. The
// scenarios that call the suite's own tools, prompts and resources are expected to fail.
func TestConformance(t *testing.T) {
	s := installSuites(t)
	ts := testkit.Open(t, gander.Options{
		Roots: []string{"../testdata/sample"},
		Tools: []string{"forge/list_directory", "codex/read_file", "toolkit/tree"},
	})
	url := listenAt(t, New(ts, nil), nil)
	for revision, scenarios := range map[string]int{"2025-11-25": 30, "2026-07-28": 37} {
		t.Run(revision, func(t *testing.T) {
			t.Parallel()
			failures, err := filepath.Abs(filepath.Join("testdata", "fixtures-"+revision+".yml"))
			testkit.Must(t, err)
			out, _ := s.run(t, "conformance", "server", "--url", url, "--requirements", revision,
				"--expected-failures", failures)
			if ran := strings.Count(out, "=== Running scenario: "); ran < scenarios {
				t.Errorf("%d scenarios were run, not %d\n%s", ran, scenarios, out)
			}
		})
	}
	program := filepath.Join(t.TempDir(), "gander")
	runIn(t, "..", "go", "build", "-o", program, "./cmd/gander")
	root, err := filepath.Abs("../testdata/sample")
	testkit.Must(t, err)
	for _, tt := range []struct {
		target []string
		era    string
		want   string
	}{
		{[]string{url}, "modern", `"tree"`},
		{[]string{program, "mcp", "--root", root}, "legacy", `"find_files"`},
		{[]string{program, "mcp", "--root", root, "--tools", "all"}, "modern", `"tree"`},
	} {
		t.Run("inspector", func(t *testing.T) {
			t.Parallel()
			args := append([]string{"--cli"}, tt.target...)
			args = append(args, "--protocol-era", tt.era, "--format", "json", "--method", "tools/list",
				"--strict")
			out, warnings := s.run(t, "mcp-inspector", args...)
			if !strings.Contains(out, tt.want) || strings.Contains(strings.ToLower(warnings), "warning") {
				t.Errorf("%q, %s: %s%s", tt.target, tt.era, out, warnings)
			}
		})
	}
}

// suites holds the directory with the test programs of the protocol's authors, and the Node.js that
// runs them.
type suites struct{ dir, node string }

// installSuites installs the suites and Node.js, because they need a recent version. It skips the
// test unless it runs in continuous integration or GANDER_CLIENTS is set, because it downloads a
// hundred megabytes.
func installSuites(t *testing.T) suites {
	t.Helper()
	if testing.Short() || os.Getenv("CI") == "" && os.Getenv("GANDER_CLIENTS") == "" {
		t.Skip("downloads packages from npm; set GANDER_CLIENTS=1 to run it")
	}
	npm, err := exec.LookPath("npm")
	if err != nil && os.Getenv("CI") == "" {
		t.Skipf("needs npm to install programs: %v", err)
	}
	testkit.Must(t, err)
	s := suites{dir: t.TempDir()}
	testkit.Must(t, os.CopyFS(s.dir, os.DirFS("testdata/npm")))
	runIn(t, s.dir, npm, "ci", "--ignore-scripts", "--prefer-offline")
	arch := strings.Replace(runtime.GOARCH, "amd64", "x64", 1)
	s.node = filepath.Join(s.dir, "node_modules", "node-"+runtime.GOOS+"-"+arch, "bin", "node")
	if _, err := os.Stat(s.node); err != nil {
		s.node, err = exec.LookPath("node")
		testkit.Must(t, err)
	}
	return s
}

// run runs one of the programs, for at most five minutes.
func (s suites) run(t *testing.T, program string, args ...string) (stdout, stderr string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	script := filepath.Join(s.dir, "node_modules", ".bin", program)
	cmd := exec.CommandContext(ctx, s.node, append([]string{script}, args...)...)
	cmd.Dir, cmd.Env = s.dir, append(os.Environ(), "HOME="+s.dir)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Errorf("%s %q: %v\n%s%s", program, args, err, &out, &errs)
	}
	return out.String(), errs.String()
}

func runIn(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
}

// listenAt serves s until the test ends, and returns its URL.
func listenAt(t *testing.T, s *mcp.Server, o *HTTPOptions) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	testkit.Must(t, err)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- ServeHTTP(ctx, l, s, o) }()
	t.Cleanup(func() {
		// The server would wait for connections that have not been used.
		http.DefaultClient.CloseIdleConnections()
		stop()
		if err := <-ended; err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	return "http://" + l.Addr().String() + "/mcp"
}
