package filesystem

import (
	"encoding/json"

	"gander/internal/tools/shared"
)

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
