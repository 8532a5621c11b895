//go:build unix

package codex

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"gander/internal/files/workspace"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/unprivileged"
	"gander/tool"
)

func grepTool(t *testing.T, root string, s GrepFilesSettings) *GrepFiles {
	t.Helper()
	w, err := workspace.Open(workspace.Options{Deny: []string{"**/*.pem"}}, root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return NewGrepFiles(w, s)
}

// answer returns the text of the answer, or that of the error with its kind, with ROOT for the
// root.
func grepAnswer(t *testing.T, g *GrepFiles, args string, b tool.Budget) string {
	t.Helper()
	root := g.workspace.Roots()[0]
	result, err := g.Call(t.Context(), tool.Call{Args: []byte(strings.ReplaceAll(args, "ROOT", root)), Budget: b})
	said := result.Text()
	var e *tool.Error
	if errors.As(err, &e) {
		said = string(e.Kind) + ": " + e.Message
	} else if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(said, root, "ROOT")
}

func TestGrepFilesErrors(t *testing.T) {
	root := fixture.Make(t, "f", "d/x.pem", "pipe|", "away => /etc", "loop => loop", "shut.pem")
	g := grepTool(t, root, DefaultGrepFilesSettings())
	for args, want := range map[string]string{
		`{}`:                                                        "bad_arguments: failed to parse function arguments: missing field `pattern`",
		`{"pattern":null}`:                                          "bad_arguments: failed to parse function arguments: invalid type for `pattern`: null, expected a string",
		`{"pattern":"x","limit":null}`:                              "bad_arguments: failed to parse function arguments: invalid value for `limit`: null, expected an unsigned integer",
		`{"pattern":"x","limit":2.5}`:                               "bad_arguments: failed to parse function arguments: invalid value for `limit`: 2.5, expected an unsigned integer",
		`{"pattern":"x","limit":"5"}`:                               "bad_arguments: failed to parse function arguments: invalid value for `limit`: \"5\", expected an unsigned integer",
		`{"pattern":"x","path":1}`:                                  "bad_arguments: failed to parse function arguments: invalid type for `path`: number, expected a string",
		`{"pattern":"x","glob":"*"}`:                                "bad_arguments: failed to parse function arguments: unknown field `glob`, expected one of `pattern`, `include`, `path`, `limit`",
		`{"pattern":" \u00a0\n"}`:                                   "bad_arguments: pattern must not be empty",
		`{"pattern":" ","limit":0}`:                                 "bad_arguments: pattern must not be empty",
		`{"pattern":"(","limit":0}`:                                 "bad_arguments: limit must be greater than zero",
		`{"pattern":"(","path":"no"}`:                               "not_found: unable to access `ROOT/no`: No such file or directory (os error 2)",
		`{"pattern":"x","path":"f/"}`:                               "not_a_directory: unable to access `ROOT/f/`: Not a directory (os error 20)",
		`{"pattern":"x","path":"loop"}`:                             "failed: unable to access `ROOT/loop`: Too many levels of symbolic links (os error 40)",
		`{"pattern":"x","path":"away"}`:                             "outside: unable to access `ROOT/away`: path is outside the workspace; use a path inside it",
		`{"pattern":"x","path":".."}`:                               "outside: unable to access `ROOT/..`: path is outside the workspace; use a path inside it",
		`{"pattern":"x","path":"pipe"}`:                             "failed: unable to access `ROOT/pipe`: not a regular file",
		`{"pattern":"x","path":"a\u0000"}`:                          "bad_arguments: unable to access `ROOT/a\\u0000`: file name contained an unexpected NUL byte",
		`{"pattern":"x","path":"no\n[DIR] forged"}`:                 "not_found: unable to access `ROOT/no\\n[DIR] forged`: No such file or directory (os error 2)",
		`{"pattern":"x","path":"` + strings.Repeat("n", 300) + `"}`: "failed: unable to access `ROOT/" + strings.Repeat("n", 300) + "`: File name too long (os error 36)",
		`{"pattern":"x","include":null,"path":null}`:                "No matches found.",
	} {
		if got := grepAnswer(t, g, args, tool.Budget{}); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", args, got, want)
		}
	}
	for args, want := range map[string]string{
		`{"pattern":"x("}`: "bad_arguments: rg failed: ", `{"pattern":"x","include":"["}`: "bad_arguments: rg failed: ", `{"pattern":"x","path":"f","include":"{"}`: "bad_arguments: rg failed: ",
		`{"pattern":"\\x00"}`: "bad_arguments: rg failed: ", `{"pattern":"x","path":"shut.pem"}`: "denied: unable to access `ROOT/shut.pem`: ",
	} {
		if got := grepAnswer(t, g, args, tool.Budget{}); !strings.HasPrefix(got, want) || len(got) == len(want) {
			t.Errorf("%s: %s", args, got)
		}
	}
}

