package install

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gander/internal/testkit/fixture"
)

func testRequest(c Client, scope, dir string) Request {
	in, _ := c.Scope(scope)
	server := []string{"/opt/gander", "mcp", "--root", "."}
	return Request{Scope: in, Dir: dir, Name: "gander", Server: server}
}

// setHome gives the user a home directory in dir, and returns it.
func setHome(t *testing.T, dir string) (home string) {
	t.Helper()
	for _, variable := range []string{"HOME", "USERPROFILE", "AppData", "LocalAppData"} {
		t.Setenv(variable, filepath.Join(dir, variable))
		fixture.Must(t, os.MkdirAll(filepath.Join(dir, variable), 0o700))
	}
	t.Setenv("XDG_CONFIG_HOME", "")
	home, err := os.UserHomeDir()
	fixture.Must(t, err)
	return home
}

// carryOut makes the changes of a request. It returns the texts by path, and what was described.
func carryOut(t *testing.T, c Client, r Request) (texts map[string]string, lines string) {
	t.Helper()
	changes, err := c.Plan(r)
	fixture.Must(t, err)
	texts = make(map[string]string)
	for _, change := range changes {
		defer change.Close()
		lines += strings.Join(change.Lines, "\n") + "\n"
		if !change.IsNeeded() {
			continue
		}
		fixture.Must(t, change.Make())
		text, err := os.ReadFile(change.target.path)
		fixture.Must(t, err)
		texts[change.target.path] = string(text)
	}
	return texts, lines
}

// TestClients adds the entry to the files of every client in every scope, with and without the
// settings that make gander the only way to files, and removes everything again.
func TestClients(t *testing.T) {
	for name, c := range Clients() {
		for _, scope := range c.Scopes {
			for _, only := range [][]string{nil, {Reading}, {Reading, Editing}, {Reading, Editing, Web}} {
				t.Run(fmt.Sprint(name, " ", scope.Name, " ", only), func(t *testing.T) {
					top := t.TempDir()
					setHome(t, top)
					dir := filepath.Join(top, "project")
					fixture.Must(t, os.Mkdir(dir, 0o700))
					r := testRequest(c, scope.Name, dir)
					r.Only = only
					added, lines := carryOut(t, c, r)
					if all := fmt.Sprint(added); !strings.Contains(all, "/opt/gander") {
						t.Errorf("no entry: %s", all)
					}
					if len(c.Only) > 0 && only != nil && strings.Count(lines, "\n") < 2 {
						t.Errorf("no settings: %s", lines)
					}
					if again, lines := carryOut(t, c, r); len(again) > 0 {
						t.Errorf("changed again: %s", lines)
					}
					r.Remove = true
					removed, _ := carryOut(t, c, r)
					for path := range added {
						if left := strings.TrimSpace(removed[path]); left != "{}" && left != "" {
							t.Errorf("%s: left %q", path, left)
						}
					}
				})
			}
		}
	}
}

// TestKept checks that settings of the user stay: line ends, tabs, a byte order mark, other entries,
// members of lists and values that gander did not write.
func TestKept(t *testing.T) {
	top := t.TempDir()
	setHome(t, top)
	claude := filepath.Join(top, ".claude", "settings.json")
	const settings = "\ufeff{\r\n\t\"permissions\": {\r\n\t\t\"deny\": [\"WebFetch\"]\r\n\t}\r\n}\r\n"
	fixture.Write(t, top, map[string]string{".claude/settings.json": settings})
	r := testRequest(Clients()["claude-code"], "project", top)
	r.Only = []string{Reading}
	texts, _ := carryOut(t, Clients()["claude-code"], r)
	after := texts[claude]
	for _, want := range []string{"\"WebFetch\"", "\"Bash\"", "\"mcp__gander__*\"", "\r\n\t"} {
		if !strings.Contains(after, want) {
			t.Errorf("%q lacks %q", after, want)
		}
	}
	if strings.Contains(strings.ReplaceAll(after, "\r\n", ""), "\n") || strings.Contains(after, "Edit") {
		t.Errorf("%q", after)
	}
	r.Remove = true
	texts, _ = carryOut(t, Clients()["claude-code"], r)
	if left := texts[claude]; !strings.Contains(left, "WebFetch") || strings.Contains(left, "Bash") {
		t.Errorf("left %q", left)
	}
}

// TestOtherServer checks that only an entry that is gander's changes.
func TestOtherServer(t *testing.T) {
	top := t.TempDir()
	path := filepath.Join(top, ".cursor", "mcp.json")
	cursor := Clients()["cursor"]
	fixture.Write(t, top, map[string]string{
		".cursor/mcp.json": `{"mcpServers":{"gander":{"command":"x"}}}`,
	})
	for _, remove := range []bool{false, true} {
		r := testRequest(cursor, "project", top)
		r.Remove = remove
		if _, err := cursor.Plan(r); err == nil || !strings.Contains(err.Error(), "is another server") {
			t.Errorf("%v", err)
		}
	}
	r := testRequest(cursor, "project", top)
	r.Name = "files"
	carryOut(t, cursor, r)
	r.Server = []string{"/new/gander", "mcp", "--tools", "codex"}
	texts, _ := carryOut(t, cursor, r)
	if text := texts[path]; !strings.Contains(text, "/new/gander") || strings.Contains(text, "/opt") {
		t.Errorf("%q", text)
	}
}

