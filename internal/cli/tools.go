package cli

import (
	"encoding/json"
	"strings"

	"github.com/spf13/cobra"

	"gander"
	"gander/internal/frontend/provider"
	"gander/internal/terminal"
)

func newToolsCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tools",
		Short: "Print the definitions of the tools for a request to a model",
		Long: `Print the definitions of the tools for a request to a model: a JSON array, the
"tools" of the request. On a terminal, without --format, print the ids and
descriptions of the tools instead.

The formats are ` + strings.Join(formats(), ", ") + `. mcp has
every schema byte for byte as published, the others have it as strict as the
interface allows. If two tools have the same name, each is named DIALECT_NAME.`,
		Example: `  gander tools
  gander tools --format mcp
  gander tools --format openai --tools codex`,
		Args: arguments(0, 0, "no arguments"),
	}
	src := newSource(cmd).withTools()
	format := formatFlag(cmd, "write the definitions in `FORMAT`")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := checkFormat(*format); err != nil {
			return err
		}
		ts, _, err := src.open()
		if err != nil {
			return err
		}
		defer ts.Close()
		if terminal.Is(cmd.OutOrStdout()) && !cmd.Flags().Changed("format") {
			return write(cmd, toolList(ts.Definitions()))
		}
		data, err := formatDefinitions(ts, *format)
		if err != nil {
			return err
		}
		return write(cmd, string(data)+"\n")
	}
	return cmd
}

// formatDefinitions returns the definitions of the tools of ts in a format.
func formatDefinitions(ts *gander.Toolset, format string) (json.RawMessage, error) {
	if format == mcpFormat {
		return provider.MCP(ts.Definitions()), nil
	}
	return ts.Tools(gander.Provider(format))
}
