package filesystem

import (
	_ "embed"
	"encoding/json"
	"fmt"

	"gander/internal/tools/shared"
	"gander/tool"
)

// published contains the original's definitions of the read-only tools, byte for byte.
//
//go:embed definitions.json
var published []byte

// definitions returns the definitions of the tools, in the order of the original.
func definitions() []shared.Definition {
	var file struct {
		Tools []struct {
			Name, Title, Description               string
			InputSchema, OutputSchema, Annotations json.RawMessage
		}
	}
	if err := json.Unmarshal(published, &file); err != nil {
		panic(fmt.Sprintf("filesystem: the embedded definitions: %v", err))
	}
	var all []shared.Definition
	for _, p := range file.Tools {
		all = append(all, shared.Definition{
			Spec: tool.Spec{
				ID:          "filesystem/" + p.Name,
				Name:        p.Name,
				Title:       p.Title,
				Description: p.Description,
				Input:       p.InputSchema,
				Output:      p.OutputSchema,
				Risk:        "Low",
			},
			MCP: &shared.MCP{
				Server: "secure-filesystem-server", Version: "0.2.0",
				UnknownTool:   "MCP error -32602: Tool %s not found",
				Started:       "Secure MCP Filesystem Server running on stdio",
				Annotations:   p.Annotations,
				ContentOutput: true,
			},
		})
	}
	return all
}
