package install

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

func server() Server { return Server{Command: "/opt/gander", Args: []string{"mcp", "--root", "/p"}} }

// TestEdits checks changes against testdata/edits. Each file names a client and holds the text before, and the text after
// or the beginning of the error.
func TestEdits(t *testing.T) {
	files, err := filepath.Glob("testdata/edits/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			parts := map[string]string{}
			for _, f := range archive.Files {
				parts[f.Name] = string(f.Data)
			}
			c, err := Lookup(strings.TrimSpace(strings.TrimPrefix(string(archive.Comment), "client: ")))
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), "config")
			before, there := parts["before"]
			if there {
				writeFile(t, path, before)
			}
			checkEdit(t, c, path, there, parts)
		})
	}
}

func checkEdit(t *testing.T, c Client, path string, there bool, parts map[string]string) {
	change, err := c.Plan(path, "gander", User, server())
	if want, fails := parts["error"]; fails {
		if err == nil || !strings.HasPrefix(err.Error(), path+": "+strings.TrimSuffix(want, "\n")) {
			t.Fatalf("error %v, not %q", err, want)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(parts["after"], string(change.After)); diff != "" {
		t.Fatalf("(-want +got)\n%s", diff)
	}
	if change.Exists != there {
		t.Errorf("exists: %v", change.Exists)
	}
	checkPatch(t, change)
	if change.IsEmpty() {
		return
	}
	if _, err := change.Write(); err != nil {
		t.Fatal(err)
	}
	again, err := c.Plan(path, "gander", User, server())
	if err != nil || !again.IsEmpty() || again.Diff() != "" {
		t.Errorf("a second installation: %v\n%s", err, again.Diff())
	}
}

// checkPatch checks that git can apply the diff.
func checkPatch(t *testing.T, c Change) {
	t.Helper()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Logf("diffs are not applied: %v", err)
		return
	}
	if c.IsEmpty() {
		return
	}
	dir := t.TempDir()
	if c.Exists {
		writeFile(t, filepath.Join(dir, "config"), string(c.Before))
	}
	c.Path = "b/config"
	cmd := exec.Command(git, "apply", "--unidiff-zero", "--whitespace=nowarn", "-")
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(c.Diff())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s\n%s", err, out, c.Diff())
	}
	got, err := os.ReadFile(filepath.Join(dir, "config"))
	if err != nil || !bytes.Equal(got, c.After) {
		t.Errorf("%v: applied, the diff makes\n%s", err, got)
	}
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A removal leaves everything but the entry.
func TestRemovals(t *testing.T) {
	for name, c := range map[string]struct{ client, before, after string }{
		"the only one":        {"zed", "{\n  \"context_servers\": {\n    \"gander\": {\"command\": \"x\"}\n  }\n}\n", "{\n  \"context_servers\": {}\n}\n"},
		"the first":           {"zed", "{\"context_servers\": {\n  \"gander\": {\n    \"command\": \"x\"\n  },\n  // b\n  \"b\": {}\n}}", "{\"context_servers\": {\n  // b\n  \"b\": {}\n}}"},
		"the last":            {"zed", "{\"context_servers\": {\n  \"a\": {}, // a\n  \"gander\": {}\n}}", "{\"context_servers\": {\n  \"a\": {} // a\n}}"},
		"with trailing comma": {"zed", "{\"context_servers\": {\n  \"a\": {},\n  \"gander\": {},\n}}", "{\"context_servers\": {\n  \"a\": {},\n}}"},
		"in one line, first":  {"zed", `{"context_servers": {"gander": {}, "b": {}}}`, `{"context_servers": {"b": {}}}`},
		"in one line, middle": {"zed", `{"context_servers": {"a": {}, "gander": {}, "b": {}}}`, `{"context_servers": {"a": {}, "b": {}}}`},
		"in one line, last":   {"zed", `{"context_servers": {"a": {}, "gander": {}}}`, `{"context_servers": {"a": {}}}`},
		"beside a comment":    {"zed", "{\"context_servers\": {\n  \"gander\": {} /* c */,\n  \"b\": {}\n}}", "{\"context_servers\": {\n  /* c */\n  \"b\": {}\n}}"},
		"Windows":             {"zed", "\ufeff{\r\n  \"context_servers\": {\r\n    \"a\": {},\r\n    \"gander\": {}\r\n  }\r\n}\r\n", "\ufeff{\r\n  \"context_servers\": {\r\n    \"a\": {}\r\n  }\r\n}\r\n"},
		"none":                {"zed", "{\"context_servers\": {\"a\": {}}}", "{\"context_servers\": {\"a\": {}}}"},
		"empty":               {"zed", "", ""},
		"TOML":                {"codex", "a = 1\n\n[mcp_servers.gander]\ncommand = \"x\"\nargs = [\n  \"y\",\n]\n\n[mcp_servers.gander.env]\nk = \"v\" # c\n\n# b\n[mcp_servers.b]\ncommand = \"x\"\n", "a = 1\n\n# b\n[mcp_servers.b]\ncommand = \"x\"\n"},
		"the only TOML":       {"codex", "[mcp_servers.gander]\ncommand = \"x\"", ""},
		"TOML of Windows":     {"codex", "\ufeffa = 1\r\n\r\n[mcp_servers.gander]\r\ncommand = \"x\"\r\n", "\ufeffa = 1\r\n"},
		"TOML beside others":  {"codex", "[mcp_servers.gander2]\ncommand = \"y\"\n[mcp_servers.gander]\ncommand = \"x\"\n[tools]\nx = 1\n", "[mcp_servers.gander2]\ncommand = \"y\"\n[tools]\nx = 1\n"},
	} {
		client, err := Lookup(c.client)
		if err != nil {
			t.Fatal(err)
		}
		got, err := client.remove([]byte(c.before), "gander")
		if err != nil || string(got) != c.after {
			t.Errorf("%s: %v\n got %q\nwant %q", name, err, got, c.after)
		}
	}
	for text, want := range map[string]string{
		"[mcp_servers]\ngander = {command = \"x\"}\n": "not written as a table of its own",
		"mcp_servers.gander.command = \"x\"\n":        "not written as a table of its own",
		"mcp_servers = 1\n":                           "no table",
		"[mcp_servers\n":                              "cannot be parsed",
	} {
		client, err := Lookup("codex")
		if err != nil {
			t.Fatal(err)
		}
		if got, err := client.remove([]byte(text), "gander"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %q", text, err, got)
		}
	}
}

// What an installation adds, a removal takes out again, for every client.
func TestInstallAndRemove(t *testing.T) {
	for _, c := range Clients() {
		texts := []string{"", "{}", "{\n  // c\n  \"x\": [1],\n}\n", "\ufeff{\"x\": 1}\r\n"}
		if c.ID == "codex" {
			texts = []string{"", "x = 1", "[x]\ny = 1\n", "\ufeffx = 1\r\n"}
		}
		for _, text := range texts {
			path := filepath.Join(t.TempDir(), "f")
			writeFile(t, path, text)
			added, err := c.Plan(path, "gander", User, server())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := added.Write(); err != nil {
				t.Fatalf("%s, %q: %v", c.ID, text, err)
			}
			if again, err := c.Plan(path, "gander", User, server()); err != nil || !again.IsEmpty() {
				t.Errorf("%s, %q: %v, changed again:\n%s", c.ID, text, err, again.Diff())
			}
			removed, err := c.PlanRemoval(path, "gander", User)
			if err != nil {
				t.Errorf("%s, %q: %v", c.ID, text, err)
				continue
			}
			if _, err := removed.Write(); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(removed.After), "gander") || !strings.HasPrefix(string(removed.After), strings.TrimRight(text, "{} ,\r\n")) {
				t.Errorf("%s: %q became %q", c.ID, text, removed.After)
			}
		}
	}
}

