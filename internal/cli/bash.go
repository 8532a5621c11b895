package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"gander/internal/shell"
	"gander/internal/terminal"
	"gander/internal/toolset"
	"gander/tool"
)

// shellTool is the ID of the tool whose scripts the command bash runs.
const shellTool = "shell/bash"

type scriptRunner interface {
	Run(ctx context.Context, script shell.Script) shell.Result
}

func newBashCmd() *cobra.Command {
	cmd := newCommand("bash")
	cmd.Flags().SetInterspersed(false) // what follows the script are its arguments
	command := cmd.Flags().StringP("command", "c", "", "run `COMMAND`")
	src := newSource(cmd).withConfinement()
	src.tools = []string{shellTool}
	src.setRun(func(ts *toolset.Toolset, args []string) error {
		script := shell.Script{Text: *command, Out: cmd.OutOrStdout(), Err: cmd.ErrOrStderr()}
		if len(args) > 0 {
			script.Name, script.Arguments = args[0], args[1:]
		}
		switch {
		case cmd.Flags().Changed("command"):
			script.In = scriptInput(cmd)
		case len(args) > 0:
			script.File, script.In = args[0], scriptInput(cmd)
		case hasInput(cmd):
			text, err := io.ReadAll(io.LimitReader(cmd.InOrStdin(), maxArgs))
			if err != nil {
				return failure(fmt.Errorf("cannot read the script: %w", err))
			}
			script.Text = string(text)
		default:
			return errors.New("bash needs -c COMMAND, a FILE, or a script on standard input")
		}
		return runScript(cmd, ts, script)
	})
	return cmd
}

// scriptInput returns the standard input of a script, or nil for a device like /dev/null: there is
// nothing to read, and rg searches the directory.
func scriptInput(cmd *cobra.Command) io.Reader {
	in := cmd.InOrStdin()
	if _, isFile := in.(*os.File); isFile && !terminal.Is(in) && !hasInput(cmd) {
		return nil
	}
	return in
}

func runScript(cmd *cobra.Command, ts *toolset.Toolset, script shell.Script) error {
	arguments, _ := json.Marshal(map[string]string{"command": script.Text})
	var result shell.Result
	err := ts.Use(cmd.Context(), shellTool, arguments, func(ctx context.Context, t tool.Tool) error {
		result = t.(scriptRunner).Run(ctx, script)
		return nil
	})
	if err != nil {
		return failure(err)
	}
	for _, note := range result.Notes() {
		cmd.PrintErrln(note)
	}
	if result.Status != 0 {
		return exitError{result.Status, nil}
	}
	return nil
}
