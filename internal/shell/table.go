package shell

import (
	"slices"

	"gander/internal/shell/command"
)

// Commands returns the commands of the shell that are programs elsewhere.
func Commands() []command.Command { return slices.Concat[[]command.Command]() }
