package shell

import (
	"slices"

	"gander/internal/shell/command"
	"gander/internal/shell/command/awk"
	"gander/internal/shell/command/diff"
	"gander/internal/shell/command/dump"
	"gander/internal/shell/command/grep"
	"gander/internal/shell/command/list"
	"gander/internal/shell/command/order"
	"gander/internal/shell/command/sed"
	"gander/internal/shell/command/text"
	"gander/internal/shell/command/xargs"
)

// Commands returns the commands of the shell that are programs elsewhere.
func Commands() []command.Command {
	return slices.Concat(
		awk.Commands(), diff.Commands(), dump.Commands(), grep.Commands(), list.Commands(),
		order.Commands(), text.Commands(), sed.Commands(), xargs.Commands(),
	)
}
