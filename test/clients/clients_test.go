// Package clients has tests alone: real MCP clients start gander as gander install has told them to, list its tools, and
// where they can be made to without an account call them.
package clients

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gander"
	"gander/tool"
)

// patience is a guard against a client that hangs, not a measure of anything.
const patience = 2 * time.Minute

// A bench is where the clients run: what npm has installed, the program, and a project.
type bench struct {
	npm, gander string
	home        string
	project     string
}

// TestClients runs every client.
func TestClients(t *testing.T) {
	if testing.Short() {
		t.Skip("installing the clients takes a while")
	}
	if runtime.GOOS != "linux" {
		t.Skip("the clients are tried on Linux")
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skipf("%v: no client is tried", err)
	}
	dir := installed(t, npm)
	program := filepath.Join(t.TempDir(), "gander")
	finish(t, "../..", "go", "build", "-o", program, "./cmd/gander")
	for name, test := range map[string]func(*testing.T, bench){
		"codex":           testCodex,
		"gemini":          testGemini,
		"claude-code":     testClaudeCode,
		"opencode":        testOpencode,
		"bundle":          testBundle,
		"typescript-http": testTypeScript,
	} {
		t.Run(name, func(t *testing.T) {
			root, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			b := bench{npm: dir, gander: program, home: filepath.Join(root, "home"), project: filepath.Join(root, "project")}
			for path, text := range map[string]string{"README.md": "# Title\n\nSome text.\n", "src/main.go": "package main\n", "src/a <b>.md": "\ttab \"quote\" \\ é\n"} {
				path = filepath.Join(b.project, filepath.FromSlash(path))
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Mkdir(b.home, 0o755); err != nil {
				t.Fatal(err)
			}
			test(t, b)
		})
	}
}

// installed is a directory with what the lock file says. It is a gigabyte, so it stays in the user's cache for the next run.
func installed(t *testing.T, npm string) string {
	t.Helper()
	source := os.DirFS("testdata/npm")
	sum := sha256.New()
	for _, name := range []string{"package.json", "package-lock.json", "http.mjs"} {
		data, err := fs.ReadFile(source, name)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(sum, "%s %d %s", name, len(data), data)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = t.TempDir()
	}
	cache = filepath.Join(cache, "gander-clients")
	dir := filepath.Join(cache, fmt.Sprintf("%x", sum.Sum(nil)[:8]))
	if _, err := os.Stat(dir); err == nil {
		return dir
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		t.Fatal(err)
	}
	// It takes its place once it is whole.
	fresh, err := os.MkdirTemp(cache, "new-*")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(fresh)
	if err := os.CopyFS(fresh, source); err != nil {
		t.Fatal(err)
	}
	finish(t, fresh, npm, "ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error")
	if err := os.Rename(fresh, dir); err != nil && !errors.Is(err, fs.ErrExist) {
		t.Fatal(err)
	}
	return dir
}

// finish runs a command of the test itself.
func finish(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

// run runs a command in the project, with a home and an environment of its own, and returns what it prints.
func (b bench) run(t *testing.T, env []string, name string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = b.project
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + b.home, "TMPDIR=" + os.TempDir(), "TERM=dumb", "NO_COLOR=1"}, env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s %s: %v\n%s%s", filepath.Base(name), strings.Join(args, " "), err, &stdout, &stderr)
	}
	return stdout.String() + stderr.String()
}

// install has gander install itself into a client.
func (b bench) install(t *testing.T, client string, args ...string) {
	t.Helper()
	out := b.run(t, nil, b.gander, append([]string{"install", client, "--write"}, args...)...)
	if !strings.Contains(out, "\nwrote ") {
		t.Fatalf("gander install %s:\n%s", client, out)
	}
}

// client is the program of a client that npm has installed.
func (b bench) client(t *testing.T, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(b.npm, "node_modules", filepath.FromSlash(pattern)))
	if err != nil || len(found) == 0 {
		t.Fatalf("npm has not installed %s: %v", pattern, err)
	}
	// Where there is a variant for any machine it comes last.
	return found[len(found)-1]
}

// A call is one that a model is made to ask for.
type call struct {
	Name      string            `json:"name"`
	Arguments map[string]string `json:"arguments"`
}

// calls are one of each default tool, and one that fails.
func (b bench) calls() []call {
	return []call{
		{"tree", map[string]string{"path": "."}},
		{"list_directory", map[string]string{"path": "src"}},
		{"read_file", map[string]string{"file_path": filepath.Join(b.project, "src", "a <b>.md")}},
		{"read_file", map[string]string{"file_path": "/etc/passwd"}},
	}
}

