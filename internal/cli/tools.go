package cli

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/spf13/cobra"

	"gander/internal/terminal"
	"gander/internal/tools/shared"
	"gander/internal/toolset"
)

func newToolsCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tools",
		Short: "Print the definitions of the tools",
		Long: `Print the definitions of the tools as a JSON array, as an MCP client lists
them. On a terminal, print their ids and descriptions instead. If two tools
have the same name, each is named DIALECT_NAME.`,
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
			return write(cmd, toolList((*toolset.Toolset)(ts).Definitions()))
		}
		text, err := listedTools((*toolset.Toolset)(ts).Definitions())
		if err != nil {
			return failure{err}
		}
		return write(cmd, text)
	}
	return cmd
}

// A listedTool is an element of "tools" in a tools/list result. The annotations of a tool may
// hold more than annotations has.
type listedTool struct {
	Name         string          `json:"name"`
	Title        string          `json:"title,omitempty"`
	Description  string          `json:"description"`
	InputSchema  json.RawMessage `json:"inputSchema"`
	Annotations  any             `json:"annotations"`
	OutputSchema json.RawMessage `json:"outputSchema,omitempty"`
	Meta         any             `json:"_meta,omitempty"`
}

type annotations struct {
	Title       string `json:"title,omitempty"`
	ReadOnly    bool   `json:"readOnlyHint"`
	Destructive bool   `json:"destructiveHint"`
	Idempotent  bool   `json:"idempotentHint"`
	OpenWorld   bool   `json:"openWorldHint"`
}

// listedTools returns the definitions as a JSON array with one tool a line.
func listedTools(defs []shared.Definition) (string, error) {
	lines := make([]string, len(defs))
	for i, d := range defs {
		var line bytes.Buffer
		e := json.NewEncoder(&line)
		e.SetEscapeHTML(false)
		if err := e.Encode(listed(d)); err != nil {
			return "", err
		}
		lines[i] = strings.TrimSpace(line.String())
	}
	return "[" + strings.Join(lines, ",\n") + "]\n", nil
}

func listed(d shared.Definition) listedTool {
	t := listedTool{Name: d.Name, Title: d.Title, Description: d.Description, InputSchema: d.Input}
	if d.MCP != nil {
		t.Annotations, t.OutputSchema = d.MCP.Annotations, d.Output
		return t
	}
	t.Annotations = annotations{d.Title, !d.SideEffects, d.SideEffects, !d.SideEffects, d.SideEffects}
	t.Meta = map[string]any{"anthropic/alwaysLoad": true, "anthropic/maxResultSizeChars": 500_000}
	return t
}
