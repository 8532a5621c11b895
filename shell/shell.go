// Package shell provides a shell that only reads, as a tool for the library gander: a part of bash
// with the commands that agents read files with. They run inside the process on the files of the
// workspace; no program is started and nothing is written. docs/shell.md describes it.
package shell

import (
	_ "embed"
	"os"

	"gander"
	"gander/internal/files/workspace"
	"gander/internal/tools/definition"
	"gander/tool"
)

// Options configures the tool. Zero means the default.
type Options struct {
	MaxChars int // of a result; default 30000, negative means no limit
}

// Tools returns shell/bash.
func Tools(o Options) gander.Set {
	return gander.Set(definition.NewSet(definition.SetDefinition{
		Name:  "shell",
		Tools: []string{"bash"},
		Build: func(w *workspace.Workspace) []tool.Tool {
			home, _ := os.UserHomeDir() // otherwise "~" is the first root
			return []tool.Tool{newBash(w, home, o)}
		},
	}))
}

//go:embed definitions.json
var definitions []byte
