package install

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func machine(system, home string, env ...string) Machine {
	return Machine{System: system, Home: home, Env: func(name string) string {
		for i := 0; i+1 < len(env); i += 2 {
			if env[i] == name {
				return env[i+1]
			}
		}
		return ""
	}}
}

// Paths depend on the machine that is given, not on the system that runs the test.
func TestFiles(t *testing.T) {
	linux, mac, windows := machine("linux", "/home/u"), machine("darwin", "/Users/u"), machine("windows", `C:\Users\u`)
	roaming := machine("windows", `C:\Users\u`, "APPDATA", `D:\Roaming`, "CODEX_HOME", `D:\codex`, "CLAUDE_CONFIG_DIR", `D:\claude\`)
	moved := machine("linux", "/home/u", "XDG_CONFIG_HOME", "/x", "CODEX_HOME", "/c", "CLAUDE_CONFIG_DIR", "/d", "GEMINI_CLI_HOME", "/g")
	for _, row := range []struct {
		machine Machine
		client  string
		want    string
	}{
		{linux, "claude-desktop", "/home/u/.config/Claude/claude_desktop_config.json"},
		{mac, "claude-desktop", "/Users/u/Library/Application Support/Claude/claude_desktop_config.json"},
		{windows, "claude-desktop", `C:\Users\u\AppData\Roaming\Claude\claude_desktop_config.json`},
		{roaming, "claude-desktop", `D:\Roaming\Claude\claude_desktop_config.json`},
		{moved, "claude-desktop", "/x/Claude/claude_desktop_config.json"},
		{linux, "claude-code", "/home/u/.claude.json"},
		{mac, "claude-code", "/Users/u/.claude.json"},
		{windows, "claude-code", `C:\Users\u\.claude.json`},
		{roaming, "claude-code", `D:\claude\.claude.json`},
		{moved, "claude-code", "/d/.claude.json"},
		{linux, "cursor", "/home/u/.cursor/mcp.json"},
		{windows, "cursor", `C:\Users\u\.cursor\mcp.json`},
		{linux, "vscode", "/home/u/.config/Code/User/mcp.json"},
		{mac, "vscode", "/Users/u/Library/Application Support/Code/User/mcp.json"},
		{roaming, "vscode", `D:\Roaming\Code\User\mcp.json`},
		{moved, "vscode", "/x/Code/User/mcp.json"},
		{mac, "windsurf", "/Users/u/.codeium/windsurf/mcp_config.json"},
		{windows, "windsurf", `C:\Users\u\.codeium\windsurf\mcp_config.json`},
		{linux, "gemini", "/home/u/.gemini/settings.json"},
		{windows, "gemini", `C:\Users\u\.gemini\settings.json`},
		{moved, "gemini", "/g/.gemini/settings.json"},
		{mac, "codex", "/Users/u/.codex/config.toml"},
		{roaming, "codex", `D:\codex\config.toml`},
		{moved, "codex", "/c/config.toml"},
		{linux, "zed", "/home/u/.config/zed/settings.json"},
		{mac, "zed", "/Users/u/.config/zed/settings.json"},
		{windows, "zed", `C:\Users\u\AppData\Roaming\Zed\settings.json`},
		{moved, "zed", "/x/zed/settings.json"},
		{linux, "opencode", "/home/u/.config/opencode/opencode.json /home/u/.config/opencode/opencode.jsonc"},
		{windows, "opencode", `C:\Users\u\.config\opencode\opencode.json C:\Users\u\.config\opencode\opencode.jsonc`},
		{moved, "opencode", "/x/opencode/opencode.json /x/opencode/opencode.jsonc"},
	} {
		c, err := Lookup(row.client)
		if err != nil {
			t.Fatal(err)
		}
		files, err := c.Files(row.machine, User, "")
		if got := strings.Join(files, " "); err != nil || got != row.want {
			t.Errorf("%s on %s: %v, %q, not %q", row.client, row.machine.System, err, got, row.want)
		}
	}
}

func TestProjectFiles(t *testing.T) {
	want := map[string]string{
		"claude-desktop": "", "windsurf": "",
		"claude-code": ".mcp.json", "cursor": ".cursor/mcp.json", "vscode": ".vscode/mcp.json",
		"gemini": ".gemini/settings.json", "codex": ".codex/config.toml", "zed": ".zed/settings.json",
		"opencode": "opencode.json opencode.jsonc",
	}
	for _, c := range Clients() {
		files, err := c.Files(machine("linux", "/home/u"), Project, "/p")
		got := strings.ReplaceAll(strings.Join(files, " "), "/p/", "")
		if got != want[c.ID] || (err != nil) != (got == "") {
			t.Errorf("%s: %v, %q", c.ID, err, got)
		}
		if (c.ProjectDir == "") != (got == "") {
			t.Errorf("%s calls the project's directory %q", c.ID, c.ProjectDir)
		}
		if got == "" && err.Error() != c.Title+" has no project scope; use --scope user" {
			t.Errorf("%s: %v", c.ID, err)
		}
	}
	c, err := Lookup("cursor")
	if err != nil {
		t.Fatal(err)
	}
	if files, err := c.Files(machine("windows", `C:\Users\u`), Project, `D:\p`); err != nil || files[0] != `D:\p\.cursor\mcp.json` {
		t.Errorf("%v, %v", files, err)
	}
	if _, err := c.Files(machine("linux", ""), User, "/p"); err == nil || !strings.Contains(err.Error(), "--file") {
		t.Errorf("without a home directory: %v", err)
	}
	if _, err := Lookup("emacs"); err == nil || !strings.Contains(err.Error(), "claude-desktop, claude-code, cursor") {
		t.Errorf("an unknown client: %v", err)
	}
}

// If a client reads either of two files, File returns the one that exists.
func TestFileThatExists(t *testing.T) {
	dir := t.TempDir()
	c, err := Lookup("opencode")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"opencode.json", "opencode.jsonc"} {
		got, err := c.File(machine(runtime.GOOS, dir), Project, dir)
		if err != nil || filepath.Base(got) != want {
			t.Errorf("%v, %s, not %s", err, got, want)
		}
		writeFile(t, filepath.Join(dir, "opencode.jsonc"), "{}")
	}
}

func TestCheckName(t *testing.T) {
	for name, valid := range map[string]bool{"gander": true, "a_B-9": true, "": false, "a.b": false, "a b": false, "ä": false, strings.Repeat("x", 65): false} {
		if err := CheckName(name); (err == nil) != valid {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// Write replaces the target of a symlink, keeps its permissions and does not overwrite a backup.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	real := filepath.Join(dir, "dotfiles.json")
	writeFile(t, real, "{}")
	if err := os.Chmod(real, 0o640); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "settings.json")
	if err := os.Symlink(real, path); err != nil {
		t.Skipf("no symlinks here: %v", err)
	}
	c, err := Lookup("zed")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{".bak", ".bak2"} {
		s := server()
		s.Args = s.Args[:i]
		change, err := c.Plan(path, "gander", User, s)
		if err != nil {
			t.Fatal(err)
		}
		backup, err := change.Write()
		if err != nil {
			t.Fatal(err)
		}
		if target, err := filepath.EvalSymlinks(real); err != nil || backup != target+want {
			t.Errorf("backup %s, %v", backup, err)
		}
		kept, err := os.ReadFile(backup)
		if err != nil || string(kept) != string(change.Before) {
			t.Errorf("%v: the backup holds %q", err, kept)
		}
		for _, name := range []string{real, backup} {
			info, err := os.Stat(name)
			if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
				t.Errorf("%s: %v, %v", name, info.Mode(), err)
			}
		}
	}
	if link, err := os.Readlink(path); err != nil || link != real {
		t.Errorf("the link leads to %q, %v", link, err)
	}
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if hidden, _ := filepath.Glob(filepath.Join(dir, ".*")); err != nil || len(names) != 4 || len(hidden) != 0 {
		t.Errorf("left behind: %v, %v", names, hidden)
	}
}

// Write does not overwrite a file that has changed since it was planned.
func TestWriteRace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	writeFile(t, path, "{}")
	c, err := Lookup("zed")
	if err != nil {
		t.Fatal(err)
	}
	change, err := c.Plan(path, "gander", User, server())
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, path, `{"theirs": 1}`)
	if _, err := change.Write(); err == nil || !strings.Contains(err.Error(), "has changed meanwhile") {
		t.Errorf("error %v", err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != `{"theirs": 1}` {
		t.Errorf("%v: %s", err, text)
	}
	if _, err := os.Stat(path + ".bak"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("there is a backup of a change that was not made: %v", err)
	}
}

func TestDanglingLink(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	if err := os.Symlink("nowhere", path); err != nil {
		t.Skipf("no symlinks here: %v", err)
	}
	c, err := Lookup("zed")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Plan(path, "gander", User, server()); err == nil || !strings.Contains(err.Error(), "leads to nothing") {
		t.Errorf("error %v", err)
	}
}

// Without a home directory, Find looks at the project's files only.
func TestFindWithoutHome(t *testing.T) {
	found, broken := Find(machine(runtime.GOOS, ""), t.TempDir(), "gander")
	if len(found)+len(broken) > 0 {
		t.Errorf("%v, %v", found, broken)
	}
}

// Only the user can read a new file of the user scope; everyone can read one of the project scope.
func TestModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("permissions are not kept in modes")
	}
	dir := t.TempDir()
	c, err := Lookup("cursor")
	if err != nil {
		t.Fatal(err)
	}
	for scope, want := range map[Scope][2]fs.FileMode{User: {0o700, 0o600}, Project: {0o755, 0o644}} {
		path := filepath.Join(dir, string(scope), "mcp.json")
		change, err := c.Plan(path, "gander", scope, server())
		if err != nil {
			t.Fatal(err)
		}
		if backup, err := change.Write(); err != nil || backup != "" {
			t.Fatal(backup, err)
		}
		var got [2]fs.FileMode
		for i, name := range []string{filepath.Dir(path), path} {
			info, err := os.Stat(name)
			if err != nil {
				t.Fatal(err)
			}
			got[i] = info.Mode().Perm()
		}
		if got != want {
			t.Errorf("%s: %v, not %v", scope, got, want)
		}
	}
}

func TestFind(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		filepath.Join(home, ".claude.json"): `{"mcpServers": {"files": {"command": "/opt/gander", "args": ["mcp"]}, "x": {"command": "y"}},
			"projects": {` + encode(dir) + `: {"mcpServers": {"gander": {"command": "npx", "args": ["gander"], "disabled": true}}}}}`,
		filepath.Join(home, ".codex", "config.toml"):     "[mcp_servers.g]\ncommand = 'C:\\bin\\gander.exe'\nenabled = false\n",
		filepath.Join(home, ".gemini", "settings.json"):  `{`,
		filepath.Join(dir, "opencode.jsonc"):             `{"mcp": {"gander": {"command": ["gander", "mcp", "--root", "."]}, "r": {"url": "gander"}, "s": {"command": [1]}}} // end`,
		filepath.Join(dir, ".vscode", "mcp.json"):        `{"servers": {"gander": {"type": "http", "url": "http://127.0.0.1:1/mcp"}}}`,
		filepath.Join(dir, ".zed", "settings.json"):      `{"context_servers": []}`,
		filepath.Join(dir, ".cursor", "mcp.json", "dir"): "",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		writeFile(t, name, text)
	}
	found, broken := Find(machine(runtime.GOOS, home), dir, "gander")
	var got []string
	for _, e := range found {
		row := []string{e.Client.ID, string(e.Scope), e.Name, e.Server.Command, strings.Join(e.Server.Args, " ")}
		if e.Server.Disabled {
			row = append(row, "disabled")
		}
		got = append(got, strings.Join(row, "|"))
	}
	want := []string{
		"claude-code|user|files|/opt/gander|mcp",
		"claude-code|user|gander|npx|gander|disabled",
		`codex|user|g|C:\bin\gander.exe||disabled`,
		"opencode|project|gander|gander|mcp --root .",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	var files []string
	for _, u := range broken {
		files = append(files, u.Client.ID)
	}
	if diff := cmp.Diff([]string{"cursor", "gemini", "zed"}, files); diff != "" {
		t.Errorf("unreadable (-want +got)\n%s", diff)
	}
}
