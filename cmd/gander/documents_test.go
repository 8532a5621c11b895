//go:build unix

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"

	"gander/internal/testkit/fixture"
)

// TestDocuments checks the blocks of the documents: sessions ("console"), commands ("sh"), scripts
// ("python"), configurations ("json", "toml") and Go code ("go"). It also checks links to files.
func TestDocuments(t *testing.T) {
	t.Chdir("../..")
	names, err := filepath.Glob("docs/*.md")
	fixture.Must(t, err)
	for _, name := range append(names, "README.md", "CONTRIBUTING.md", "SECURITY.md") {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(name)
			fixture.Must(t, err)
			checkLinks(t, filepath.Dir(name), string(data))
			checkScripts(t, string(data))
			blocks := regexp.MustCompile("(?ms)^```([a-z]+)\n(.*?)^```$")
			for _, block := range blocks.FindAllStringSubmatch(string(data), -1) {
				switch kind, text := block[1], block[2]; kind {
				case "console":
					checkSession(t, text)
				case "sh":
					checkCommands(t, text)
				case "json":
					checkConfiguration(t, json.Unmarshal, text)
				case "toml":
					checkConfiguration(t, toml.Unmarshal, text)
				case "go":
					checkCode(t, text)
				case "text", "python", "nginx": // TestDeployment runs the latter.
				default:
					t.Errorf("nothing checks a block of %q", kind)
				}
			}
		})
	}
}

func checkLinks(t *testing.T, dir, text string) {
	links := regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)
	for _, link := range links.FindAllStringSubmatch(text, -1) {
		if _, err := os.Stat(filepath.Join(dir, link[1])); err != nil {
			t.Errorf("link to nothing: %v", err)
		}
	}
}

// checkSession runs the lines of a session that begin with "$ ", and compares their output.
func checkSession(t *testing.T, session string) {
	for _, part := range strings.Split("\n"+session, "\n$ ")[1:] {
		command, want, _ := strings.Cut(part, "\n")
		got, _ := run(t, ".", "sh", "-c", command) // a failure shows in the output
		if diff := cmp.Diff(lines(want), lines(got)); diff != "" {
			t.Errorf("%s\n(-shown +printed)\n%s", command, diff)
		}
	}
}

// checkScripts runs the scripts and Go programs whose output is in the next block. Every Python
// script has one.
func checkScripts(t *testing.T, document string) {
	script := regexp.MustCompile("(?ms)^```(sh|python|go)\n(.*?)^```\n\n(?:```text\n(.*?)^```)?")
	for _, block := range script.FindAllStringSubmatch(document, -1) {
		program, args, want := block[1], []string{"-c", block[2]}, block[3]
		switch {
		case program == "python":
			program = "python3"
		case want == "":
			continue
		case program == "go":
			args = []string{"run", goFile(t, block[2])}
		}
		if _, err := exec.LookPath(program); err != nil {
			t.Logf("a script is not run: %v", err)
			continue
		}
		out, err := run(t, ".", program, args...)
		if diff := cmp.Diff(lines(want), lines(out)); err != nil || diff != "" {
			t.Errorf("%v in\n%s\n(-shown +printed)\n%s", err, block[2], diff)
		}
	}
}

// lines returns the lines of an output without the modification times of files.
func lines(output string) []string {
	output = regexp.MustCompile(`("modified_epoch_ms":)-?\d+`).ReplaceAllString(output, "${1}0")
	return strings.Split(strings.TrimRight(output, "\n"), "\n")
}

