package filesystem

import (
	_ "embed"
	"encoding/json"

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

// arguments decodes the arguments of a call. Like the original's schema validator, it reports all
// problems (section 2).
func (t *Tool) arguments(raw json.RawMessage) *shared.Arguments {
	return shared.DecodeArguments(raw, shared.Messages{
		Prefix: "MCP error -32602: Input validation error: Invalid arguments for tool " +
			t.Published.Name + ": ",
		JSON:      "the arguments must be one JSON object: {error}",
		String:    "Invalid input: expected string, received {type} at {key}",
		Array:     "Invalid input: expected array, received {type} at {key}",
		Number:    "Invalid input: expected number, received {type} at {key}",
		Choice:    `Invalid option: expected one of "name"|"size" at {key}`,
		Element:   "%s[%d]",
		Validator: true,
	})
}
