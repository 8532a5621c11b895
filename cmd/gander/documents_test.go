//go:build unix

package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"
)

// top is the root of the repository, where the commands are run.
const top = "../.."

// TestDocuments checks the blocks of the documents: sessions ("console"), commands ("sh"), scripts
// ("python"), configurations ("json", "toml") and Go code ("go"). It also checks links to files.
func TestDocuments(t *testing.T) {
	for _, name := range documents(t) {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join(top, name))
			if err != nil {
				t.Fatal(err)
			}
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
				case "text", "python":
				default:
					t.Errorf("nothing checks a block of %q", kind)
				}
			}
		})
	}
}

// documents returns the documents, the README first.
func documents(t *testing.T) []string {
	t.Helper()
	names := []string{"README.md", "CONTRIBUTING.md", "SECURITY.md"}
	err := fs.WalkDir(os.DirFS(top), "docs", func(name string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(name, ".md") {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func checkLinks(t *testing.T, dir, text string) {
	links := regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)
	for _, link := range links.FindAllStringSubmatch(text, -1) {
		if _, err := os.Stat(filepath.Join(top, dir, link[1])); err != nil {
			t.Errorf("link to nothing: %v", err)
		}
	}
}

// checkSession runs the lines of a session that begin with "$ ", and compares their output.
func checkSession(t *testing.T, session string) {
	for _, part := range strings.Split("\n"+session, "\n$ ")[1:] {
		command, want, _ := strings.Cut(part, "\n")
		got, _ := run(t, command) // a failure shows in the output
		if diff := cmp.Diff(lines(want), lines(got)); diff != "" {
			t.Errorf("%s\n(-shown +printed)\n%s", command, diff)
		}
	}
}

// checkScripts runs the scripts whose output is in the next block. Every Python script has one.
func checkScripts(t *testing.T, document string) {
	script := regexp.MustCompile("(?ms)^```(sh|python)\n(.*?)^```\n\n(?:```text\n(.*?)^```)?")
	for _, block := range script.FindAllStringSubmatch(document, -1) {
		kind, text, want := block[1], block[2], block[3]
		program := []string{"sh", "-c", text}
		switch {
		case kind == "python":
			program = []string{"python3", "-c", text}
		case want == "":
			continue
		}
		if _, err := exec.LookPath(program[0]); err != nil {
			t.Logf("a script is not run: %v", err)
			continue
		}
		cmd := exec.Command(program[0], program[1:]...)
		cmd.Dir = top
		out, err := cmd.CombinedOutput()
		if diff := cmp.Diff(lines(want), lines(string(out))); err != nil || diff != "" {
			t.Errorf("%v in\n%s\n(-shown +printed)\n%s", err, text, diff)
		}
	}
}

// lines returns the lines of an output without the modification times of files.
func lines(output string) []string {
	output = regexp.MustCompile(`("modified_epoch_ms":)-?\d+`).ReplaceAllString(output, "${1}0")
	return strings.Split(strings.TrimRight(output, "\n"), "\n")
}

// checkCommands runs the commands that build gander, run it from source or configure clients, and
// the servers of clients.
func checkCommands(t *testing.T, text string) {
	if strings.HasPrefix(text, "go mod ") {
		checkModule(t, text)
		return
	}
	for command := range strings.Lines(text) {
		_, server, told := strings.Cut(command, " -- gander ")
		switch {
		case told:
			checkServer(t, strings.Fields(server))
		case strings.HasPrefix(command, "gander install "):
			checkInstall(t, command)
		case strings.HasPrefix(command, "CGO_ENABLED=0 go build "):
			binary := filepath.Join(t.TempDir(), "gander")
			out, err := run(t, strings.Replace(command, " gander ", " "+binary+" ", 1))
			if err != nil {
				t.Errorf("%s: %v, printed %q", command, err, out)
			}
		case strings.HasPrefix(command, "go run "):
			if out, err := run(t, command); err != nil || out == "" {
				t.Errorf("%s: %v, printed %q", command, err, out)
			}
		}
	}
}

// checkInstall runs a command that configures clients, without --write.
func checkInstall(t *testing.T, command string) {
	cmd := exec.Command("sh", "-c", strings.ReplaceAll(command, " --write", ""))
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "TMPDIR="+t.TempDir())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%s: %v\n%s", command, err, out)
	}
}

// checkModule runs the commands that add gander to a module, and builds the program of
// docs/library.md in it.
func checkModule(t *testing.T, commands string) {
	if testing.Short() {
		return
	}
	where, err := filepath.Abs(top)
	if err != nil {
		t.Fatal(err)
	}
	document, err := os.ReadFile(filepath.Join(top, "docs", "library.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, program, _ := strings.Cut(string(document), "```go\n")
	program, _, _ = strings.Cut(program, "```")
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	commands = strings.ReplaceAll(commands, "/src/gander", where)
	script := "set -e\ngo mod init example.com/program\n" + commands + "go vet .\n"
	cmd := exec.Command("sh", "-c", script)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		if regexp.MustCompile("dial tcp|module lookup disabled").Match(out) {
			t.Skipf("the modules cannot be fetched:\n%s", out)
		}
		t.Errorf("%s: %v\n%s", commands, err, out)
	}
}

// run runs a command in the repository, and returns its output, which calls it /src/gander.
func run(t *testing.T, command string) (string, error) {
	t.Helper()
	where, err := filepath.Abs(top)
	if err != nil {
		t.Fatal(err)
	}
	command = strings.ReplaceAll(command, "go run ./cmd/gander ", "gander ")
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir = top
	cmd.Env = append(os.Environ(), "PWD="+where)
	out, err := cmd.CombinedOutput()
	return strings.ReplaceAll(string(out), where, "/src/gander"), err
}

// checkConfiguration starts every server of a client's configuration.
func checkConfiguration(t *testing.T, decode func([]byte, any) error, text string) {
	var document map[string]any
	if err := decode([]byte(text), &document); err != nil {
		t.Errorf("%v in\n%s", err, text)
		return
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
	project := t.TempDir()
	if !slices.Contains(args, "mcp") {
		t.Errorf("gander %q is not a server", args)
	}
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "/path/to/project", project)
		args[i] = strings.ReplaceAll(args[i], "${workspaceFolder}", project)
	}
	want := ""
	if slices.Contains(args, "filesystem") {
		want = "Secure MCP Filesystem Server running on stdio\n"
	}
	cmd := exec.Command("gander", args...)
	if out, err := cmd.CombinedOutput(); err != nil || string(out) != want {
		t.Errorf("gander %q: %v, printed %q, want %q", args, err, out, want)
	}
}

// checkCode runs a program. It looks for a part of a program in example_test.go.
func checkCode(t *testing.T, code string) {
	if strings.HasPrefix(code, "package main\n") {
		program := filepath.Join(t.TempDir(), "main.go")
		if err := os.WriteFile(program, []byte(code), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := run(t, "go run "+program); err != nil || out == "" {
			t.Errorf("%v, printed %q\n%s", err, out, code)
		}
		return
	}
	examples, err := os.ReadFile(filepath.Join(top, "example_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	indented := regexp.MustCompile(`(?m)^(.)`).ReplaceAllString(code, "\t$1")
	if !strings.Contains(string(examples), indented) {
		t.Errorf("example_test.go lacks\n%s", indented)
	}
}
