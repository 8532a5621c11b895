package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// The groups of commands.
const (
	lookGroup  = "look"
	serveGroup = "serve"
	setUpGroup = "setup"
)

// positionAnnotation is the annotation of a command with its position in its group. One without it comes last.
const positionAnnotation = "position"

// commandGroups returns the groups in the order in which they are shown.
func commandGroups() []*cobra.Group {
	return []*cobra.Group{
		{ID: lookGroup, Title: "Look at files, as a model does:"},
		{ID: serveGroup, Title: "Serve the tools to a model:"},
		{ID: setUpGroup, Title: "Set up:"},
	}
}

// setHelp makes the help of the root say how to use it, and that of every other command begin with examples.
func setHelp(root *cobra.Command) {
	standard := root.HelpFunc()
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages", ".FlagUsagesWrapped 80"))
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if cmd == root {
			cmd.Print(rootHelp(root))
			return
		}
		if cmd.HasExample() {
			cmd.Printf("Examples:\n%s\n\n", cmd.Example)
			cmd.Example = ""
		}
		standard(cmd, args)
	})
}

// rootHelp returns the help of the program: its usage, its commands by their groups, and where there is more.
func rootHelp(root *cobra.Command) string {
	var b strings.Builder
	b.WriteString("Usage:\n  gander COMMAND [ARGUMENTS] [FLAGS]\n\n" + root.Long + "\n")
	for _, group := range root.Groups() {
		b.WriteString("\n" + group.Title + "\n")
		cmds := slices.DeleteFunc(slices.Clone(root.Commands()), func(c *cobra.Command) bool { return c.GroupID != group.ID })
		slices.SortStableFunc(cmds, func(a, b *cobra.Command) int {
			return strings.Compare(cmp.Or(a.Annotations[positionAnnotation], "z"), cmp.Or(b.Annotations[positionAnnotation], "z"))
		})
		for _, cmd := range cmds {
			fmt.Fprintf(&b, "  %-11s %s\n", cmd.Name(), cmd.Short)
		}
	}
	b.WriteString(`
Try:
` + root.Example + `

Read more:
  gander COMMAND --help      a command, with examples
  gander call TOOL --help    the arguments of a tool
  gander config init         every setting, with its default

` + exitHelp + "\n")
	return b.String()
}
