package mcpserver

import (
	"context"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// modern is the first revision without a handshake: each request states its revision itself.
const modern = "2026-07-28"

// reopen answers an initialize request that follows modern requests, with result in the revision asked for. A client
// sends one when its probe was answered too late for it; the SDK refuses it as a duplicate.
func reopen(result mcp.InitializeResult) mcp.Middleware {
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

// legacy returns the revision to speak after a handshake that asked for this one: the same where there is one, or else
// the newest.
func legacy(asked string) string {
	known := slices.DeleteFunc(mcp.SupportedProtocolVersions(), func(v string) bool { return v >= modern })
	if slices.Contains(known, asked) {
		return asked
	}
	return slices.Max(known)
}
