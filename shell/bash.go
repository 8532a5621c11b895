package shell

import (
	"bytes"
	"context"

	"gander/internal/files/workspace"
	"gander/internal/shell"
	"gander/internal/tools/definition"
	"gander/tool"
)

// bash is shell/bash.
type bash struct {
	definition.Defined
	shell *shell.Shell
}

func newBash(w *workspace.Workspace, home string, o Options) *bash {
	published := definition.Decode("shell", definitions).Tool("bash")
	return &bash{Defined: published, shell: shell.New(w, home)}
}

// Call runs a command.
func (t *bash) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	a := t.Arguments(c.Args)
	command := a.Required("command").String("")
	if a.Err() != nil {
		return tool.Result{}, a.Err()
	}
	var out bytes.Buffer
	t.Run(ctx, shell.Script{Text: command, Out: &out, Err: &out})
	return tool.Result{Parts: tool.Text(out.String())}, nil
}

// Run runs a script with its own streams, for the command line.
func (t *bash) Run(ctx context.Context, script shell.Script) shell.Result {
	return t.shell.Run(ctx, script)
}
