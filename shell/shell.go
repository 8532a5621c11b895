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
	"gander/internal/shell"
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
	err := option.Check(option.Range{
		Option: "shell.MaxBytes", Value: o.MaxBytes, Min: 1000, Max: 1_000_000,
	})
	return gander.Set(definition.One("shell", "bash", definitions, err,
		func(d definition.Defined, w *workspace.Workspace) tool.Tool {
			home, _ := os.UserHomeDir() // otherwise "~" is the first root
			return &bash{Defined: d, Shell: shell.New(w, home), maxBytes: o.MaxBytes}
		}))
}

//go:embed definitions.json
var definitions []byte
