package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander/internal/toolset"
)

// A publishedList is a list of tools with their published annotations. The SDK would add hints to
// them (mcp.ToolAnnotations.MarshalJSON), and sort the tools.
type publishedList struct {
	*mcp.ListToolsResult
	Tools []publishedTool `json:"tools"`
}

type publishedTool struct {
	*mcp.Tool
	Annotations json.RawMessage `json:"annotations"`
}

// emulate is middleware that lists tools as the emulated server does, returns its error for an
// unknown tool, and removes the methods that it lacks.
func emulate(tools []toolset.Definition, server *toolset.MCP) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			switch area, _, _ := strings.Cut(method, "/"); area {
			case "resources", "prompts", "logging", "subscriptions":
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "Method not found"}
			}
			if call, ok := req.(*mcp.CallToolRequest); ok && !slices.ContainsFunc(tools,
				func(d toolset.Definition) bool { return d.Name == call.Params.Name }) {
				text := &mcp.TextContent{Text: fmt.Sprintf(server.UnknownTool, call.Params.Name)}
				return &mcp.CallToolResult{Content: []mcp.Content{text}, IsError: true}, nil
			}
			result, err := next(ctx, method, req)
			list, ok := result.(*mcp.ListToolsResult)
			if !ok || err != nil {
				return result, err
			}
			published := publishedList{ListToolsResult: list}
			for _, d := range tools {
				t := publishedTool{describe(d, true), d.MCP.Annotations}
				published.Tools = append(published.Tools, t)
			}
			return published, nil
		}
	}
}
