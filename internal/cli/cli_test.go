package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"gander/tool"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"gander": func() {
			os.Exit(Main(context.Background(), os.Args[1:]))
		},
	})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			example, err := os.ReadFile("../config/example.toml")
			if err != nil {
				return err
			}
			return os.WriteFile(e.WorkDir+"/example.toml", example, 0o600)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":   exits,
			"content": content,
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

func TestExitCode(t *testing.T) {
	kind := func(k tool.Kind) error { return &tool.Error{Kind: k, Message: "m"} }
	for _, c := range []struct {
		err  error
		want int
	}{
		{errors.New("unknown flag"), 2},
		{fs.ErrNotExist, 2}, // a missing root or configuration
		{kind(tool.BadArguments), 2},
		{kind(tool.NotFound), 1},
		{kind(tool.NotDirectory), 1},
		{kind(tool.Outside), 1},
		{kind(tool.Denied), 1},
		{kind(tool.Timeout), 1},
		{context.DeadlineExceeded, 1},
		{kind(tool.Cancelled), 130},
		{context.Canceled, 130},
		{kind(tool.Failed), 1},
		{kind(tool.Internal), 1},
		{kind("of another program"), 1},
		{failure(errors.New("m")), 1},
		{failure(kind(tool.NotFound)), 1},
		{fmt.Errorf("x: %w", failure(kind(tool.Timeout))), 1},
		{fmt.Errorf("x: %w", kind(tool.Denied)), 1},
	} {
		if got := exitCode(c.err); got != c.want {
			t.Errorf("%#v exits with %d, not %d", c.err, got, c.want)
		}
	}
}

// TestPrintJoinedErrors checks that each of several errors has a line, whatever wraps them.
func TestPrintJoinedErrors(t *testing.T) {
	joined := errors.Join(errors.New("a"), failure(errors.Join(errors.New("b"), errors.New("c\nd"))))
	var stderr strings.Builder
	cmd := Command()
	cmd.SetErr(&stderr)
	printError(cmd, failure(joined))
	if want := "gander: a\ngander: b\ngander: c\\nd\n"; stderr.String() != want {
		t.Errorf("printed %q, not %q", stderr.String(), want)
	}
	for _, each := range split(failure(joined)) {
		if code := exitCode(each); code != exitFailed {
			t.Errorf("%v exits with %d", each, code)
		}
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, args := range [][]string{{"why", "."}, {"call", "tree", `{"path":"."}`}} {
		args = append(args, "--"+noConfinementFlag)
		var stdout, stderr strings.Builder
		code := run(ctx, args, strings.NewReader(""), &stdout, &stderr)
		if code != 130 || stdout.Len() > 0 || stderr.Len() > 0 {
			t.Errorf("%q: code %d, printed %q and %q", args, code, stdout.String(), stderr.String())
		}
	}
}
