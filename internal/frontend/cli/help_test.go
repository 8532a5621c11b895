//go:build unix

package cli

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

// everyCommand are all commands, the root first.
func everyCommand(t *testing.T) []*cobra.Command {
	t.Helper()
	root := newRootCmd()
	root.InitDefaultHelpCmd()
	all := []*cobra.Command{root}
	for i := 0; i < len(all); i++ {
		all = append(all, available(all[i])...)
	}
	return all
}

func TestHelpBeginsWithExamples(t *testing.T) {
	for _, cmd := range everyCommand(t) {
		text := helpText(cmd)
		if !strings.HasPrefix(text, "Examples:\n  ") {
			t.Errorf("the help of %s begins with %.60q", cmd.CommandPath(), text)
		}
		if !strings.Contains(text, "\nUsage: "+cmd.CommandPath()) {
			t.Errorf("the help of %s does not say how it is called", cmd.CommandPath())
		}
		for line := range strings.Lines(text) {
			// What is shown as it is typed is not broken, nor is a heading of the list of commands.
			if len(line) > helpWidth+1 && !strings.HasPrefix(line, "  ") {
				t.Errorf("the help of %s is wider than %d columns: %q", cmd.CommandPath(), helpWidth, line)
			}
		}
	}
}

// One screen has 24 lines. What has more flags than that is listed here, and the root, which has as many commands.
func TestHelpFitsOneScreen(t *testing.T) {
	large := []string{"gander", "gander tree", "gander ls", "gander read", "gander mcp", "gander install"}
	for _, cmd := range everyCommand(t) {
		if n := strings.Count(helpText(cmd), "\n"); n > 24 && !slices.Contains(large, cmd.CommandPath()) {
			t.Errorf("the help of %s has %d lines", cmd.CommandPath(), n)
		}
	}
}

func TestHelpListsTheExitCodes(t *testing.T) {
	text := helpText(newRootCmd())
	for _, code := range []string{"0 answered", "1 failed", "2 wrong usage", "3 not found", "4 not a directory", "5 outside", "6 denied", "7 truncated", "8 timeout", "130 interrupted"} {
		if !strings.Contains(text, code) {
			t.Errorf("the help does not say %q", code)
		}
	}
}

// What the examples name is made for them.
var exampleFiles = map[string]string{
	"main.go": strings.Repeat("package main\n", 200), "README.TXT": "caf\xe9\n", "gander.toml": "limits.timeout = \"5s\"\n",
	"src/main.go": "package main\n", "src/a/b/c/x": "x", "node_modules/x/x": "x", "home/project/x": "x",
	"home/.local/share/man/man1/gander.1": "old", "token": "0123456789abcdef\n",
}

// TestExamplesRun runs every line of every example, as far as it runs gander, in a shell of its own.
func TestExamplesRun(t *testing.T) {
	for _, cmd := range everyCommand(t) {
		for line := range strings.Lines(cmd.Example) {
			line = strings.TrimSpace(line)
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			t.Run(line, func(t *testing.T) { runExample(t, line) })
		}
	}
}

