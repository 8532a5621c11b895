// Package commandtest runs single commands of the shell in tests, and the programs that they are
// compared with.
package commandtest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"

	"gander/internal/files/workspace"
	"gander/internal/shell/command"
)

// environment are the exported variables of a command and of the real program.
var environment = []string{"HOME=/home", "X=5"}

// Run runs a command on an input in a directory. It returns what it prints, its status and the
// error that refused it or ended the script.
func Run(
	t testing.TB, ctx context.Context, k command.Command, dir, input string, args ...string,
) (out string, status int, err error) {
	t.Helper()
	w, err := workspace.Open(workspace.Options{}, dir)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	name := k.Names[0]
	run, err := k.Prepare(name, args)
	if err != nil {
		return "", 2, err
	}
	defer func() {
		if r := recover(); r != nil {
			abort, ok := r.(command.Abort)
			if !ok {
				panic(r)
			}
			err = abort.Err
		}
	}()
	var stdout bytes.Buffer
	c := &command.Call{
		Name: name, In: command.NewInput(strings.NewReader(input), nil),
		Out: command.NewOutput(&stdout), Err: io.Discard,
		Files:    &command.Files{Workspace: w, Dir: dir, Omitted: new(command.Omissions)},
		Account:  command.NewAccount(ctx, command.NewBudget(16<<20), name),
		Exported: func() []string { return environment },
	}
	defer c.Files.Close()
	status = c.Run(ctx, run)
	return stdout.String(), status, nil
}

// Real runs a real program on an input in a directory. It returns what it prints and its status.
func Real(t testing.TB, program, dir, input string, args ...string) (out string, status int) {
	t.Helper()
	c := exec.Command(program, args...)
	c.Dir, c.Stdin = dir, strings.NewReader(input)
	c.Env = append([]string{"LC_ALL=C.UTF-8"}, environment...)
	printed, err := c.Output()
	if err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	return string(printed), c.ProcessState.ExitCode()
}
