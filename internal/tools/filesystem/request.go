package filesystem

import (
	_ "embed"
	"encoding/json"
	"strings"

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

// A request holds the valid arguments of a call. Absent ones are zero.
type request struct {
	path, pattern, sortBy string
	paths, exclude        []string
	head, tail            float64
}

// parseRequest decodes and validates the arguments in the order of the schema. Like the original's
// validator, it reports all problems.
func (t *Tool) parseRequest(raw json.RawMessage) (r request, err error) {
	a := shared.DecodeArguments(raw, shared.Messages{
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
	for _, key := range strings.Fields(t.keys) {
		switch key {
		case "path":
			r.path = a.Required(key).String("")
		case "pattern":
			r.pattern = a.Required(key).String("")
		case "sortBy":
			r.sortBy = a.Optional(key).Choice("name", "size")
		case "paths":
			r.paths = a.Required(key).Strings()
			if r.paths != nil && len(r.paths) == 0 {
				a.Reject("Too small: expected array to have >=1 items at paths")
			}
		case "excludePatterns":
			r.exclude = a.Optional(key).Strings()
		case "head":
			r.head = a.Optional(key).Number(0)
		case "tail":
			r.tail = a.Optional(key).Number(0)
		}
	}
	return r, a.Err()
}