// A byte order mark and line endings stay as an editor on Windows wrote them.
func TestWindowsText(t *testing.T) {
	for id, texts := range map[string][2]string{
		"zed": {
			"\ufeff{\r\n  \"a\": 1\r\n}\r\n",
			"\ufeff{\r\n  \"a\": 1,\r\n  \"context_servers\": {\r\n    \"gander\": {\r\n      \"command\": \"/opt/gander\",\r\n      \"args\": [\"mcp\", \"--root\", \"/p\"]\r\n    }\r\n  }\r\n}\r\n",
		},
		"codex": {
			"\ufeffa = 1\r\n[mcp_servers.gander]\r\ncommand = \"x\"",
			"\ufeffa = 1\r\n[mcp_servers.gander]\r\nargs = [\"mcp\", \"--root\", \"/p\"]\r\ncommand = \"/opt/gander\"",
		},
	} {
		c, err := Lookup(id)
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.edit([]byte(texts[0]), "gander", server())
		if err != nil || string(got) != texts[1] {
			t.Errorf("%s: %v, %q", id, err, got)
		}
	}
}

// Every command and argument is read back as it was written.
func TestWords(t *testing.T) {
	s := Server{Command: `C:\Program Files\gander.exe`, Args: []string{"", `"`, "\x7f\x00\n\t\u2028<&>", "ä€😀", "${workspaceFolder}"}}
	for _, c := range Clients() {
		text, err := c.edit(nil, "gander", s)
		if err != nil {
			t.Fatalf("%s: %v", c.ID, err)
		}
		path := filepath.Join(t.TempDir(), "config")
		writeFile(t, path, string(text))
		entries, err := c.entries(path, User, "")
		if err != nil || len(entries) != 1 {
			t.Fatalf("%s: %v, %v", c.ID, entries, err)
		}
		if diff := cmp.Diff(s, entries[0].Server); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.ID, diff)
		}
	}
	c, err := Lookup("zed")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Plan("x", "gander", User, Server{Command: "\xff"}); err == nil || !strings.Contains(err.Error(), "not UTF-8") {
		t.Errorf("a command that is not UTF-8: %v", err)
	}
}

