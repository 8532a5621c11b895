package cli

import (
	"github.com/spf13/cobra"

	"gander"
	"gander/internal/terminal"
	"gander/internal/toolset"
)

func newWhyCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "why PATH",
		Short: "Explain why a path is shown or hidden",
		Long: `Explain why a path is shown or hidden: outside of the roots, denied (by which
pattern), ignored (by which line of which file), git (part of .git), missing, or
shown.`,
		Example: `  gander why src/main.go
  gander why --root src node_modules`,
		Args: arguments(1, 1, "one path"),
	}
	cmd.RunE = newSource(cmd).run(func(cmd *cobra.Command, ts *gander.Toolset, args []string) error {
		explanation, err := (*toolset.Toolset)(ts).Why(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		text := string(explanation.Cause)
		if explanation.Rule != "" {
			text += " by " + terminal.Line(explanation.Rule)
		}
		return write(cmd, text+"\n")
	})
	return cmd
}
