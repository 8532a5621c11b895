// Package clients tests real MCP clients. They start gander, list its tools, and call the tools.
package clients

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gander"
	"gander/internal/testkit"
)

// readme is the text of README.md in the project.
const readme = "# Title\n\nSome text.\n"

// timeout bounds a client that hangs.
const timeout = 2 * time.Minute

// A setup is the environment of a client.
type setup struct {
	packages map[string]packages // by directory of testdata
	gander   string              // path of the program
	home     string              // home directory of the client
	project  string              // working directory of the client
}

// packages installs the packages of a lock file at its first call. It returns their directory.
type packages func() (string, error)

// TestClients runs every client, and the protocol's own suites. It downloads a gigabyte once, so it
// runs only in continuous integration, or if GANDER_CLIENTS is set.
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
	if err != nil && os.Getenv("CI") == "" {
		t.Skipf("needs npm to install the clients: %v", err)
	}
	testkit.Must(t, err)
	program := filepath.Join(t.TempDir(), "gander")
	finish(t, "../..", "go", "build", "-o", program, "./cmd/gander")
	s := setup{gander: program, packages: make(map[string]packages)}
	for _, dir := range []string{"npm", "frameworks", "suites"} {
		s.packages[dir] = sync.OnceValues(func() (string, error) { return install(npm, dir) })
	}
	tests := map[string]func(*testing.T, setup){
		"bundle":          testBundle,
		"filesystem":      testFilesystem,
		"inspector":       testInspector,
		"typescript-http": testTypeScript,
	}
	for revision, scenarios := range map[string]int{"2025-11-25": 30, "2026-07-28": 37} {
		tests[revision] = testRevision(revision, scenarios)
	}
	for name, a := range agents() {
		tests[name] = a.test
	}
	for _, name := range []string{"ai-sdk", "langchain", "openai-agents", "mastra"} {
		tests[name] = testFramework(name)
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root, err := filepath.EvalSymlinks(t.TempDir())
			testkit.Must(t, err)
			s := s
			s.home, s.project = filepath.Join(root, "home"), filepath.Join(root, "project")
			for path, text := range map[string]string{
				"README.md": readme, "src/main.go": "package main\n", "logo.png": logo(t),
				"src/a <b>.md": "\ttab \"quote\" \\ é\n",
			} {
				write(t, filepath.Join(s.project, path), text)
			}
			testkit.Must(t, os.Mkdir(s.home, 0o755))
			test(t, s)
		})
	}
}

// logo returns a small image.
func logo(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	testkit.Must(t, png.Encode(&b, image.NewNRGBA(image.Rect(0, 0, 16, 16))))
	return b.String()
}

// install returns a directory with the packages of the lock file in dir, and with the other files
// there. They stay in the user's cache for the next run.
func install(npm, dir string) (string, error) {
	dir = filepath.Join("testdata", dir)
	sum := sha256.New()
	for _, name := range []string{"package.json", "package-lock.json"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(sum, "%s %d %s", name, len(data), data)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	ready := filepath.Join(cache, "gander-clients", fmt.Sprintf("%x", sum.Sum(nil)[:8]))
	if _, err := os.Stat(ready); err == nil {
		return ready, nil
	}
	// The directory gets its name when it is complete.
	fresh := fmt.Sprint(ready, ".", os.Getpid())
	defer os.RemoveAll(fresh)
	if err := os.CopyFS(fresh, os.DirFS(dir)); err != nil {
		return "", err
	}
	cmd := exec.Command(npm, "ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund",
		"--loglevel=error")
	cmd.Dir = fresh
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm ci: %w\n%s", err, out)
	}
	if err := os.Rename(fresh, ready); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	return ready, nil
}

// installed returns the path of a file that npm has installed, or the last one that the pattern
// matches.
func (s setup) installed(t *testing.T, dir, pattern string) string {
	t.Helper()
	packages, err := s.packages[dir]()
	testkit.Must(t, err)
	found, err := filepath.Glob(filepath.Join(packages, "node_modules", filepath.FromSlash(pattern)))
	if err != nil || len(found) == 0 {
		t.Fatalf("npm did not install %s: %v", pattern, err)
	}
	return found[len(found)-1]
}

// finish runs a command for the test itself.
func finish(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
}

// write writes a file, in a new directory if necessary.
func write(t *testing.T, path, text string) {
	t.Helper()
	testkit.Must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	testkit.Must(t, os.WriteFile(path, []byte(text), 0o600))
}