// toolset is the one that the clients are to see, in this process.
func (b bench) toolset(t *testing.T) *gander.Toolset {
	t.Helper()
	ts, err := gander.Open(gander.Options{Roots: []string{b.project}, Tools: []string{"forge/list_directory", "codex/read_file", "toolkit/tree"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ts.Close() })
	return ts
}

// names are those of the tools, sorted.
func (b bench) names(t *testing.T) []string {
	t.Helper()
	var names []string
	for _, d := range b.toolset(t).Definitions() {
		names = append(names, d.Name)
	}
	return slices.Sorted(slices.Values(names))
}

// answer is what the tool answers a call, an error's message where it fails.
func (b bench) answer(t *testing.T, c call) (text string, failed bool) {
	t.Helper()
	args, err := json.Marshal(c.Arguments)
	if err != nil {
		t.Fatal(err)
	}
	result, err := b.toolset(t).Call(t.Context(), c.Name, tool.Call{Args: args})
	if err != nil {
		return err.Error(), true
	}
	return result.Text(), false
}

// testOpencode: opencode starts the server that its project names.
func testOpencode(t *testing.T, b bench) {
	if runtime.GOARCH != "amd64" {
		t.Skip("opencode is installed for amd64")
	}
	b.install(t, "opencode")
	out := b.run(t, []string{"OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1"}, b.client(t, "opencode-linux-x64-baseline/bin/opencode"), "mcp", "list")
	if !strings.Contains(out, "✓ gander") || !strings.Contains(out, "connected") {
		t.Error(out)
	}
}

// testBundle: the makers' own program takes the manifest and the bundle.
func testBundle(t *testing.T, b bench) {
	mcpb := b.client(t, ".bin/mcpb")
	manifest, err := filepath.Abs("../../release/manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	if out := b.run(t, nil, mcpb, "validate", manifest); !strings.Contains(out, "validation passes") {
		t.Error(out)
	}
	dist := filepath.Join(b.home, "dist")
	finish(t, "../..", "go", "run", "./release", "-version", "1.0.0", "-output", dist, "-targets", runtime.GOOS+"/"+runtime.GOARCH)
	unpacked := filepath.Join(b.home, "unpacked")
	b.run(t, nil, mcpb, "unpack", filepath.Join(dist, "gander-1.0.0-"+runtime.GOOS+"-"+runtime.GOARCH+".mcpb"), unpacked)
	if out := b.run(t, nil, mcpb, "validate", unpacked); !strings.Contains(out, "validation passes") {
		t.Error(out)
	}
	if out := b.run(t, nil, filepath.Join(unpacked, "server", "gander"), "--version"); out != "gander 1.0.0\n" {
		t.Errorf("unpacked, the program says %q", out)
	}
	if out := b.run(t, nil, mcpb, "pack", unpacked, filepath.Join(b.home, "again.mcpb")); !strings.Contains(out, "again.mcpb") {
		t.Error(out)
	}
}

// testTypeScript: the official client of another language lists and calls the tools over HTTP.
func testTypeScript(t *testing.T, b bench) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	url := b.serve(ctx, t)
	request, err := json.Marshal(map[string]any{"url": url, "calls": b.calls()})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, "node", filepath.Join(b.npm, "http.mjs"))
	cmd.Stdin = bytes.NewReader(request)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	var got struct {
		Server  string
		Tools   []struct{ Name string }
		Results []struct {
			Content []struct{ Type, Text string }
			IsError bool
		}
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var names []string
	for _, d := range got.Tools {
		names = append(names, d.Name)
	}
	slices.Sort(names)
	if diff := cmp.Diff(b.names(t), names); diff != "" || got.Server != "gander" {
		t.Errorf("%s (-want +got)\n%s", got.Server, diff)
	}
	for i, c := range b.calls() {
		want, failed := b.answer(t, c)
		r := got.Results[i]
		if len(r.Content) != 1 || r.Content[0].Text != want || r.IsError != failed {
			t.Errorf("%s: %+v, not %q", c.Name, r, want)
		}
	}
}

// serve serves the project over HTTP and returns the address of the tools.
func (b bench) serve(ctx context.Context, t *testing.T) string {
	t.Helper()
	cmd := exec.CommandContext(ctx, b.gander, "mcp", "--http", "127.0.0.1:0", "--root", b.project)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 20 * time.Second
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cmd.Process.Kill(); err != nil {
			t.Error(err)
		}
		// It has been killed, which Wait calls an error.
		_ = cmd.Wait()
	})
	buffer := make([]byte, 1024)
	n, err := stderr.Read(buffer)
	if err != nil {
		t.Fatal(err)
	}
	_, url, ok := strings.Cut(strings.TrimSpace(string(buffer[:n])), "serving MCP at ")
	if !ok {
		t.Fatalf("it says %q", buffer[:n])
	}
	return url
}
