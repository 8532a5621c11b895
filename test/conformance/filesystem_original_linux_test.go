package conformance

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"gander"
	"gander/filesystem"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/ripgrep"
	"gander/tool"
)

// originalServer is the default folder of the package @modelcontextprotocol/server-filesystem. The
// environment variable GANDER_FILESYSTEM_SERVER overrides it.
const (
	originalServer  = "/opt/fs/node_modules/@modelcontextprotocol/server-filesystem"
	originalVersion = "2026.8.31"
)

// startOriginal starts the original for a directory. It skips the test if the original or Node.js
// is missing.
func startOriginal(t *testing.T, dir string) *sdk.ClientSession {
	t.Helper()
	at := cmp.Or(os.Getenv("GANDER_FILESYSTEM_SERVER"), originalServer)
	node, err := exec.LookPath("node")
	manifest, missing := os.ReadFile(filepath.Join(at, "package.json"))
	version := fmt.Sprintf(`"version": %q`, originalVersion)
	if err != nil || missing != nil || !strings.Contains(string(manifest), version) {
		t.Skipf("Node.js and the package %s are not both here; "+
			"GANDER_FILESYSTEM_SERVER specifies the package's directory", originalVersion)
	}
	cmd := exec.CommandContext(t.Context(), node, filepath.Join(at, "dist", "index.js"), dir)
	cmd.Env = append(os.Environ(), "TZ=UTC", "LC_ALL=en_US.UTF-8")
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"},
		&sdk.ClientOptions{Capabilities: &sdk.ClientCapabilities{}})
	session, err := client.Connect(t.Context(), &sdk.CommandTransport{Command: cmd}, nil)
	testkit.Must(t, err)
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// TestFilesystemAsOriginal compares random calls with the original. GANDER_FILESYSTEM_CALLS sets
// their number.
func TestFilesystemAsOriginal(t *testing.T) {
	calls := ripgrep.Cases(t, "GANDER_FILESYSTEM_CALLS", 300)
	root := fixture.Make(t, "a/b/c.txt", "a/b/d.go", "a/.hid/x", "a/e f.md", "g/caf\u00e9.txt",
		"g/e\u0301.md", "g/[x].txt", "link => a/b", "flink => a/e f.md", "gone => nothing",
		"loop => loop", "empty/", "z.PNG")
	r := rand.New(rand.NewPCG(1, 15))
	for _, name := range []string{"lines.txt", "crlf.txt", "bytes.bin"} {
		var b strings.Builder
		for range r.IntN(200) {
			b.WriteString([]string{"\n", "\r\n", "word ", "\u00e9", "\xff", "\u6f6e\u6c50", "x"}[r.IntN(7)])
		}
		testkit.Must(t, os.WriteFile(filepath.Join(root, name), []byte(b.String()), 0o600))
	}
	original := startOriginal(t, root)
	ts := testkit.Open(t, gander.Options{
		Roots: []string{root}, Tools: []string{"filesystem"},
		Sets:          []gander.Set{filesystem.Tools(filesystem.Options{VerbatimNames: true})},
		NoDefaultDeny: true, Limits: gander.Limits{MaxOutputBytes: -1, Timeout: -1},
	})
	for range calls {
		name, args := randomCall(r, root)
		reply, err := original.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: args})
		testkit.Must(t, err)
		want := tool.Result{Parts: parts(reply.Content)}.Text()
		result, failure := testkit.Call(t, ts, "filesystem/"+name, args)
		got := result.Text()
		if failure != nil {
			got = failure.Message
		}
		if failure != nil && strings.Contains(got, " not supported; ") {
			continue // docs/reproductions.md lists the rejected patterns
		}
		if got != want || (failure != nil) != reply.IsError {
			t.Errorf("%s of %v\ngot  %q, %v\nwant %q", name, args, got, failure != nil, want)
		}
	}
}

// randomCall returns the name and the arguments of a call.
func randomCall(r *rand.Rand, root string) (name string, args object) {
	one := func(words ...string) string { return words[r.IntN(len(words))] }
	path := func() string {
		p := one("", ".", "a", "a/b", "a/b/c.txt", "a/./b/../e f.md", "link", "link/c.txt", "link/none",
			"flink", "flink/x", "gone", "gone/x", "loop", "empty", "empty/x", "lines.txt", "crlf.txt",
			"bytes.bin", "g", "g/cafe\u0301.txt", "g/\u00e9.md", "g/caf\u00e9.txt/x", "none/../a",
			"lines.txt/", "lines.txt/x", "..", "../x", "/etc/hostname", "C:\\x", "~nobody", "file:///a",
			"a\x00b", "z.PNG", "'a'", " a", "a ")
		if r.IntN(3) == 0 && !strings.HasPrefix(p, "/") {
			p = root + "/" + p
		}
		return p
	}
	pattern := func() string {
		p := ""
		for range 1 + r.IntN(4) {
			p += one("*", "**", "**/", "/", "a", "b", "c.txt", "?", "[a-c]", "{a,b}", "{1..2}", "!",
				"@(a|b)", ".*", "*.go", "*.txt", "+(a)", "!(a)", "#", "\\", "[[:alpha:]]", "é")
		}
		return p
	}
	args = object{"path": path()}
	name = one("read_text_file", "read_text_file", "read_file", "read_multiple_files",
		"list_directory", "list_directory_with_sizes", "directory_tree", "search_files", "search_files")
	switch name {
	case "read_text_file", "read_file":
		numbers := []any{1, 2, 3, 10, 1000, -1, 0, 0.5, 1.5, 2.7, "1", nil}
		if r.IntN(2) == 0 {
			args[one("head", "tail")] = numbers[r.IntN(len(numbers))]
		}
	case "read_multiple_files":
		args = object{"paths": []any{path(), path(), path()}}
	case "list_directory_with_sizes":
		if r.IntN(2) == 0 {
			args["sortBy"] = one("name", "size", "date")
		}
	case "directory_tree":
		args["excludePatterns"] = []any{pattern(), pattern()}[:r.IntN(3)]
	case "search_files":
		args["pattern"] = pattern()
		args["excludePatterns"] = []any{pattern()}[:r.IntN(2)]
	}
	if r.IntN(20) == 0 {
		key := one("path", "pattern", "head")
		args[key] = []any{nil, 1, true, []any{}, object{}}[r.IntN(5)]
	}
	return name, args
}
