package filesystem

import (
	_ "embed"
	"encoding/json"
	"fmt"

	"gander/tool"
)

// published holds the original's definitions of the tools that only read, byte for byte.
//
//go:embed definitions.json
var published []byte

// definitions returns the specs of the tools, in the order of the original.
func definitions() []tool.Spec {
	var file struct {
		Tools []struct {
			Name, Title, Description               string
			InputSchema, OutputSchema, Annotations json.RawMessage
		}
	}
	if err := json.Unmarshal(published, &file); err != nil {
		panic(fmt.Sprintf("filesystem: the embedded definitions: %v", err))
	}
	var specs []tool.Spec
	for _, d := range file.Tools {
		s := tool.Spec{
			ID:            "filesystem/" + d.Name,
			Name:          d.Name,
			Title:         d.Title,
			Description:   d.Description,
			Input:         d.InputSchema,
			Output:        d.OutputSchema,
			ContentOutput: true,
			Annotations:   d.Annotations,
			Server: &tool.Server{
				Name: "secure-filesystem-server", Version: "0.2.0",
				UnknownTool: "MCP error -32602: Tool %s not found",
				Started:     "Secure MCP Filesystem Server running on stdio",
			},
			PathArgument: "path",
			Risk:         tool.Low,
		}
		switch d.Name {
		case "read_text_file":
			s.Command = tool.Command{
				Name: "read", Arguments: map[string]string{"limit": "head"}, AbsolutePath: true,
			}
		case "list_directory":
			s.Command = tool.Command{Name: "list", AbsolutePath: true}
		case "search_files":
			s.Command = tool.Command{Name: "find", AbsolutePath: true}
		case "read_multiple_files", "list_allowed_directories":
			s.PathArgument = ""
		}
		specs = append(specs, s)
	}
	return specs
}
