package mcpserver

import (
	"context"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// modern is the first revision without a handshake: each request states its revision itself.
const modern = "2026-07-28"

// allowReinitialize is middleware that answers an initialize request after modern requests, with result in the revision
// asked for. A client sends one if its probe, server/discover, was answered too late. The SDK refuses it as a duplicate
// (ServerSession.initialize).
func allowReinitialize(result mcp.InitializeResult) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			answer, err := next(ctx, method, req)
			opening, ok := req.(*mcp.ServerRequest[*mcp.InitializeParams])
			if err == nil || !ok || opening.Params == nil {
				return answer, err
			}
			if first := opening.Session.InitializeParams(); first == nil || first.ProtocolVersion < modern {
				return nil, err
			}
			again := result
			again.ProtocolVersion = legacy(opening.Params.ProtocolVersion)
			return &again, nil
		}
	}
}

// legacy returns the revision that a handshake agrees on: the one that was asked for if it has a handshake, otherwise the
// newest that has.
func legacy(asked string) string {
	known := slices.DeleteFunc(mcp.SupportedProtocolVersions(), func(v string) bool { return v >= modern })
	if slices.Contains(known, asked) {
		return asked
	}
	return slices.Max(known)
}
