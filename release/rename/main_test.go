package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestRename renames a copy of the repository, twice.
func TestRename(t *testing.T) {
	dir := copyRepository(t)
	t.Chdir(dir)
	if old, err := current(); err != nil || old.module != source {
		t.Skipf("the module has an owner: %+v, %v", old, err)
	}
	wantImports := importsOf(t, source)
	for _, n := range []names{
		{"github.com/acme/gander", "acme"}, {"git.example.org/tools/gander", "the-tools"},
	} {
		changed, err := rename(n.module, n.owner)
		if err != nil || changed < 200 {
			t.Fatalf("%s: %d files, %v", n.module, changed, err)
		}
		if got := importsOf(t, n.module); got != wantImports {
			t.Errorf("%s: the packages have the imports\n%s, before\n%s", n.module, got, wantImports)
		}
		for file, want := range wantParts(n) {
			text, err := os.ReadFile(file)
			for _, part := range want {
				if err != nil || !strings.Contains(string(text), part) {
					t.Errorf("%s: %s lacks %s, %v", n.module, file, part, err)
				}
			}
		}
	}
	// The names of nobody are left only where they stand for a stranger, or explain this command.
	left := regexp.MustCompile(`gander@example|example/tap|add example|/example\.com/(gander|scoop)|` +
		`"@example|OWNER[-/]|acme`)
	files, err := tracked()
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		found := left.FindString(string(text))
		explains := strings.HasPrefix(file, "release/rename/") || file == ".ci/run" ||
			file == "docs/release.md"
		if err != nil || found != "" && !explains {
			t.Errorf("%s still has %q, %v", file, found, err)
		}
	}
}

// wantParts returns parts of renamed files.
func wantParts(n names) map[string][]string {
	return map[string][]string{
		"README.md": {
			"\ngo install " + n.module + "/cmd/gander@latest ",
			"\ngo get " + n.module + " ",
		},
		"docs/library.md": {
			"\ngo get " + n.module + "\n", `"` + n.module + `/tool/typed"`, "`" + n.module + "/codex`",
		},
		"docs/mcp.md": {"`" + n.module + "/mcpserver`"},
		"go.mod":      {"module " + n.module + "\n"},
		".goreleaser.yaml": {
			"-X " + n.module + "/internal/cli.release=", "https://" + n.module, "owner: " + n.owner,
		},
		"server.json":            {`"@` + n.owner + `/gander"`, `"https://` + n.module + `"`},
		"examples/agent/go.mod":  {"replace " + n.module + " => ../..\n"},
		"release/entry_test.go":  {"@" + n.owner + "/gander"},
		"release/main.go":        {`return "gander"`},
		"internal/cli/source.go": {`o.Tools = []string{"gander", "shell"}`},
	}
}

// copyRepository returns a directory with a copy of the files that git knows.
func copyRepository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Chdir("../..")
	files, err := tracked()
	if err != nil {
		t.Skip("this is not a clone: ", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // deleted since
		}
		target := filepath.Join(dir, file)
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(target, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	return dir
}

// importsOf returns the packages of a module with their imports and those of their tests. The
// module is replaced by M.
func importsOf(t *testing.T, module string) string {
	t.Helper()
	const format = "{{.ImportPath}} {{.Imports}} {{.TestImports}} {{.XTestImports}}"
	cmd := exec.Command("go", "list", "-f", format, "./...")
	var problems strings.Builder
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, problems.String())
	}
	own := regexp.MustCompile(`(^|[ \[\n])` + regexp.QuoteMeta(module) + `\b`)
	return own.ReplaceAllString(string(out), "${1}M")
}

func TestInvalidNames(t *testing.T) {
	for _, n := range []names{
		{"", "acme"},
		{"gander", "acme"},
		{"acme/gander", "acme"},
		{"github.com/acme/goose", "acme"},
		{"https://github.com/acme/gander", "acme"},
		{"github.com/acme/gander/", "acme"},
		{"github.com/acme/gander", ""},
		{"github.com/acme/gander", "Acme"},
		{"github.com/acme/gander", "@acme"},
		{"github.com/acme/gander", "a--b"},
		{"github.com//gander", "acme"},
	} {
		if err := check(n.module, n.owner); err == nil {
			t.Errorf("%+v was accepted", n)
		}
	}
	t.Chdir(t.TempDir())
	if _, err := rename("github.com/acme/gander", "acme"); err == nil {
		t.Error("a directory without gander was renamed")
	}
}
