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

// emulate is middleware that lists tools in the order of the emulated server, returns its error for
// an unknown tool, and removes the methods that it lacks.
func emulate(ts *toolset.Toolset, server *toolset.MCP) mcp.Middleware {
	var names []string
	for _, d := range ts.Definitions() {
		names = append(names, d.Name)
	}
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			switch area, _, _ := strings.Cut(method, "/"); area {
			case "resources", "prompts", "logging", "subscriptions":
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "Method not found"}
			}
			if call, ok := req.(*mcp.CallToolRequest); ok && !slices.Contains(names, call.Params.Name) {
				text := &mcp.TextContent{Text: fmt.Sprintf(server.UnknownTool, call.Params.Name)}
				return &mcp.CallToolResult{Content: []mcp.Content{text}, IsError: true}, nil
			}
			result, err := next(ctx, method, req)
			if list, ok := result.(*mcp.ListToolsResult); ok && err == nil {
				slices.SortFunc(list.Tools, func(a, b *mcp.Tool) int {
					return slices.Index(names, a.Name) - slices.Index(names, b.Name)
				})
			}
			return result, err
		}
	}
}

// A publishedList is a list of tools with their published annotations. The SDK would add hints to
// them (mcp.ToolAnnotations.MarshalJSON).
type publishedList struct {
	*mcp.ListToolsResult
	Tools []publishedTool `json:"tools"`
}

type publishedTool struct {
	*mcp.Tool
	Annotations any `json:"annotations,omitempty"`
}

// publishAnnotations is middleware that lists tools with their published annotations, if any.
func publishAnnotations(ts *toolset.Toolset) mcp.Middleware {
	annotations := make(map[string]json.RawMessage)
	for _, d := range ts.Definitions() {
		if d.MCP != nil {
			annotations[d.Name] = d.MCP.Annotations
		}
	}
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			result, err := next(ctx, method, req)
			list, ok := result.(*mcp.ListToolsResult)
			if !ok || err != nil || len(annotations) == 0 {
				return result, err
			}
			published := publishedList{list, make([]publishedTool, len(list.Tools))}
			for i, t := range list.Tools {
				published.Tools[i] = publishedTool{t, t.Annotations}
				if a, ok := annotations[t.Name]; ok {
					published.Tools[i].Annotations = a
				}
			}
			return published, nil
		}
	}
}
