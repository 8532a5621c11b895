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