// FuzzJSON and FuzzTOML check that a text is either refused or, if it had no entry, changed by additions alone; and that a
// second change is empty. Plan itself checks that the rest keeps its meaning.
func FuzzJSON(f *testing.F) { fuzz(f, "zed") }

func FuzzTOML(f *testing.F) { fuzz(f, "codex") }

func fuzz(f *testing.F, id string) {
	files, err := filepath.Glob("testdata/edits/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, part := range archive.Files {
			f.Add(part.Data)
		}
	}
	c, err := Lookup(id)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		once, err := c.edit(text, "gander", server())
		if err != nil {
			return
		}
		twice, err := c.edit(once, "gander", server())
		if err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("%v: a second time it becomes %q", err, twice)
		}
		document, err := decode(c.format, text)
		if err != nil {
			t.Fatal(err)
		}
		entry, err := table(document, append(c.keys, "gander"))
		if err == nil && entry == nil && !within(printed(text), printed(once)) {
			t.Fatalf("%q lacks something of what was there", once)
		}
	})
}

// printed returns text without white space.
func printed(text []byte) []byte {
	return bytes.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, text)
}

// within reports whether the bytes of text occur in whole in the same order.
func within(text, whole []byte) bool {
	for _, b := range whole {
		if len(text) > 0 && text[0] == b {
			text = text[1:]
		}
	}
	return len(text) == 0
}

func TestPlanRefuses(t *testing.T) {
	c, err := Lookup("zed")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if _, err := c.Plan(dir, "gander", User, server()); err == nil || !strings.Contains(err.Error(), "no regular file") {
		t.Errorf("a directory: %v", err)
	}
	path := filepath.Join(dir, "sub", "config")
	change, err := c.Plan(path, "gander", User, server())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Dir(path)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("planning made a directory: %v", err)
	}
	if _, err := change.Write(); err != nil {
		t.Fatal(err)
	}
	if _, err := change.Write(); err == nil || !strings.Contains(err.Error(), "has changed meanwhile") {
		t.Errorf("a change wrote over a file that did not exist when it was planned: %v", err)
	}
}
