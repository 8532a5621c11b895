package mcpserver

import (
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander/tool"
)

// describe returns the definition in the protocol's words. Where answers are not structured the output schema stays
// unpublished: clients that see one demand the content a second time, as structured content.
func describe(d tool.Definition, structured bool) *mcp.Tool {
	effects := d.SideEffects
	t := &mcp.Tool{
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
	if structured && len(d.Output) > 0 {
		t.OutputSchema = portable(d.Output)
	}
	return t
}

// handle returns a handler that calls the tool. The arguments reach it as the client wrote them, and its answer, or the
// message of its error, becomes the one text block of the result.
func (s *server) handle(d tool.Definition, structured bool) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		args := req.Params.Arguments
		if len(args) == 0 {
			args = json.RawMessage("{}")
		}
		result := new(mcp.CallToolResult)
		ts, err := s.toolsOf(ctx, req.Session)
		var answer tool.Result
		if err == nil {
			answer, err = ts.Call(ctx, d.ID, tool.Call{Args: args})
		}
		if err != nil {
			result.SetError(err)
			return result, nil
		}
		result.Content = []mcp.Content{&mcp.TextContent{Text: answer.Text()}}
		if structured && len(d.Output) > 0 {
			result.StructuredContent = json.RawMessage(answer.Text())
		}
		return result, nil
	}
}