func runExample(t *testing.T, line string) {
	dir := t.TempDir()
	for name, content := range exampleFiles {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if strings.HasSuffix(line, "config init gander.toml") { // which must not exist
		if err := os.Remove(filepath.Join(dir, "gander.toml")); err != nil {
			t.Fatal(err)
		}
	}
	// Absolute paths of the examples lie in the directory, and what follows a pipe is another program.
	line = strings.ReplaceAll(line, `/src`, dir+"/src")
	line = regexp.MustCompile(` \| (source|man|Out-String).*$|^source <\((.*)\)$`).ReplaceAllString(line, "$2")
	if strings.Contains(line, " --http ") {
		checkFlags(t, line)
		return
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	shell := exec.CommandContext(ctx, "sh", "-c", line)
	shell.Dir = dir
	shell.Env = append(os.Environ(), "HOME="+filepath.Join(dir, "home"))
	if out, err := shell.CombinedOutput(); err != nil {
		t.Errorf("%s: %v\n%s", line, err, out)
	}
}

// checkFlags checks a command that would go on for ever, up to where it begins.
func checkFlags(t *testing.T, line string) {
	cmd, args, err := newRootCmd().Find(strings.Fields(line)[1:])
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.ParseFlags(args); err != nil {
		t.Error(err)
	}
	if err := cmd.ValidateArgs(cmd.Flags().Args()); err != nil {
		t.Error(err)
	}
}

// TestPages formats every page as man does, and wants no complaint.
func TestPages(t *testing.T) {
	groff := needed(t, "groff")
	for _, cmd := range everyCommand(t) {
		formatted := exec.Command(groff, "-man", "-ww", "-z", "-Tutf8", "-Kutf8")
		formatted.Stdin = strings.NewReader(page(cmd))
		if out, err := formatted.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", cmd.CommandPath(), err, out)
		}
		shown := exec.Command(groff, "-man", "-Tutf8", "-P-c", "-rLL=200n")
		shown.Stdin = strings.NewReader(page(cmd))
		out, err := shown.Output()
		if err != nil {
			t.Fatal(err)
		}
		// The page says what the help says, word for word.
		words := func(text string) string {
			text = regexp.MustCompile(`.\x08`).ReplaceAllString(text, "")
			text = strings.NewReplacer("‐\n", "", "−", "-", "’", "'").Replace(text)
			return strings.Join(strings.Fields(text), " ")
		}
		for _, want := range append(strings.Split(about(cmd), "\n\n"), strings.Split(cmd.Example, "\n")...) {
			if !strings.Contains(words(string(out)), words(want)) {
				t.Errorf("the page of %s lacks %q", cmd.CommandPath(), words(want))
			}
		}
	}
}

func TestEscapeRoff(t *testing.T) {
	for text, want := range map[string]string{
		"a-b": `a\-b`, `c:\d`: `c:\ed`, ".x": `\&.x`, "'x'": `\(aqx\(aq`, "~`^": `\(ti\(ga\(ha`, "": "",
	} {
		if got := escapeRoff(text); got != want {
			t.Errorf("%q: %q, not %q", text, got, want)
		}
	}
}

func TestNear(t *testing.T) {
	words := []string{"tree", "read", "call", "config", "codex/list_dir", "list_dir", "forge"}
	for word, want := range map[string][]string{
		"tre": {"tree"}, "treee": {"tree"}, "raed": {"read"}, "CALL": {"call"}, "cofnig": {"config"}, "list-dir": {"list_dir"},
		"lsit_dir": {"list_dir"}, "frog": nil, "x": nil, "": nil, "tr": nil, "frobnicate": nil, "codex/listdir": {"codex/list_dir"},
	} {
		if diff := cmp.Diff(want, near(word, words)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", word, diff)
		}
	}
}

// What the version tells of the protocol is what the server does.
func TestRevisions(t *testing.T) {
	for _, revision := range revisions()[:len(revisions())-1] {
		var stdout, stderr strings.Builder
		in := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"` + revision + `","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}` + "\n"
		if code := Run(t.Context(), []string{"mcp", "--root", t.TempDir()}, strings.NewReader(in), &stdout, &stderr); code != 0 {
			t.Fatalf("exit code %d: %s", code, stderr.String())
		}
		var reply struct {
			Result struct{ ProtocolVersion string }
		}
		if err := json.Unmarshal([]byte(stdout.String()), &reply); err != nil || reply.Result.ProtocolVersion != revision {
			t.Errorf("%s: %v, %s", revision, err, stdout.String())
		}
	}
	var stdout, stderr strings.Builder
	last := revisions()[len(revisions())-1]
	in := `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"` + last + `","io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}` + "\n"
	Run(t.Context(), []string{"mcp", "--root", t.TempDir()}, strings.NewReader(in), &stdout, &stderr)
	var reply struct {
		Result struct{ SupportedVersions []string }
	}
	if err := json.Unmarshal([]byte(stdout.String()), &reply); err != nil {
		t.Fatal(err)
	}
	slices.Sort(reply.Result.SupportedVersions)
	if diff := cmp.Diff(revisions(), reply.Result.SupportedVersions); diff != "" {
		t.Errorf("revisions (-told +served):\n%s\n%s", diff, stdout.String())
	}
}