// checkCommands runs the commands that run gander from source, configure clients or add gander to
// a module, and the servers of clients.
func checkCommands(t *testing.T, text string) {
	if strings.HasPrefix(text, "go mod ") {
		checkModule(t, text)
		return
	}
	for command := range strings.Lines(text) {
		_, server, ok := strings.Cut(command, " -- gander ")
		var out string
		var err error
		switch {
		case ok:
			checkServer(t, strings.Fields(server))
			continue
		case strings.HasPrefix(command, "gander install "):
			out, err = run(t, t.TempDir(), "sh", "-c", strings.ReplaceAll(command, " --write", ""))
		case strings.HasPrefix(command, "go run ./cmd/gander "):
			out, err = run(t, ".", "sh", "-c", command)
		default:
			continue
		}
		if err != nil || out == "" {
			t.Errorf("%s: %v, printed %q", command, err, out)
		}
	}
}

// checkModule runs the commands that add gander to a module, and builds the program of
// docs/library.md in it.
func checkModule(t *testing.T, commands string) {
	if testing.Short() {
		return
	}
	document, err := os.ReadFile("docs/library.md")
	fixture.Must(t, err)
	_, program, _ := strings.Cut(string(document), "```go\n")
	program, _, _ = strings.Cut(program, "```")
	dir := t.TempDir()
	fixture.Must(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte(program), 0o600))
	commands = strings.ReplaceAll(commands, "/src/gander", source(t))
	commands = "set -e\ngo mod init example.com/program\n" + commands + "go vet .\n"
	out, err := run(t, dir, "sh", "-c", commands)
	if regexp.MustCompile("dial tcp|module lookup disabled").MatchString(out) {
		t.Skipf("the modules cannot be downloaded:\n%s", out)
	}
	if err != nil {
		t.Errorf("%s: %v\n%s", commands, err, out)
	}
}

// source returns the path of the repository.
func source(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	fixture.Must(t, err)
	return dir
}

// run returns the output of a program in a directory. In the output, /src/gander is the repository.
func run(t *testing.T, dir, program string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir())
	out, err := cmd.CombinedOutput()
	return strings.ReplaceAll(string(out), source(t), "/src/gander"), err
}

// checkConfiguration starts every server of a client's configuration.
func checkConfiguration(t *testing.T, decode func([]byte, any) error, text string) {
	var document map[string]any
	if err := decode([]byte(text), &document); err != nil {
		t.Errorf("%v in\n%s", err, text)
	}
	checkServers(t, document)
}

func checkServers(t *testing.T, table map[string]any) {
	for _, value := range table {
		if inner, ok := value.(map[string]any); ok {
			checkServers(t, inner)
		}
	}
	if table["command"] != "gander" {
		return
	}
	var args []string
	for _, arg := range table["args"].([]any) {
		args = append(args, arg.(string))
	}
	checkServer(t, args)
}

// checkServer runs a server whose client disconnects immediately.
func checkServer(t *testing.T, args []string) {
	project := strings.NewReplacer("/path/to/project", t.TempDir(), "${workspaceFolder}", t.TempDir())
	for i := range args {
		args[i] = project.Replace(args[i])
	}
	want := ""
	if slices.Contains(args, "filesystem") {
		want = "Secure MCP Filesystem Server running on stdio\n"
	}
	out, err := run(t, ".", "gander", args...)
	if err != nil || out != want || !slices.Contains(args, "mcp") {
		t.Errorf("gander %q: %v, printed %q, want %q", args, err, out, want)
	}
}

// goFile writes a program to a file and returns its path.
func goFile(t *testing.T, program string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "main.go")
	fixture.Must(t, os.WriteFile(path, []byte(program), 0o600))
	return path
}

// checkCode runs a program. It looks for a part of a program in example_test.go.
func checkCode(t *testing.T, code string) {
	if strings.HasPrefix(code, "package main\n") {
		if out, err := run(t, ".", "go", "run", goFile(t, code)); err != nil || out == "" {
			t.Errorf("%v, printed %q\n%s", err, out, code)
		}
		return
	}
	examples, err := os.ReadFile("example_test.go")
	fixture.Must(t, err)
	indented := regexp.MustCompile(`(?m)^(.)`).ReplaceAllString(code, "\t$1")
	if !strings.Contains(string(examples), indented) {
		t.Errorf("example_test.go lacks\n%s", indented)
	}
}
