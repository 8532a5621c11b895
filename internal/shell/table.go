package shell

import (
	"fmt"
	"slices"
	"strings"

	"gander/internal/shell/command"
	"gander/internal/shell/command/awk"
	"gander/internal/shell/command/diff"
	"gander/internal/shell/command/dump"
	"gander/internal/shell/command/grep"
	"gander/internal/shell/command/list"
	"gander/internal/shell/command/order"
	"gander/internal/shell/command/rg"
	"gander/internal/shell/command/sed"
	"gander/internal/shell/command/text"
	"gander/internal/shell/command/xargs"
)

// Commands returns the commands of the shell that are programs elsewhere.
func Commands() []command.Command {
	return slices.Concat(
		awk.Commands(), diff.Commands(), dump.Commands(), grep.Commands(), list.Commands(),
		order.Commands(), text.Commands(), rg.Commands(), sed.Commands(), xargs.Commands(),
	)
}

// Table returns the commands of the shell as rows of a table in Markdown, with their options and
// operands. Commands with the same options share a row.
func Table() string {
	names := make(map[string][]string) // by the rest of their row
	add := func(name string, options command.Options, operands string) {
		forms := strings.NewReplacer("=", "", "+NUM ", "", "+", "").Replace(string(options))
		row := strings.ReplaceAll(fmt.Sprintf("| `%s` | `%s` |\n", forms, operands), "``", "")
		names[row] = append(names[row], name)
	}
	for name, b := range builtins() {
		add(name, b.options, b.operands)
	}
	for _, c := range Commands() {
		for _, name := range c.Names {
			add(name, c.Options, c.Operands)
		}
	}
	var rows []string
	for rest, list := range names {
		slices.Sort(list)
		rows = append(rows, "| `"+strings.Join(list, "` `")+"` "+rest)
	}
	slices.Sort(rows)
	return strings.Join(rows, "")
}
