package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander"
	"gander/tool"
)

// PlaceOf returns the server whose place the toolset takes, which is the one that published all of its tools, or nil.
func PlaceOf(ts *gander.Toolset) *tool.Server {
	var place *tool.Server
	for i, d := range ts.Definitions() {
		if d.Server == nil || i > 0 && *d.Server != *place {
			return nil
		}
		place = d.Server
	}
	return place
}

// A toolList is a list of tools with annotations as they are published. The SDK would add a hint to them.
type toolList struct {
	*mcp.ListToolsResult
	annotations map[string]json.RawMessage // by the names of the tools
}

// MarshalJSON implements [json.Marshaler].
func (l toolList) MarshalJSON() ([]byte, error) {
	data, err := json.Marshal(l.ListToolsResult)
	if err != nil {
		return nil, err
	}
	var result map[string]json.RawMessage
	if err := json.Unmarshal(data, &result); err != nil {
		return nil, err
	}
	var tools []map[string]json.RawMessage
	if err := json.Unmarshal(result["tools"], &tools); err != nil {
		return nil, err
	}
	for i, t := range l.Tools {
		if a := l.annotations[t.Name]; len(a) > 0 {
			tools[i]["annotations"] = a
		}
	}
	if result["tools"], err = json.Marshal(tools); err != nil {
		return nil, err
	}
	return json.Marshal(result)
}

// publishAnnotations is middleware that lists tools with the annotations that they bring.
func publishAnnotations(ts *gander.Toolset) mcp.Middleware {
	annotations := make(map[string]json.RawMessage)
	for _, d := range ts.Definitions() {
		if len(d.Annotations) > 0 {
			annotations[d.Name] = d.Annotations
		}
	}
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			result, err := next(ctx, method, req)
			if list, ok := result.(*mcp.ListToolsResult); ok && err == nil && len(annotations) > 0 {
				return toolList{list, annotations}, nil
			}
			return result, err
		}
	}
}

// takePlace is middleware that answers as the other server does: tools are listed in its order, a call of an unknown tool is
// answered with a result that is marked as an error, and there are no methods for what it does not offer.
func (s *server) takePlace(place *tool.Server) mcp.Middleware {
	var names []string
	for _, d := range s.ts.Definitions() {
		names = append(names, d.Name)
	}
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if area, _, _ := strings.Cut(method, "/"); area == "resources" || area == "prompts" || area == "logging" {
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "Method not found"}
			}
			if call, ok := req.(*mcp.CallToolRequest); ok && !slices.Contains(names, call.Params.Name) {
				text := &mcp.TextContent{Text: fmt.Sprintf(place.UnknownTool, call.Params.Name)}
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
