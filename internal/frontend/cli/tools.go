package cli

import (
	"github.com/spf13/cobra"

	"gander"
	"gander/internal/frontend/provider"
)

func newToolsCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tools",
		Short: "Print the definitions of the tools as models' interfaces take them",
		Long: `Print the definitions of the tools as models' interfaces take them: one JSON array, the "tools" of a request. Schemas are
in the strictest form that the interface takes, in the format mcp byte for byte as published. Tools whose names collide
are shown as DIALECT_NAME.`,
		Example: "  gander tools --format openai --tools codex,toolkit/tree",
		Args:    arguments(0, 0, "no arguments"),
	}
	src := newSource(cmd.Flags()).withTools()
	format := formatFlag(cmd.Flags(), "write them in `FORMAT`: ")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := checkFormat(*format); err != nil {
			return err
		}
		ts, _, err := src.open()
		if err != nil {
			return err
		}
		defer ts.Close()
		definitions := provider.MCP(ts.Definitions())
		if *format != mcpFormat {
			if definitions, err = ts.Tools(gander.Provider(*format)); err != nil {
				return err
			}
		}
		return write(safely(cmd.OutOrStdout()), string(definitions)+"\n")
	}
	return cmd
}
