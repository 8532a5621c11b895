// Package shell provides a shell that only reads, as a tool for the library gander: a part of bash
// with the commands that agents read files with. They run inside the process on the files of the
// workspace; no program is started and nothing is written. docs/shell.md describes it.
package shell

import (
	"cmp"
	_ "embed"
	"os"

	"gander"
	"gander/internal/files/workspace"
	"gander/internal/option"
	"gander/internal/tools/definition"
	"gander/tool"
)

// Options configures the tool. Zero means the default.
type Options struct {
	MaxBytes int // the maximum size of a result, from 1000 to 1000000; default 30000
}

// Tools returns shell/bash. [gander.Open] returns an error if an option is out of range.
func Tools(o Options) gander.Set {
	o.MaxBytes = cmp.Or(o.MaxBytes, 30_000)
	return gander.Set(definition.NewSet(definition.SetDefinition{
		Name:  "shell",
		Tools: []string{"bash"},
		Err: option.Check(option.Range{
			Option: "shell.MaxBytes", Value: o.MaxBytes, Min: 1000, Max: 1_000_000,
		}),
		Build: func(w *workspace.Workspace) []tool.Tool {
			home, _ := os.UserHomeDir() // otherwise "~" is the first root
			return []tool.Tool{newBash(w, home, o)}
		},
	}))
}

//go:embed definitions.json
var definitions []byte
