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
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		ts, err := src.open()
		if err != nil {
			return err
		}
		defer ts.Close()
		if terminal.Is(cmd.OutOrStdout()) {
			return write(cmd, toolList(ts))
		}
		text, err := definitions(cmd.Context(), ts)
		if err != nil {
			return failure{err}
		}
		return write(cmd, text)
	}
	return cmd
}

// toolList returns the ids and descriptions of the tools.
func toolList(ts *gander.Toolset) string {
	var b strings.Builder
	for _, s := range ts.Tools() {
		b.WriteString(s.ID + "\n" + wrap(s.Description, "    ") + "\n")
	}
	b.WriteString("'gander tools --tools ID | cat' prints the arguments of a tool.\n")
	return b.String()
}

// definitions returns the definitions that the server lists, one a line.
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

// wrap returns text as lines of at most 80 columns that begin with indent.
func wrap(text, indent string) string {
	var b strings.Builder
	column := 0
	for _, word := range strings.Fields(text) {
		switch {
		case column == 0:
			b.WriteString(indent)
			column = len(indent)
		case column+1+len(word) > 80:
			b.WriteString("\n" + indent)
			column = len(indent)
		default:
			b.WriteString(" ")
			column++
		}
		b.WriteString(word)
		column += len(word)
	}
	if column > 0 {
		b.WriteString("\n")
	}
	return b.String()
}
