package filesystem

import (
	_ "embed"

	"gander/internal/tools/shared"
)

// published contains the original's definitions of the read-only tools, byte for byte.
//
//go:embed definitions.json
var published []byte

// definitions returns the definitions of the tools, in the order of the original.
func definitions() []shared.Definition {
	all := shared.Definitions("filesystem", published)
	for _, d := range all {
		d.MCP.Server, d.MCP.Version = "secure-filesystem-server", "0.2.0"
		d.MCP.UnknownTool = "MCP error -32602: Tool %s not found"
		d.MCP.Started = "Secure MCP Filesystem Server running on stdio"
		d.MCP.ContentOutput = true
	}
	return all
}