// TestGrepFilesLongPattern checks that a hostile pattern is rejected in little memory, and not
// repeated.
func TestGrepFilesLongPattern(t *testing.T) {
	g := grepTool(t, fixture.Make(t, "f"), DefaultGrepFilesSettings())
	for _, pattern := range []string{
		strings.Repeat("a", 900_000) + "(", "[" + strings.Repeat(`\\w`, 500_000) + "]", strings.Repeat("a", 8000) + "(",
	} {
		got := grepAnswer(t, g, `{"pattern":"`+pattern+`"}`, tool.Budget{})
		if !strings.HasPrefix(got, "bad_arguments: rg failed: ") || len(got) > 1000 {
			t.Errorf("%d bytes: %.300s", len(got), got)
		}
	}
}

func TestGrepFilesUnreadable(t *testing.T) {
	runner := unprivileged.NewRunner(t)
	runner.Run(t, func() {
		root := fixture.Make(t, "d/in 0000", "d/ok", "shut/in", "shut/ 0000", "names/in", "names/ 0444")
		g := grepTool(t, root, DefaultGrepFilesSettings())
		for args, want := range map[string]string{
			`{"pattern":"."}`:                    "ROOT/d/ok",
			`{"pattern":".","path":"d/in"}`:      "denied: rg failed: ROOT/d/in: Permission denied (os error 13)",
			`{"pattern":".","path":"shut"}`:      "denied: rg failed: ROOT/shut: Permission denied (os error 13)",
			`{"pattern":".","path":"shut/in"}`:   "denied: unable to access `ROOT/shut/in`: Permission denied (os error 13)",
			`{"pattern":".","path":"names"}`:     "No matches found.",
			`{"pattern":".","path":"names/in"}`:  "denied: unable to access `ROOT/names/in`: Permission denied (os error 13)",
			`{"pattern":".","path":"shut/none"}`: "denied: unable to access `ROOT/shut/none`: Permission denied (os error 13)",
		} {
			if got := grepAnswer(t, g, args, tool.Budget{}); got != want {
				t.Errorf("%s:\ngot  %s\nwant %s", args, got, want)
			}
		}
	})
}

// TestGrepFilesPage: an answer over the budget is cut after a line, which a name with a line feed
// does not break.
func TestGrepFilesPage(t *testing.T) {
	root := fixture.Make(t, "a", "b\nc", "d")
	for i, name := range []string{"a", "b\nc", "d"} {
		at := time.Unix(int64(100-i), 0)
		if err := os.Chtimes(root+"/"+name, at, at); err != nil {
			t.Fatal(err)
		}
	}
	s := DefaultGrepFilesSettings()
	s.Limit = 2
	if got := grepAnswer(t, grepTool(t, root, s), `{"pattern":"."}`, tool.Budget{}); got != "ROOT/a\nROOT/b\\nc" {
		t.Errorf("two names: %q", got)
	}
	s.Limit, s.VerbatimNames = 3, true
	g := grepTool(t, root, s)
	if got := grepAnswer(t, g, `{"pattern":"."}`, tool.Budget{}); got != "ROOT/a\nROOT/b\nc\nROOT/d" {
		t.Errorf("verbatim: %q", got)
	}
	entries := make([]string, 20)
	for i := range entries {
		entries[i] = fmt.Sprintf("file%02d", i)
	}
	g = grepTool(t, fixture.Make(t, entries...), DefaultGrepFilesSettings())
	whole := grepAnswer(t, g, `{"pattern":"."}`, tool.Budget{})
	limit := 20*(len(g.workspace.Roots()[0])+len("/file00\n")) - 2
	shown, notice, cut := strings.Cut(grepAnswer(t, g, `{"pattern":"."}`, tool.Budget{MaxOutputBytes: &limit}), "\n[")
	if !cut || !strings.HasPrefix(whole, shown+"\n") || notice != fmt.Sprintf("gander: output limit of %d bytes reached; search for less, or raise the limit]", limit) {
		t.Errorf("cut: %q, %q", shown, notice)
	}
	if limit = 5; grepAnswer(t, g, `{"pattern":"."}`, tool.Budget{MaxOutputBytes: &limit}) != "failed: the output limit of 5 bytes is too small for any answer; raise it" {
		t.Error("5 bytes suffice")
	}
}

// TestGrepFilesTimeout: the published time limit has the published message, and a limit of the
// caller's context another.
func TestGrepFilesTimeout(t *testing.T) {
	g := grepTool(t, fixture.Make(t, "f"), DefaultGrepFilesSettings())
	g.timeout = time.Nanosecond
	if got := grepAnswer(t, g, `{"pattern":"."}`, tool.Budget{}); got != "timeout: rg timed out after 0 seconds" {
		t.Error(got)
	}
}