// run runs a command in the project, with a home and an environment of its own, and returns its
// output. This must contain all of want.
func (s setup) run(t *testing.T, env, want []string, name string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = s.project
	cmd.Env = append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + s.home, "TMPDIR=" + os.TempDir(),
		"TERM=dumb", "NO_COLOR=1",
	}, env...)
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", filepath.Base(name), args, err, out)
	}
	for _, text := range want {
		if !strings.Contains(string(out), text) {
			t.Errorf("%s %q: no %q in\n%s", filepath.Base(name), args, text, out)
		}
	}
	return string(out)
}

// A call is a call that the model asks for.
type call struct {
	Name      string         `json:"name"`
	Arguments map[string]any `json:"arguments"`
}

// calls returns calls to each default tool, for an image, and with a missing file.
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

// answers returns the sorted names of the tools, and the result of each call as text, with a text
// for each image, or the message of its error.
func (s setup) answers(t *testing.T) (names, texts []string) {
	t.Helper()
	ts := testkit.Open(t, gander.Options{Roots: []string{s.project}})
	for _, d := range ts.Tools() {
		names = append(names, d.Name)
	}
	for _, c := range s.calls() {
		args, err := json.Marshal(c.Arguments)
		testkit.Must(t, err)
		result, err := ts.Call(t.Context(), c.Name, args)
		text := ""
		if err != nil {
			text = err.Error()
		}
		for _, p := range result.Parts {
			if text += p.Text; p.MIMEType != "" {
				text += imageText(p.MIMEType, base64.StdEncoding.EncodeToString(p.Data))
			}
		}
		texts = append(texts, text)
	}
	return slices.Sorted(slices.Values(names)), texts
}

// imageText returns the text for an image in base64.
func imageText(mimeType, data string) string { return "\n[" + mimeType + " " + data + "]" }

// A session holds the data that an MCP client received.
type session struct {
	Server  string
	Tools   []string
	Results []struct {
		Content           []struct{ Text, Data, MIMEType string }
		StructuredContent struct{ Content string }
		IsError           bool
	}
}

// node runs a program of testdata in the directory of its packages, with a request as JSON.
func (s setup) node(
	t *testing.T, dir, script string, request object, env ...string,
) (received session) {
	t.Helper()
	program, err := os.ReadFile(filepath.Join("testdata", dir, script))
	testkit.Must(t, err)
	packages, err := s.packages[dir]()
	testkit.Must(t, err)
	input, err := json.Marshal(request)
	testkit.Must(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", "--input-type=module", "--eval", string(program))
	cmd.Dir, cmd.Env, cmd.Stdin = packages, append(os.Environ(), env...), bytes.NewReader(input)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	testkit.Must(t, json.Unmarshal(out, &received))
	slices.Sort(received.Tools)
	return received
}

// check compares a session with the tools and results of this process. A program can add text to
// an error.
func (s setup) check(t *testing.T, got session) {
	t.Helper()
	names, texts := s.answers(t)
	if diff := cmp.Diff(names, got.Tools); diff != "" {
		t.Errorf("tools (-want +got)\n%s", diff)
	}
	for i, want := range texts {
		text := ""
		for _, p := range got.Results[i].Content {
			if text += p.Text; p.Data != "" {
				text += imageText(p.MIMEType, p.Data)
			}
		}
		last := i == len(texts)-1
		if text != want && !(last && strings.Contains(text, want)) {
			t.Errorf("%s: %.300q, not %.300q", s.calls()[i].Name, text, want)
		}
	}
}

// testTypeScript checks that the official TypeScript client lists and calls the tools over HTTP.
func testTypeScript(t *testing.T, s setup) {
	url := s.serve(t, "--root", s.project)
	request := map[string]any{"url": url, "calls": s.calls()}
	got := s.node(t, "npm", "client.mjs", request)
	s.check(t, got)
	if got.Server != "gander" || !got.Results[len(got.Results)-1].IsError {
		t.Errorf("%+v", got)
	}
}

// serve runs gander mcp over HTTP, and returns the URL.
func (s setup) serve(t *testing.T, args ...string) string {
	t.Helper()
	args = append([]string{"mcp", "--http", "0"}, args...)
	cmd := exec.CommandContext(t.Context(), s.gander, args...)
	stderr, err := cmd.StderrPipe()
	testkit.Must(t, err)
	testkit.Must(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Wait() }) // The context has ended, and the process with it.
	buffer := make([]byte, 1024)
	n, err := stderr.Read(buffer)
	testkit.Must(t, err)
	_, url, ok := strings.Cut(strings.TrimSpace(string(buffer[:n])), "serving MCP at ")
	if !ok {
		t.Fatalf("gander mcp printed %q", buffer[:n])
	}
	return url
}

