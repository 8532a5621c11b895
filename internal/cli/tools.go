package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"github.com/spf13/cobra"

	"gander"
	"gander/internal/terminal"
	"gander/mcpserver"
)

func newToolsCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tools",
		Short: "Print the definitions of the tools",
		Long: `Print the definitions of the tools as a JSON array, as an MCP client lists
them. On a terminal, print their ids and descriptions instead. If two tools
have the same name, the name of its set precedes each: SET_NAME.`,
		Example: `  gander tools
  gander tools --tools codex`,
		Args: arguments(0, 0, "no arguments"),
	}
	src := newSource(cmd).withTools()
	cmd.RunE = src.run(func(cmd *cobra.Command, ts *gander.Toolset, _ []string) error {
		if !terminal.Is(cmd.OutOrStdout()) {
			text, err := definitions(cmd.Context(), ts)
			if err != nil {
				return failure{err}
			}
			return write(cmd, text)
		}
		var list strings.Builder
		for _, s := range ts.Tools() {
			list.WriteString(s.ID + "\n    " + strings.ReplaceAll(s.Description, "\n", "\n    ") + "\n")
		}
		list.WriteString("'gander tools --tools ID | more' prints the arguments of a tool.\n")
		return write(cmd, list.String())
	})
	return cmd
}

// definitions returns the definitions that the server lists, one per line.
func definitions(ctx context.Context, ts *gander.Toolset) (string, error) {
	const request = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{` +
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{}}}}` + "\n"
	var out bytes.Buffer
	in := strings.NewReader(request)
	if err := mcpserver.ServeStdio(ctx, mcpserver.New(ts, nil), in, &out); err != nil {
		return "", err
	}
	var response struct {
		Result struct{ Tools []json.RawMessage }
	}
	if err := json.Unmarshal(out.Bytes(), &response); err != nil {
		return "", err
	}
	tools := make([]string, len(response.Result.Tools))
	for i, tool := range response.Result.Tools {
		tools[i] = string(tool)
	}
	return "[" + strings.Join(tools, ",\n") + "]\n", nil
}
