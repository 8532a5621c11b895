package mcpserver

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander/internal/tools/shared"
	"gander/internal/toolset"
	"gander/tool"
)

// describe returns the protocol's description of a tool. It omits the output schema, because clients that see one require
// structured content.
func describe(d shared.Definition) *mcp.Tool {
	if d.MCP != nil {
		return published(d)
	}
	effects := d.SideEffects
	return &mcp.Tool{
		// Claude Code gives the model answers of up to this size whole, the most it accepts, and the tools from the start.
		Meta:        mcp.Meta{"anthropic/maxResultSizeChars": 500_000, "anthropic/alwaysLoad": true},
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

// published returns the description of a tool that states all of it itself, but for its annotations, which publishAnnotations adds.
func published(d shared.Definition) *mcp.Tool {
	return &mcp.Tool{Name: d.Name, Title: d.Title, Description: d.Description, InputSchema: d.Input, OutputSchema: d.Output}
}

// A toolHandler handles calls with a toolset.
type toolHandler struct {
	toolset *toolset.Toolset
	roots   *clientRoots // nil if clients cannot restrict the workspace
}

// handle returns a handler that calls the tool. The tool gets the arguments as the client wrote them. Its error is a
// result too, so that the model sees the message.
func (h *toolHandler) handle(d shared.Definition) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		args := req.Params.Arguments
		if len(args) == 0 {
			args = json.RawMessage("{}")
		}
		result := new(mcp.CallToolResult)
		answer, err := h.call(ctx, req.Session, d.ID, tool.Call{Args: args})
		if err != nil {
			result.SetError(err)
			return result, nil
		}
		result.Content = contentBlocks(d.ID, answer.Parts)
		if d.MCP != nil && d.MCP.ContentOutput {
			result.StructuredContent = contentOutput(result.Content)
		}
		return result, nil
	}
}

// call calls a tool with the toolset that the session can use.
func (h *toolHandler) call(ctx context.Context, session *mcp.ServerSession, id string, c tool.Call) (tool.Result, error) {
	if h.roots == nil {
		return h.toolset.Call(ctx, id, c)
	}
	ts, release, err := h.roots.use(ctx, session)
	defer release()
	if err != nil {
		return tool.Result{}, err
	}
	return ts.Call(ctx, id, c)
}

// A textOutput is the object that a tool with [shared.MCP.ContentOutput] promises if its answer is text.
type textOutput struct {
	Content string `json:"content"`
}

// contentOutput returns the object that a tool with [shared.MCP.ContentOutput] promises.
func contentOutput(blocks []mcp.Content) any {
	if len(blocks) == 0 {
		return nil
	}
	if text, ok := blocks[0].(*mcp.TextContent); ok {
		return textOutput{text.Text}
	}
	return map[string]any{"content": blocks[:1]}
}

// contentBlocks returns the protocol's blocks for the parts of an answer. A blob must have a URI; it gets one that tells the
// blobs of an answer apart and cannot be read.
func contentBlocks(id string, parts []tool.Part) []mcp.Content {
	blocks := []mcp.Content{}
	for i, p := range parts {
		switch p.Type {
		case tool.ImagePart:
			blocks = append(blocks, &mcp.ImageContent{Data: p.Data, MIMEType: p.MIMEType})
		case tool.AudioPart:
			blocks = append(blocks, &mcp.AudioContent{Data: p.Data, MIMEType: p.MIMEType})
		case tool.BlobPart:
			uri := cmp.Or(p.URI, fmt.Sprintf("gander:%s#%d", id, i))
			blocks = append(blocks, &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: uri, Blob: append([]byte{}, p.Data...), MIMEType: p.MIMEType}})
		default:
			blocks = append(blocks, &mcp.TextContent{Text: p.Text})
		}
	}
	return blocks
}
