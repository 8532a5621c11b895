package cli

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"gander": func() {
			os.Exit(Run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
		},
	})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			example, err := os.ReadFile("../../gander.example.toml")
			if err != nil {
				return err
			}
			return os.WriteFile(e.WorkDir+"/example.toml", example, 0o600)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":   exits,
			"content": content,
			"replies": replies,
			"subst":   subst,
		},
	})
}

// exits CODE PROGRAM ARGS... runs a program and fails unless it exits with the code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARGS...")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if want := args[0]; strconv.Itoa(code) != want {
		ts.Fatalf("exit code %d, not %s", code, want)
	}
}

// content FILE fails unless standard output is the content of the file without its last line feed.
func content(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: content FILE")
	}
	want := strings.TrimSuffix(expand(ts, ts.ReadFile(args[0])), "\n")
	if got := ts.ReadFile("stdout"); got != want {
		ts.Fatalf("content %q, not %q", got, want)
	}
}

// replies FILE fails unless standard output has the lines of the file, in any order.
func replies(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: replies FILE")
	}
	sorted := func(text string) []string { return slices.Sorted(strings.Lines(text)) }
	if diff := cmp.Diff(sorted(expand(ts, ts.ReadFile(args[0]))), sorted(ts.ReadFile("stdout"))); diff != "" {
		ts.Fatalf("replies (-want +got):\n%s", diff)
	}
}

// subst FILE replaces $WORK in the file by the working directory.
func subst(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: subst FILE")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(expand(ts, ts.ReadFile(args[0]))), 0o600))
}

func expand(ts *testscript.TestScript, text string) string {
	return strings.ReplaceAll(text, "$WORK", ts.Getenv("WORK"))
}

// TestToolsAreAsListed: tools prints what the server lists.
func TestToolsAreAsListed(t *testing.T) {
	t.Chdir(t.TempDir())
	run := func(stdin string, args ...string) string {
		t.Helper()
		var stdout, stderr strings.Builder
		if code := Run(t.Context(), args, strings.NewReader(stdin), &stdout, &stderr); code != 0 {
			t.Fatalf("exit code %d: %s", code, stderr.String())
		}
		return stdout.String()
	}
	var printed []map[string]any
	if err := json.Unmarshal([]byte(run("", "tools", "--tools", "gander,codex,gemini,forge,toolkit")), &printed); err != nil {
		t.Fatal(err)
	}
	out := run(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
`, "mcp", "--tools", "gander,codex,gemini,forge,toolkit")
	var listed []map[string]any
	for line := range strings.Lines(out) {
		var message struct {
			ID     int
			Result struct{ Tools []map[string]any }
		}
		if err := json.Unmarshal([]byte(line), &message); err != nil {
			t.Fatal(err)
		}
		if message.ID == 2 {
			listed = message.Result.Tools
		}
	}
	byName := func(a, b map[string]any) int { return strings.Compare(a["name"].(string), b["name"].(string)) }
	slices.SortFunc(printed, byName)
	slices.SortFunc(listed, byName)
	if diff := cmp.Diff(listed, printed); diff != "" {
		t.Errorf("tools (-listed +printed):\n%s", diff)
	}
}
