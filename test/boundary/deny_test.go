package boundary

import (
	"path/filepath"
	"strings"
	"testing"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/tool"
)

// TestBoundaryDeny checks that no tool reads a denied entry or an entry below it, under any
// spelling, through any link and from any root. In CVE-2025-59829 and CVE-2026-25724 the rules
// matched the path as written; in CVE-2025-59944 a rule missed another case.
func TestBoundaryDeny(t *testing.T) {
	root := fixture.Make(t,
		"w/secret.txt", "w/private/SECRET", "w/private/deep/SECRET", "w/open/f", "w/in/Keys/SECRET",
		"v/f", "w/.ssh/SECRET", "w/.SSH2/f",
		"w/alias => secret.txt", "w/alias2 => {root}/w/alias", "w/dir => private",
		"w/open/up => ../private/deep", "w/secret => open", "v/over => ../w/private", "lnk => w",
	)
	root = filepath.ToSlash(root)
	hide(t, root+"/w/secret.txt")
	deny := []string{"secret.txt", "**/private/**", root + "/w/in/keys"}
	denied := map[string][]string{ // paths below w by attack
		"CVE-2025-59829": {
			"/secret.txt", "/./secret.txt", "//secret.txt", "/open/../secret.txt", "/open/.././/secret.txt",
			"/alias", "/alias2", "/private", "/private/", "/private/SECRET",
			"/private/deep", "/private/none", "/in/Keys", "/in/./Keys/SECRET",
		},
		"CVE-2026-25724": {
			"/dir", "/dir/", "/dir/SECRET", "/dir/deep/.", "/open/up", "/open/up/SECRET",
			"/open/up/../SECRET", "/.ssh", "/.ssh/SECRET", "/.ssh/none",
		},
	}
	for name, dirs := range map[string][]string{
		"one root": {"w"}, "several roots": {"w", "v"}, "not the first root": {"v", "w"},
		"nested roots": {"w", "w/in"}, "the inner first": {"w/in", "w"}, "through a link": {"lnk"},
	} {
		var roots []string
		for _, dir := range dirs {
			roots = append(roots, root+"/"+dir)
		}
		toolset := testkit.Open(t, gander.Options{Roots: roots, Deny: deny})
		for row, paths := range denied {
			for _, path := range paths {
				for _, p := range []string{
					root + "/w" + path,
					relativeTo(roots[0], root+"/"+strings.TrimPrefix(dirs[0], "v")+path),
				} {
					for id, key := range testkit.PathArguments() {
						result, failure := testkit.Call(t, toolset, id, object{key: p})
						output := describe(result, failure)
						if id == "gander/list_dir" && failure == nil &&
							strings.Contains(output, "denied by pattern ") && !strings.Contains(output, "SECRET") {
							continue // it describes the entry without opening it
						}
						if failure == nil || leak(output, append(sent(id, p), root)...) != "" {
							t.Errorf("%s, %s: %s of %s: %.200s", row, name, id, p, output)
						} else if filepath.IsAbs(p) && strings.HasPrefix(
							id, "codex/",
						) && failure.Kind != tool.Denied {
							// The other tools first refuse a file, a link or "..".
							t.Errorf("%s, %s: %s of %s: %.200s", row, name, id, p, output)
						}
					}
				}
			}
		}
		if output, found := searched(t, toolset, root+"/w"); !found ||
			strings.Contains(output, "SECRET") || strings.Contains(output, "w/private/") {
			t.Errorf("%s: searching the root says %s", name, output)
		}
		// Other files can be read. Denied entries are listed by name and not entered.
		for id, key := range testkit.PathArguments() {
			path := "/w/secret"
			if testkit.ReadsFile(id) {
				path = "/w/secret/f"
			} else if id == "toolkit/tree" {
				path = "/w/open"
			}
			if result, failure := testkit.Call(t, toolset, id, object{key: root + path}); failure != nil {
				t.Errorf("%s: %s of %s: %s", name, id, path, describe(result, failure))
			}
			args := map[string]object{
				"codex/list_dir":       {"depth": 9, "limit": 100},
				"forge/list_directory": {"recursive": true, "include_hidden": true},
				"toolkit/tree":         {"entry_kind": "all", "max_depth": 9, "include_hidden": true},
			}[id]
			if args == nil {
				args = object{}
			}
			args[key] = root + "/w"
			result, failure := testkit.Call(t, toolset, id, args)
			output := describe(result, failure)
			if strings.Contains(output, "SECRET") || !testkit.ReadsFile(id) && id != "codex/grep_files" &&
				id != "filesystem/get_file_info" && !strings.Contains(output, "private") {
				t.Errorf("%s: %s of the root: %s", name, id, output)
			}
		}
	}
}

// TestBoundaryDefaultDeny checks that the default patterns keep secrets from being read, including
// under the name of a link, that the error contains the pattern, and that templates can be read.
func TestBoundaryDefaultDeny(t *testing.T) {
	root := fixture.Make(t,
		"w/id_ed25519", "w/a/.aws/credentials", "w/.ENV.Production", "w/a/.env.sample", "w/env",
		"w/.env", "w/.env.example => .env", "w/.ssh => dotfiles/ssh", "w/dotfiles/ssh/known_hosts",
		"w/id_rsa => dotfiles/deploy", "w/dotfiles/deploy",
	)
	toolset := testkit.Open(t, gander.Options{Roots: []string{root + "/w"}})
	open := testkit.Open(t, gander.Options{Roots: []string{root + "/w"}, NoDefaultDeny: true})
	for path, pattern := range map[string]string{
		"id_ed25519": "**/id_ed25519*", "a/.aws/credentials": "**/.aws/**",
		".ENV.Production": "**/.env.*", ".env": "**/.env", ".env.example": "**/.env",
		".ssh/known_hosts": "**/.ssh/**", "id_rsa": "**/id_rsa*",
		"a/.env.sample": "", "env": "", "dotfiles/ssh/known_hosts": "", "dotfiles/deploy": "",
	} {
		args := object{"file_path": root + "/w/" + path}
		_, failure := testkit.Call(t, toolset, "codex/read_file", args)
		switch {
		case pattern == "" && failure != nil:
			t.Errorf("%s: %v", path, failure)
		case pattern != "" && (failure == nil || failure.Kind != tool.Denied ||
			failure.Message != "failed to read file: denied by pattern "+pattern):
			t.Errorf("%s: got %v, want that it is denied by %s", path, failure, pattern)
		}
		if _, failure := testkit.Call(t, open, "codex/read_file", args); failure != nil {
			t.Errorf("%s, without the default patterns: %v", path, failure)
		}
	}
}