// TestMembersKept checks that what others add to gander's entry stays when it changes.
func TestMembersKept(t *testing.T) {
	for _, c := range []struct{ kept, client, file, before, after string }{
		{
			"disabled, env, timeout", "windsurf", ".codeium/windsurf/mcp_config.json",
			`{"mcpServers": {"gander": { // mine
				"timeout": 60, "command": "/old/gander", "disabled": true, // off
				"args": ["mcp"], "env": {"A": "b"}}}}`,
			`{"mcpServers": {"gander": { // mine
				"timeout": 60, "command": "/opt/gander", "disabled": true, // off
				"args": [
					"mcp",
					"--root",
					"."
				], "env": {"A": "b"}}}}`,
		},
		{
			"enabled, tools", "codex", ".codex/config.toml",
			"[mcp_servers.gander]\nenabled = false # off\ncommand = \"gander\"\nargs = [\"mcp\"]\n" +
				"[mcp_servers.gander.tools.read_file]\napproval_mode = \"approve\"\n",
			"[mcp_servers.gander]\ncommand = \"/opt/gander\"\nargs = [\"mcp\",\"--root\",\".\"]\n" +
				"enabled = false # off\n" +
				"[mcp_servers.gander.tools.read_file]\napproval_mode = \"approve\"\n",
		},
	} {
		home := setHome(t, t.TempDir())
		path := filepath.Join(home, filepath.FromSlash(c.file))
		fixture.Write(t, home, map[string]string{c.file: c.before})
		r := testRequest(Clients()[c.client], "user", home)
		kept := "keep " + c.kept + ` of "gander" in`
		if texts, lines := carryOut(t, Clients()[c.client], r); texts[path] != c.after ||
			!strings.Contains(lines, kept) {
			t.Errorf("%s: %s\n%s\nwant\n%s", c.client, lines, texts[path], c.after)
		}
		if texts, lines := carryOut(t, Clients()[c.client], r); len(texts) > 0 ||
			!strings.Contains(lines, kept) {
			t.Errorf("%s: changed again: %s", c.client, lines)
		}
		r.Remove = true
		if texts, _ := carryOut(t, Clients()[c.client], r); strings.Contains(texts[path], "gander") {
			t.Errorf("%s: left %s", c.client, texts[path])
		}
	}
}

// TestPlaceholderInName checks that a name that contains a placeholder of a setting stays as it is.
func TestPlaceholderInName(t *testing.T) {
	top := t.TempDir()
	r := testRequest(Clients()["claude-code"], "project", top)
	r.Name, r.Only = "FILENAME", []string{Reading}
	texts, lines := carryOut(t, Clients()["claude-code"], r)
	if text := texts[filepath.Join(top, ".mcp.json")]; !strings.Contains(text, `"FILENAME": {`) ||
		!strings.Contains(lines, `["mcp__FILENAME__*"]`) {
		t.Errorf("%s\n%s", lines, text)
	}
}

// TestUnchangeable checks that nothing is changed that removing could not bring back, or that has
// another form.
func TestUnchangeable(t *testing.T) {
	const byHand = "change it by hand"
	for _, c := range []struct{ client, file, text, want string }{
		{
			"gemini", ".gemini/settings.json", `{"tools":{"exclude":[{"a":1}]}}`,
			`"tools.exclude" has the member {"a":1}`,
		},
		{
			"opencode", ".config/opencode/opencode.json", `{"permission":{"bash":"ask"}}`,
			`"bash" in "permission" is "ask"`,
		},
		{"codex", ".codex/config.toml", "features = { foo = true }\n", byHand},
		{"codex", ".codex/config.toml", "features.foo = true\n", byHand},
	} {
		home := setHome(t, t.TempDir())
		fixture.Write(t, home, map[string]string{c.file: c.text})
		r := testRequest(Clients()[c.client], "user", home)
		r.Only = []string{Reading, Editing}
		if _, err := Clients()[c.client].Plan(r); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: %v", c.client, c.text, err)
		}
	}
}

// TestOddDirectory checks that the name of a directory, which is a key, keeps the file valid JSON.
func TestOddDirectory(t *testing.T) {
	top := t.TempDir()
	home := setHome(t, top)
	path := filepath.Join(home, ".claude.json")
	fixture.Must(t, os.WriteFile(path, []byte(`{"projects": {"/x": {}}}`), 0o600))
	r := testRequest(Clients()["claude-code"], "local", "/p/\x7f\a\v\U000e0067\U0001f3f4")
	added, _ := carryOut(t, Clients()["claude-code"], r)
	var parsed struct{ Projects map[string]any }
	if err := json.Unmarshal([]byte(added[path]), &parsed); err != nil || parsed.Projects[r.Dir] == nil {
		t.Errorf("%v: %s", err, added[path])
	}
	r.Remove = true
	if removed, _ := carryOut(t, Clients()["claude-code"], r); strings.TrimSpace(removed[path]) != `{"projects": {"/x": {}}}` {
		t.Errorf("left %s", removed[path])
	}
}

// TestChangedMeanwhile checks that what the client writes between the plan and the change stays.
func TestChangedMeanwhile(t *testing.T) {
	top := t.TempDir()
	path := filepath.Join(top, ".cursor", "mcp.json")
	fixture.Write(t, top, map[string]string{".cursor/mcp.json": "{}"})
	changes, err := Clients()["cursor"].Plan(testRequest(Clients()["cursor"], "project", top))
	fixture.Must(t, err)
	defer changes[0].Close()
	fixture.Must(t, os.WriteFile(path, []byte(`{"a":1}`), 0o600))
	if err := changes[0].Make(); err == nil || !strings.Contains(err.Error(), "changed meanwhile") {
		t.Error(err)
	}
	if text, _ := os.ReadFile(path); string(text) != `{"a":1}` {
		t.Errorf("%s", text)
	}
}
