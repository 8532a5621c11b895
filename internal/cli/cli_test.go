package cli

import (
	"context"
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
			example, err := os.ReadFile("../config/example.toml")
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
	want := sorted(expand(ts, ts.ReadFile(args[0])))
	if diff := cmp.Diff(want, sorted(ts.ReadFile("stdout"))); diff != "" {
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
