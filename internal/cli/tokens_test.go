package cli

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
)

// The tokens of three clients. The third sees all.
const (
	tokenA   = "token-of-client-a"
	tokenB   = "token-of-client-b"
	tokenAll = "token-of-the-admin"
)

// TestTokens serves clients with different roots and tools. Whatever a client requests, and
// whatever session it names, it sees nothing of the others. A request without a token sees nothing.
func TestTokens(t *testing.T) {
	root := fixture.Make(t, "a/mine.txt", "a/private/key.txt", "b c/yours.txt",
		"a/link => ../b c/yours.txt", "a/up => ..", "top.txt")
	file := filepath.Join(t.TempDir(), "tokens")
	testkit.Must(t, os.WriteFile(file, fmt.Appendf(nil, "a %s --root %s/a\n"+
		`b %s --root="%s/b c" --tools read_file,find_files`+"\r\n%s\n",
		tokenA, root, tokenB, root, tokenAll), 0o600))
	url, _ := startHTTP(t, "--root", root, "--http", "0", "--token-file", file,
		"--deny", "/a/private")
	client := new(http.Client)
	call := func(bearer, name, arguments string) string {
		_, body := send(t, client, url, bearer, "tools/call", name,
			fmt.Sprintf(`"name":%q,"arguments":%s,`, name, arguments))
		return body
	}
	for bearer, want := range map[string]string{
		tokenA: "mine.txt", tokenB: "yours.txt", tokenAll: "top.txt",
	} {
		if body := call(bearer, "read_file", fmt.Sprintf(`{"path":%q}`, want)); !strings.Contains(body,
			`1\t`) || !strings.Contains(body, want+`"`) {
			t.Errorf("%s does not see its file: %s", bearer, body)
		}
		_, list := list(t, client, url, bearer)
		if hasAll := strings.Contains(list, `"search_text"`); hasAll != (bearer != tokenB) {
			t.Errorf("%s has the tools %s", bearer, list)
		}
	}
	for _, path := range []string{
		"yours.txt", "../b c/yours.txt", root + "/b c/yours.txt", "link", "up/b c/yours.txt",
		root + "/top.txt", "../top.txt", "up/top.txt", "private/key.txt", root + "/a/private/key.txt",
		"~/../" + root + "/top.txt", "//" + root + "/top.txt", "a/../../top.txt",
		"/proc/self/root" + root + "/top.txt",
	} {
		body := call(tokenA, "read_file", fmt.Sprintf(`{"path":%q}`, path))
		if !strings.Contains(body, `"isError":true`) || strings.Contains(body, `1\t`) {
			t.Errorf("a reads %s: %s", path, body)
		}
	}
	for name, arguments := range map[string]string{
		"list_dir": `{"path":".."}`, "find_files": `{"pattern":"**/*.txt"}`,
		"search_text": `{"pattern":"yours|top|key","ignored":true}`,
	} {
		if body := call(tokenA, name, arguments); strings.Contains(body, "yours.txt") ||
			strings.Contains(body, "top.txt") || strings.Contains(body, "b c") {
			t.Errorf("a sees others by %s: %s", name, body)
		}
	}
	for _, name := range []string{
		"list_dir", "search_text", "gander_list_dir", "gander/list_dir", "bash",
	} {
		body := call(tokenB, name, `{"path":".","pattern":"y"}`)
		if !strings.Contains(body, `"error"`) || strings.Contains(body, "search_text\"") {
			t.Errorf("b calls %s: %s", name, body)
		}
	}
	for _, bearer := range []string{
		"", "a", "token-of-client-c", tokenA + " " + tokenB, tokenA + "," + tokenB,
	} {
		if status, body := list(t, client, url, bearer); status != http.StatusUnauthorized {
			t.Errorf("%q: %d %s", bearer, status, body)
		}
	}
}

// TestGrantErrors checks which lines of a token file are refused, and what the error says.
func TestGrantErrors(t *testing.T) {
	root := fixture.Make(t, "a/in.txt", "file", "out => /etc")
	outside := t.TempDir()
	for lines, want := range map[string]string{
		"short":                                     "line 1: a token must be at least 16",
		"name -Zk3Zk3Zk3Zk3Zk3Zk3":                  "line 1: a name or token begins with -; choose another",
		tokenA + "\nname short":                     "line 2: a token must be at least 16",
		"a b c":                                     "line 1: a token must be",
		tokenA + "\n\n" + tokenB:                    "line 2: a token must be",
		"a " + tokenA + "\nb " + tokenA:             "line 2: the token is given twice",
		"a " + tokenA + "\na " + tokenB:             "line 2: the name a is given twice",
		"a " + tokenA + " --root":                   "flag needs an argument",
		"a " + tokenA + " --root=":                  "--root is empty",
		"a " + tokenA + ` --tools ""`:               "--tools is empty",
		"a " + tokenA + " --deny x":                 "unknown flag: --deny",
		"a " + tokenA + ` --root "x`:                "a quotation mark is not closed",
		"a " + tokenA + " --tools none":             "unknown tool",
		"a " + tokenA + " --tools codex":            "unknown tool",
		"a " + tokenA + " --root /":                 "cannot have more than the server",
		"a " + tokenA + " --root " + root + "/..":   "cannot have more than the server",
		"a " + tokenA + " --root " + root + "/out":  "cannot have more than the server",
		"a " + tokenA + " --root " + root + "/none": "no such",
		"a " + tokenA + " --root " + root + "/file": "not a directory",
		"a " + tokenA + " --root " + outside:        "cannot have more than the server",
	} {
		file := filepath.Join(outside, "tokens")
		testkit.Must(t, os.WriteFile(file, []byte(lines+"\n"), 0o600))
		var stderr strings.Builder
		code := run(t.Context(), []string{
			"mcp", "--no-kernel-confinement", "--root", root, "--http", "0", "--token-file", file,
		}, strings.NewReader(""), &strings.Builder{}, &stderr)
		if code == exitOK || !strings.Contains(stderr.String(), want) {
			t.Errorf("%q: %d %s, want %s", lines, code, &stderr, want)
		}
	}
}

// FuzzGrant checks that a line is refused, or has a token that is a part of it.
func FuzzGrant(f *testing.F) {
	for _, line := range []string{
		tokenA, "a " + tokenA + ` --root "x y" --tools a,b`, `--root=--tools`, `" "`,
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		g, err := parseGrant(line)
		if err == nil && (len(g.token) < minToken || strings.ContainsAny(g.token, " \t\n\x00")) {
			t.Errorf("%q: %+v", line, g)
		}
	})
}
