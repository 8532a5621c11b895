package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gander/internal/provider"
)

func newToolsCmd() *cobra.Command {
	formats := provider.Formats()
	names := strings.Join(slices.Sorted(maps.Keys(formats)), ", ")
	cmd := &cobra.Command{
		Use:   "tools",
		Short: "Print the definitions of the tools as models' interfaces take them",
		Long: `Print the definitions of the tools as models' interfaces take them: one JSON array, the "tools" of a request, with every
schema byte for byte as published. Tools whose names collide are shown as DIALECT_NAME.`,
		Example: "  gander tools --format openai --tools codex,toolkit/tree",
		Args:    arguments(0, 0, "no arguments"),
	}
	src := newSource(cmd.Flags()).withTools()
	var name string
	cmd.Flags().StringVar(&name, "format", "mcp", "write them in `FORMAT`: "+names)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		format, known := formats[name]
		if !known {
			return fmt.Errorf("unknown format %q; the formats are: %s", name, names)
		}
		ts, _, err := src.open()
		if err != nil {
			return err
		}
		defer ts.Close()
		return write(cmd.OutOrStdout(), string(format(ts.Definitions()))+"\n")
	}
	return cmd
}
