package mcpserver

import (
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander"
	"gander/tool"
)

// describe returns the definition in the protocol's words. The output schema stays unpublished: clients that see one
// demand the content a second time, as structured content.
func describe(d tool.Definition) *mcp.Tool {
	effects := d.SideEffects
	return &mcp.Tool{
		Name:        d.Name,
		Title:       d.Title,
		Description: d.Description,
		InputSchema: d.Input,
		Annotations: &mcp.ToolAnnotations{
			Title:           d.Title,
			ReadOnlyHint:    !effects,
			IdempotentHint:  !effects,
			DestructiveHint: &effects,
			OpenWorldHint:   &effects,
		},
	}
}

// handle returns a handler that calls the tool with this id. The arguments reach it as the client wrote them, and its
// answer, or the message of its error, becomes the one text block of the result.
func handle(ts *gander.Toolset, id string) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		args := req.Params.Arguments
		if len(args) == 0 {
			args = json.RawMessage("{}")
		}
		answer, err := ts.Call(ctx, id, tool.Call{Args: args})
		result := new(mcp.CallToolResult)
		if err != nil {
			result.SetError(err)
			return result, nil
		}
		result.Content = []mcp.Content{&mcp.TextContent{Text: answer.Content}}
		return result, nil
	}
}
