// Package clients tests real MCP clients: gander install configures them, they start gander and list its tools, and call the
// tools where that needs no account.
package clients

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io/fs"
	"net/http/httptest"
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
)

// timeout bounds a client that hangs.
const timeout = 2 * time.Minute

// A setup is what a client runs with.
type setup struct {
	npm        string // directory in which npm has installed the clients
	frameworks string // the same for the frameworks
	gander     string // path of the program
	home       string // home directory of the client
	project    string // directory in which the client works
}

// TestClients runs every client. It downloads a gigabyte once, so it runs in continuous integration, and if GANDER_CLIENTS is set.
func TestClients(t *testing.T) {
	if testing.Short() {
		t.Skip("runs other programs")
	}
	if os.Getenv("CI") == "" && os.Getenv("GANDER_CLIENTS") == "" {
		t.Skip("downloads a gigabyte of clients; set GANDER_CLIENTS=1 to run it")
	}
	if runtime.GOOS != "linux" {
		t.Skip("the clients are installed for Linux")
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skipf("needs npm to install the clients: %v", err)
	}
	dir := installed(t, npm, "testdata/npm", "http.mjs")
	frameworks := installed(t, npm, "testdata/frameworks", "frameworks.mjs")
	program := filepath.Join(t.TempDir(), "gander")
	finish(t, "../..", "go", "build", "-o", program, "./cmd/gander")
	for name, test := range map[string]func(*testing.T, setup){
		"codex":           testCodex,
		"gemini":          testGemini,
		"claude-code":     testClaudeCode,
		"opencode":        testOpencode,
		"bundle":          testBundle,
		"filesystem":      testFilesystem,
		"typescript-http": testTypeScript,
		"ai-sdk":          testFramework("ai-sdk"),
		"langchain":       testFramework("langchain"),
		"openai-agents":   testFramework("openai-agents"),
		"mastra":          testFramework("mastra"),
	} {
		t.Run(name, func(t *testing.T) {
			root, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			s := setup{npm: dir, frameworks: frameworks, gander: program, home: filepath.Join(root, "home"), project: filepath.Join(root, "project")}
			for path, text := range map[string]string{"README.md": "# Title\n\nSome text.\n", "src/main.go": "package main\n", "src/a <b>.md": "\ttab \"quote\" \\ é\n", "logo.png": logo(t)} {
				path = filepath.Join(s.project, filepath.FromSlash(path))
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Mkdir(s.home, 0o755); err != nil {
				t.Fatal(err)
			}
			test(t, s)
		})
	}
}

// logo returns a small image.
func logo(t *testing.T) string {
	t.Helper()
	picture := image.NewNRGBA(image.Rect(0, 0, 16, 16))
	for i := range picture.Pix {
		picture.Pix[i] = byte(i) | 0x80
	}
	var b strings.Builder
	if err := png.Encode(&b, picture); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// installed returns a directory with the packages of the lock file in dir and the program there. They stay in the user's
// cache for the next run.
func installed(t *testing.T, npm, dir, program string) string {
	t.Helper()
	source := os.DirFS(dir)
	sum := sha256.New()
	for _, name := range []string{"package.json", "package-lock.json", program} {
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
	ready := filepath.Join(cache, fmt.Sprintf("%x", sum.Sum(nil)[:8]))
	if _, err := os.Stat(ready); err == nil {
		return ready
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		t.Fatal(err)
	}
	// The directory gets its name when it is complete.
	fresh, err := os.MkdirTemp(cache, "new-*")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(fresh)
	if err := os.CopyFS(fresh, source); err != nil {
		t.Fatal(err)
	}
	finish(t, fresh, npm, "ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error")
	if err := os.Rename(fresh, ready); err != nil && !errors.Is(err, fs.ErrExist) {
		t.Fatal(err)
	}
	return ready
}

// finish runs a command that the test itself needs.
func finish(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

// run runs a command in the project, with a home and an environment of its own, and returns its output.
func (s setup) run(t *testing.T, env []string, name string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = s.project
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + s.home, "TMPDIR=" + os.TempDir(), "TERM=dumb", "NO_COLOR=1"}, env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s %s: %v\n%s%s", filepath.Base(name), strings.Join(args, " "), err, &stdout, &stderr)
	}
	return stdout.String() + stderr.String()
}

// install runs gander install for a client.
func (s setup) install(t *testing.T, client string, args ...string) {
	t.Helper()
	path := []string{filepath.Join(s.home, "bin"), filepath.Join(s.npm, "node_modules", ".bin"), os.Getenv("PATH")}
	env := []string{"PATH=" + strings.Join(path, string(os.PathListSeparator)), "TMPDIR=" + t.TempDir()} // The program is not temporary.
	out := s.run(t, env, s.gander, append([]string{"install", client, "--write"}, args...)...)
	if !strings.Contains(out, "gander: done; ") {
		t.Fatalf("gander install %s:\n%s", client, out)
	}
}

// client returns the path of a client's program that npm has installed.
func (s setup) client(t *testing.T, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(s.npm, "node_modules", filepath.FromSlash(pattern)))
	if err != nil || len(found) == 0 {
		t.Fatalf("npm did not install %s: %v", pattern, err)
	}
	// The variant for any machine comes last.
	return found[len(found)-1]
}

// A call is a call that the model asks for.
type call struct {
	Name      string         `json:"name"`
	Arguments map[string]any `json:"arguments"`
}

// calls returns a call of each default tool, one for an image, and one that fails.
func (s setup) calls() []call {
	return []call{
		{"list_dir", map[string]any{"path": ".", "depth": 2}},
		{"find_files", map[string]any{"pattern": "*.go"}},
		{"search_text", map[string]any{"pattern": "^package", "context": 1}},
		{"read_file", map[string]any{"path": "src/a <b>.md"}},
		{"read_file", map[string]any{"path": "logo.png"}},
		{"read_file", map[string]any{"path": "/etc/passwd"}},
	}
}

// toolset opens the default tools in this process.
func (s setup) toolset(t *testing.T) *gander.Toolset {
	t.Helper()
	ts, err := gander.Open(gander.Options{Roots: []string{s.project}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ts.Close() })
	return ts
}

// names returns the names of the tools, sorted.
func (s setup) names(t *testing.T) []string {
	t.Helper()
	var names []string
	for _, d := range s.toolset(t).Tools() {
		names = append(names, d.Name)
	}
	return slices.Sorted(slices.Values(names))
}

// answer returns the answer to a call as text, images among it, or the message of its error.
func (s setup) answer(t *testing.T, c call) (text string, failed bool) {
	t.Helper()
	args, err := json.Marshal(c.Arguments)
	if err != nil {
		t.Fatal(err)
	}
	result, err := s.toolset(t).Call(t.Context(), c.Name, args)
	if err != nil {
		return err.Error(), true
	}
	var parts []string
	for _, p := range result.Parts {
		if p.MIMEType != "" {
			parts = append(parts, imageText(p.MIMEType, encoded(p.Data)))
		} else {
			parts = append(parts, p.Text)
		}
	}
	return strings.Join(parts, "\n"), false
}

// testOpencode: opencode starts the server that the project's configuration names, offers its tools to the model, makes the
// calls that the model asks for and returns the answers.
func testOpencode(t *testing.T, s setup) {
	if runtime.GOARCH != "amd64" {
		t.Skip("opencode is installed for amd64")
	}
	m := &model{t: t, calls: s.calls()}
	server := httptest.NewServer(anthropicModel{m, "gander_"})
	defer server.Close()
	config := fmt.Sprintf(`{"model": "anthropic/claude-sonnet-4-5", "provider": {"anthropic": {"options": {"baseURL": "%s/v1", "apiKey": "none"}}}}`, server.URL)
	if err := os.WriteFile(filepath.Join(s.project, "opencode.json"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	s.install(t, "opencode")
	env := []string{"OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1"}
	opencode := s.client(t, "opencode-linux-x64-baseline/bin/opencode")
	if out := s.run(t, env, opencode, "mcp", "list"); !strings.Contains(out, "✓ gander") || !strings.Contains(out, "connected") {
		t.Error(out)
	}
	if out := s.run(t, env, opencode, "run", "read what is here"); !strings.Contains(out, "all read") {
		t.Error(out)
	}
	m.check(t, s)
}

// testBundle: the official mcpb program accepts the manifest and the bundle.
func testBundle(t *testing.T, s setup) {
	mcpb := s.client(t, ".bin/mcpb")
	manifest, err := filepath.Abs("../../release/manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	if out := s.run(t, nil, mcpb, "validate", manifest); !strings.Contains(out, "validation passes") {
		t.Error(out)
	}
	dist := filepath.Join(s.home, "dist")
	program := filepath.Join(dist, "gander") // with the lists that goreleaser writes
	finish(t, "../..", "go", "build", "-ldflags", "-X gander/internal/cli.release=1.0.0", "-o", program, "./cmd/gander")
	lists := map[string]string{
		"metadata.json":  `{"version":"1.0.0"}`,
		"artifacts.json": fmt.Sprintf(`[{"type":"Binary","path":%q,"goos":%q,"goarch":%q}]`, program, runtime.GOOS, runtime.GOARCH),
	}
	for name, text := range lists {
		if err := os.WriteFile(filepath.Join(dist, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	finish(t, "../..", "go", "run", "./release", "-dist", dist)
	unpacked := filepath.Join(s.home, "unpacked")
	s.run(t, nil, mcpb, "unpack", filepath.Join(dist, "gander-1.0.0-"+runtime.GOOS+"-"+runtime.GOARCH+".mcpb"), unpacked)
	if out := s.run(t, nil, mcpb, "validate", unpacked); !strings.Contains(out, "validation passes") {
		t.Error(out)
	}
	if out := s.run(t, nil, filepath.Join(unpacked, "server", "gander"), "--version"); out != "gander 1.0.0\n" {
		t.Errorf("unpacked, the program says %q", out)
	}
	if out := s.run(t, nil, mcpb, "pack", unpacked, filepath.Join(s.home, "again.mcpb")); !strings.Contains(out, "again.mcpb") {
		t.Error(out)
	}
}

// testTypeScript: the official TypeScript client lists and calls the tools over HTTP.
func testTypeScript(t *testing.T, s setup) {
	ctx, cancel := context.WithTimeout(t.Context(), timeout)
	defer cancel()
	url := s.serve(ctx, t)
	request, err := json.Marshal(map[string]any{"url": url, "calls": s.calls()})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, "node", filepath.Join(s.npm, "http.mjs"))
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
			Content []struct{ Type, Text, Data, MIMEType string }
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
	if diff := cmp.Diff(s.names(t), names); diff != "" || got.Server != "gander" {
		t.Errorf("%s (-want +got)\n%s", got.Server, diff)
	}
	for i, c := range s.calls() {
		want, failed := s.answer(t, c)
		r := got.Results[i]
		var parts []string
		for _, p := range r.Content {
			if p.Type == "image" {
				parts = append(parts, imageText(p.MIMEType, p.Data))
			} else {
				parts = append(parts, p.Text)
			}
		}
		if strings.Join(parts, "\n") != want || r.IsError != failed {
			t.Errorf("%s: %+v, not %q", c.Name, r, want)
		}
	}
}

// serve serves the project over HTTP and returns the URL.
func (s setup) serve(ctx context.Context, t *testing.T) string {
	t.Helper()
	cmd := exec.CommandContext(ctx, s.gander, "mcp", "--http", "127.0.0.1:0", "--root", s.project)
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
		// Wait returns an error because the process was killed.
		_ = cmd.Wait()
	})
	buffer := make([]byte, 1024)
	n, err := stderr.Read(buffer)
	if err != nil {
		t.Fatal(err)
	}
	_, url, ok := strings.Cut(strings.TrimSpace(string(buffer[:n])), "serving MCP at ")
	if !ok {
		t.Fatalf("gander mcp printed %q", buffer[:n])
	}
	return url
}
