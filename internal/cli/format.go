package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gander"
	"gander/internal/frontend/provider"
	"gander/tool"
)

// mcpFormat is the format that publishes every schema byte for byte.
const mcpFormat = "mcp"

func formats() []string { return slices.Sorted(slices.Values(append(provider.Names(), mcpFormat))) }

// formatFlag gives cmd the flag --format.
func formatFlag(cmd *cobra.Command, usage string) *string {
	format := cmd.Flags().String("format", mcpFormat, usage)
	completeFlag(cmd, "format", completeWords(formats()))
	return format
}

func checkFormat(name string) error {
	if !slices.Contains(formats(), name) {
		return fmt.Errorf("unknown format %q; the formats are: %s", name, strings.Join(formats(), ", "))
	}
	return nil
}

// formatted is a toolset that takes arguments as the definitions for a provider ask for them.
type formatted struct {
	*gander.Toolset
	provider provider.Provider
}

// Call implements [jsonl.Caller].
func (f formatted) Call(ctx context.Context, name string, c tool.Call) (tool.Result, error) {
	if s, err := f.Lookup(name); err == nil && f.provider != nil {
		c.Args = f.provider.RestoreArgs(s, c.Args)
	}
	return f.Toolset.Call(ctx, name, c)
}
