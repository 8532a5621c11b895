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

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/program"
)

func TestMain(m *testing.M) { program.Main(m) }

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

// newSetup returns the environment of all clients. It skips the test, except in continuous
// integration, because they download a gigabyte once. GANDER_CLIENTS=1 runs them elsewhere too.
func newSetup(t *testing.T, programs ...string) setup {
	t.Helper()
	if testing.Short() {
		t.Skip("runs other programs")
	}
	if os.Getenv("CI") == "" && os.Getenv("GANDER_CLIENTS") == "" {
		t.Skip("downloads a gigabyte of clients; set GANDER_CLIENTS=1 to run it")
	}
	if runtime.GOOS != "linux" {
		t.Skip("the clients are installed for Linux")
	}
	for _, program := range append(programs, "node", "npm") {
		_, err := exec.LookPath(program)
		if err != nil && os.Getenv("CI") == "" {
			t.Skipf("needs %s: %v", program, err)
		}
		testkit.Must(t, err)
	}
	gander, err := program.Path()
	testkit.Must(t, err)
	s := setup{gander: gander, packages: make(map[string]packages)}
	for _, dir := range []string{"npm", "frameworks", "suites"} {
		s.packages[dir] = sync.OnceValues(func() (string, error) { return install(dir) })
	}
	return s
}

// in returns the environment of one client, with a home directory and a project of its own.
func (s setup) in(t *testing.T) setup {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	testkit.Must(t, err)
	s.home, s.project = filepath.Join(root, "home"), filepath.Join(root, "project")
	for path, text := range map[string]string{
		"README.md": readme, "src/main.go": "package main\n", "logo.png": logo(t),
		"src/a <b>.md": "\ttab \"quote\" \\ é\n",
	} {
		write(t, filepath.Join(s.project, path), text)
	}
	testkit.Must(t, os.Mkdir(s.home, 0o755))
	return s
}

// TestClients runs every client, and the protocol's own suites.
func TestClients(t *testing.T) {
	s := newSetup(t)
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
			test(t, s.in(t))
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
func install(dir string) (string, error) {
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
	cmd := exec.Command("npm", "ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund",
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
	Name      string `json:"name"`
	Arguments object `json:"arguments"`
}

func (c call) arguments() string {
	data, err := json.Marshal(c.Arguments)
	if err != nil {
		panic(err) // the arguments are maps of strings and numbers
	}
	return string(data)
}

// calls returns calls to each default tool, for an image, and with a missing file.
func (s setup) calls() []call {
	return []call{
		{"list_dir", object{"path": ".", "depth": 2}},
		{"find_files", object{"pattern": "*.go"}},
		{"search_text", object{"pattern": "^package", "context": 1}},
		{"read_file", object{"path": "src/a <b>.md"}},
		{"read_file", object{"path": "logo.png"}},
		{"read_file", object{"path": "/etc/passwd"}},
	}
}

// check checks that a client received the names of the default tools, and the text and images of
// each call or the message of its error.
func (s setup) check(t *testing.T, received []string) {
	t.Helper()
	ts := testkit.Open(t, gander.Options{Roots: []string{s.project}, Tools: []string{"gander"}})
	for _, d := range ts.Tools() {
		checkContains(t, received, d.Name)
	}
	for _, c := range s.calls() {
		result, err := ts.Call(t.Context(), c.Name, []byte(c.arguments()))
		if err != nil {
			checkContains(t, received, err.Error())
		}
		for _, p := range result.Parts {
			checkContains(t, received, p.Text+base64.StdEncoding.EncodeToString(p.Data), p.MIMEType)
		}
	}
}

// checkContains checks that each of want is in one of the strings that a client received.
func checkContains(t *testing.T, received []string, want ...string) {
	t.Helper()
	for _, text := range want {
		if !slices.ContainsFunc(received, func(r string) bool { return strings.Contains(r, text) }) {
			t.Errorf("%q is not in %.5000q", text, received)
		}
	}
}

// node runs a program of testdata in the directory of its packages, with a request as JSON, and
// returns the strings that the client received.
func (s setup) node(t *testing.T, dir, script string, request object, env ...string) []string {
	t.Helper()
	return stringsIn(s.nodeOutput(t, dir, script, request, env...))
}

// nodeOutput runs a program as node does, and returns its output.
func (s setup) nodeOutput(
	t *testing.T, dir, script string, request object, env ...string,
) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", dir, script))
	testkit.Must(t, err)
	packages, err := s.packages[dir]()
	testkit.Must(t, err)
	input, err := json.Marshal(request)
	testkit.Must(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", "--input-type=module", "--eval", string(text))
	cmd.Dir, cmd.Env, cmd.Stdin = packages, append(os.Environ(), env...), bytes.NewReader(input)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	return out
}

// testTypeScript checks that the official TypeScript client lists and calls the tools over HTTP.
func testTypeScript(t *testing.T, s setup) {
	_, addr := program.Serve(t, 0, "--root", s.project)
	request := object{"url": "http://" + addr + "/mcp", "calls": s.calls()}
	got := s.node(t, "npm", "client.mjs", request)
	s.check(t, got)
	checkContains(t, got, "gander")
}

// testFramework returns a test of a framework for agents. Its MCP client offers the tools to a
// model, and gives it the answers and their images.
func testFramework(name string) func(*testing.T, setup) {
	return func(t *testing.T, s setup) {
		s.check(t, s.node(t, "frameworks", "frameworks.mjs", object{
			"framework": name, "command": s.gander, "args": []string{"mcp", "--root", s.project},
			"calls": s.calls(),
		}))
	}
}

// testBundle checks that the official mcpb program accepts the bundle.
func testBundle(t *testing.T, s setup) {
	mcpb := s.installed(t, "npm", ".bin/mcpb")
	valid := []string{"validation passes"}
	dist := filepath.Join(s.home, "dist")
	built := filepath.Join(dist, "gander") // with the lists that goreleaser writes
	finish(t, "../..", "go", "build", "-ldflags", "-X gander/internal/cli.release=1.0.0",
		"-o", built, "./cmd/gander")
	write(t, filepath.Join(dist, "metadata.json"), `{"version":"1.0.0"}`)
	write(t, filepath.Join(dist, "artifacts.json"), fmt.Sprintf(
		`[{"type":"Binary","path":%q,"goos":%q,"goarch":%q}]`, built, runtime.GOOS, runtime.GOARCH))
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
		_, addr := program.Serve(t, 0, "--root", sample, "--tools", "forge/list_directory",
			"--tools", "codex/read_file", "--tools", "toolkit/tree")
		failures, err := filepath.Abs("testdata/suites/fixtures-" + revision + ".yml")
		testkit.Must(t, err)
		out := s.suite(t, "conformance", "server", "--url", "http://"+addr+"/mcp",
			"--requirements", revision, "--expected-failures", failures)
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
	_, addr := program.Serve(t, 0, "--root", root, "--tools", "toolkit/tree")
	for _, tt := range []struct {
		target    []string
		era, want string
	}{
		{[]string{"http://" + addr + "/mcp"}, "modern", `"tree"`},
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
