package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander/internal/admission"
	"gander/internal/tools/definition"
	"gander/internal/toolset"
)

// A gate checks requests before the SDK handles them.
type gate struct {
	tools    []definition.Definition
	emulated *definition.MCP // nil if no other server is emulated
	options  *mcp.ServerOptions
	results  *admission.Pool // the memory of results that are not written
}

// handle is middleware. It refuses the methods that the server does not have, on every transport,
// and calls of other tools than those that the server lists, even if a program has added them.
func (g *gate) handle(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		call, isCall := req.(*mcp.CallToolRequest)
		switch {
		case !methods[method], method == listen && g.emulated != nil:
			return nil, errMethod(method)
		case method == "server/discover" && req.GetSession().ID() == "":
			return g.discover(), nil
		case isCall && !g.hasTool(call.Params.Name):
			return g.refuseTool(call.Params.Name)
		}
		// The memory of the result stays reserved until it is written, which is when the SDK ends the
		// context of the call (jsonrpc2.Connection.processResult).
		calling, end := endWithRequest(admission.WithResponse(ctx))
		defer end()
		result, err := next(calling, method, req)
		if err != nil {
			return result, err
		}
		switch result := result.(type) {
		case *mcp.ListToolsResult:
			return g.publish(result), nil
		case *mcp.CallToolResult:
			if err := g.hold(ctx, result); err != nil {
				return nil, err
			}
		}
		return result, nil
	}
}

// discover returns the response to server/discover. After this method, the SDK would take the
// session for a modern one, and refuse the handshake of a client that gives up its probe because
// the response is late (ServerSession.initialize). Only the SDK responds in a session with an id,
// because a transport with such sessions does not support every revision.
func (g *gate) discover() *mcp.DiscoverResult {
	return &mcp.DiscoverResult{
		SupportedVersions: revisions, Capabilities: g.options.Capabilities,
		Instructions: g.options.Instructions, Cacheable: mcp.Cacheable{CacheScope: "private"},
	}
}

func (g *gate) hasTool(name string) bool {
	return slices.ContainsFunc(g.tools, func(d definition.Definition) bool { return d.Name == name })
}

// refuseTool lists the tools in the response to a call of an unknown one, and repeats no long name.
func (g *gate) refuseTool(name string) (mcp.Result, error) {
	if g.emulated != nil {
		text := &mcp.TextContent{Text: fmt.Sprintf(g.emulated.UnknownTool, clip(name))}
		return &mcp.CallToolResult{Content: []mcp.Content{text}, IsError: true}, nil
	}
	var names []string
	for _, d := range g.tools {
		names = append(names, d.Name)
	}
	return nil, failure(jsonrpc.CodeInvalidParams, "%v", toolset.UnknownTool(name, names))
}

// A requestKey is the context key for the context of the HTTP request that contained a call, whose
// cancellation is needed: the SDK passes on the values of that context but, before revision
// 2026-07-28, not its end.
type requestKey struct{}

// endWithRequest returns a context for a call that also ends with its HTTP request, if it has one.
func endWithRequest(ctx context.Context) (_ context.Context, end func()) {
	request, ok := ctx.Value(requestKey{}).(context.Context)
	if !ok {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(request, cancel)
	return ctx, func() {
		stop()
		cancel()
	}
}

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

// publish returns a list of the tools that can be called, as the emulated server has published it.
func (g *gate) publish(list *mcp.ListToolsResult) mcp.Result {
	if g.emulated == nil {
		list.Tools = slices.DeleteFunc(list.Tools, func(t *mcp.Tool) bool { return !g.hasTool(t.Name) })
		return list
	}
	published := publishedList{ListToolsResult: list}
	for _, d := range g.tools {
		t := publishedTool{describe(d, true), d.MCP.Annotations}
		published.Tools = append(published.Tools, t)
	}
	return published
}
