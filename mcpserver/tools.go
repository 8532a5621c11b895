package mcpserver

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander/internal/tools/definition"
	"gander/tool"
)

// describe returns the protocol's description of a tool. Tools without [definition.MCP] have no
// output schema, because clients that see one require structured content.
func describe(d definition.Definition, emulated bool) *mcp.Tool {
	t := &mcp.Tool{Name: d.Name, Title: d.Title, Description: d.Description, InputSchema: d.Input}
	if d.MCP != nil {
		t.OutputSchema = d.Output
	}
	if emulated {
		return t
	}
	if d.ReadOnly || d.SideEffects {
		t.Annotations = effects(d)
	}
	// Claude Code shows the model results of up to this size, its maximum, in full, and lists the
	// tools from the start.
	t.Meta = mcp.Meta{"anthropic/maxResultSizeChars": 500_000, "anthropic/alwaysLoad": true}
	return t
}

// effects returns the hints about what a call does. A tool that declares nothing has none.
func effects(d definition.Definition) *mcp.ToolAnnotations {
	sideEffects := d.SideEffects
	readOnly := d.ReadOnly && !sideEffects
	return &mcp.ToolAnnotations{
		Title: d.Title, ReadOnlyHint: readOnly, IdempotentHint: readOnly,
		DestructiveHint: &sideEffects, OpenWorldHint: &sideEffects,
	}
}

var errNoRoots = errors.New("roots of the client: none can be opened; let it name others")

type servedTool struct {
	definition.Definition
	roots *clientRoots
}

// call calls the tool with the arguments as the client wrote them. The error of the tool is a
// result, so that the model sees the message.
func (t servedTool) call(
	ctx context.Context, req *mcp.CallToolRequest,
) (*mcp.CallToolResult, error) {
	args := req.Params.Arguments
	if len(args) == 0 || string(args) == "null" { // Some clients write null for none.
		args = json.RawMessage("{}")
	}
	ts, release := t.roots.use(ctx, req.Session)
	defer release()
	result := new(mcp.CallToolResult)
	if ts == nil {
		result.SetError(errNoRoots)
		return result, nil
	}
	found, err := ts.Call(ctx, t.ID, tool.Call{Args: args})
	if err != nil {
		result.SetError(err)
		return result, nil
	}
	result.Content = contentBlocks(t.ID, found.Parts)
	if t.MCP != nil && t.MCP.ContentOutput {
		result.StructuredContent = structured(result.Content)
	}
	return result, nil
}

// structured returns the first block of a result as structured content, or nil if there is none.
func structured(blocks []mcp.Content) any {
	if len(blocks) == 0 {
		return nil
	}
	var content any = blocks[:1]
	if text, ok := blocks[0].(*mcp.TextContent); ok {
		content = text.Text
	}
	return map[string]any{"content": content}
}

// contentBlocks returns the protocol's blocks for the parts of a result. A blob must have a URI. It
// gets one that is unique in the result and cannot be read.
func contentBlocks(id string, parts []tool.Part) []mcp.Content {
	blocks := []mcp.Content{}
	for i, p := range parts {
		kind, _, _ := strings.Cut(p.MIMEType, "/")
		switch kind {
		case "":
			blocks = append(blocks, &mcp.TextContent{Text: p.Text})
		case "image":
			blocks = append(blocks, &mcp.ImageContent{Data: p.Data, MIMEType: p.MIMEType})
		case "audio":
			blocks = append(blocks, &mcp.AudioContent{Data: p.Data, MIMEType: p.MIMEType})
		default:
			blob := p.Data
			if blob == nil { // The SDK would take the resource for a text.
				blob = []byte{}
			}
			uri := cmp.Or(p.URI, fmt.Sprintf("gander:%s#%d", id, i))
			blocks = append(blocks, &mcp.EmbeddedResource{
				Resource: &mcp.ResourceContents{URI: uri, Blob: blob, MIMEType: p.MIMEType},
			})
		}
	}
	return blocks
}