// testFramework returns a test of a framework for agents. Its MCP client offers the tools to a
// model, and gives it the answers and their images.
func testFramework(name string) func(*testing.T, setup) {
	return func(t *testing.T, s setup) {
		s.check(t, s.node(t, "frameworks", "frameworks.mjs", map[string]any{
			"framework": name, "command": s.gander, "args": []string{"mcp", "--root", s.project},
			"calls": s.calls(),
		}))
	}
}

// testBundle checks that the official mcpb program accepts the manifest and the bundle.
func testBundle(t *testing.T, s setup) {
	mcpb := s.installed(t, "npm", ".bin/mcpb")
	valid := []string{"validation passes"}
	manifest, err := filepath.Abs("../../release/manifest.json")
	testkit.Must(t, err)
	s.run(t, nil, valid, mcpb, "validate", manifest)
	dist := filepath.Join(s.home, "dist")
	program := filepath.Join(dist, "gander") // with the lists that goreleaser writes
	finish(t, "../..", "go", "build", "-ldflags", "-X gander/internal/cli.release=1.0.0",
		"-o", program, "./cmd/gander")
	write(t, filepath.Join(dist, "metadata.json"), `{"version":"1.0.0"}`)
	write(t, filepath.Join(dist, "artifacts.json"), fmt.Sprintf(
		`[{"type":"Binary","path":%q,"goos":%q,"goarch":%q}]`, program, runtime.GOOS, runtime.GOARCH))
	finish(t, "../..", "go", "run", "./release", "-dist", dist)
	unpacked := filepath.Join(s.home, "unpacked")
	bundle := filepath.Join(dist, "gander-1.0.0-"+runtime.GOOS+"-"+runtime.GOARCH+".mcpb")
	s.run(t, nil, nil, mcpb, "unpack", bundle, unpacked)
	s.run(t, nil, valid, mcpb, "validate", unpacked)
	s.run(t, nil, []string{"gander 1.0.0\n"}, filepath.Join(unpacked, "server", "gander"), "--version")
	again := filepath.Join(s.home, "again.mcpb")
	s.run(t, nil, []string{"again.mcpb"}, mcpb, "pack", unpacked, again)
}

// sample is the directory that the protocol's suites use.
const sample = "../../testdata/sample"

// testRevision returns a test with the protocol's own suite over HTTP, in a revision that has a
// list of requirements. The scenarios that call the suite's own tools, prompts and resources are
// expected to fail.
func testRevision(revision string, scenarios int) func(*testing.T, setup) {
	return func(t *testing.T, s setup) {
		url := s.serve(t, "--root", sample, "--tools", "forge/list_directory",
			"--tools", "codex/read_file", "--tools", "toolkit/tree")
		failures, err := filepath.Abs("testdata/suites/fixtures-" + revision + ".yml")
		testkit.Must(t, err)
		out := s.suite(t, "conformance", "server", "--url", url, "--requirements", revision,
			"--expected-failures", failures)
		if ran := strings.Count(out, "=== Running scenario: "); ran < scenarios {
			t.Errorf("%d scenarios were run, not %d\n%s", ran, scenarios, out)
		}
	}
}

// testInspector checks that the Inspector, which reports doubtful definitions, reports none over
// both transports.
func testInspector(t *testing.T, s setup) {
	root, err := filepath.Abs(sample)
	testkit.Must(t, err)
	for _, tt := range []struct {
		target    []string
		era, want string
	}{
		{[]string{s.serve(t, "--root", root, "--tools", "toolkit/tree")}, "modern", `"tree"`},
		{[]string{s.gander, "mcp", "--root", root}, "legacy", `"find_files"`},
		{[]string{s.gander, "mcp", "--root", root, "--tools", "all"}, "modern", `"tree"`},
	} {
		args := append([]string{"--cli"}, tt.target...)
		args = append(args, "--protocol-era", tt.era, "--format", "json", "--method", "tools/list",
			"--strict")
		out := s.suite(t, "mcp-inspector", args...)
		if !strings.Contains(out, tt.want) || strings.Contains(strings.ToLower(out), "warning") {
			t.Errorf("%q, %s: %s", tt.target, tt.era, out)
		}
	}
}

// suite runs a program of the suites, which need a recent Node.js, and returns its output.
func (s setup) suite(t *testing.T, program string, args ...string) string {
	t.Helper()
	arch := strings.Replace(runtime.GOARCH, "amd64", "x64", 1)
	node := s.installed(t, "suites", "node-linux-"+arch+"/bin/node")
	args = append([]string{s.installed(t, "suites", ".bin/"+program)}, args...)
	return s.run(t, nil, nil, node, args...)
}
