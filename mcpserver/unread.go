package mcpserver

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander/internal/admission"
)

const (
	// freeResult is the size of a result that costs nothing. A larger one takes copies of it.
	freeResult = 16 << 10
	copies     = 3
)

// errUnread is the error of a call whose result got no memory in time.
var errUnread = failure(jsonrpc.CodeInternalError,
	"too many responses are not read; read them, or ask for less")

// hold reserves memory for encoding a result until ctx ends, which is when it has been written. It
// waits for those that the client, or all clients, have not read; over HTTP, for a limited time.
func (g *gate) hold(ctx context.Context, result *mcp.CallToolResult) error {
	bytes := copies * encodedSize(result)
	if bytes <= copies*freeResult {
		return nil
	}
	hold := g.results.Open(admission.CallerOf(ctx))
	context.AfterFunc(ctx, hold.End)
	if _, isHTTP := ctx.Value(requestKey{}).(context.Context); isHTTP {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, writeTimeout)
		defer cancel()
	}
	if hold.Wait(ctx, min(int64(bytes), admission.ResultBytes)) != nil {
		return errUnread
	}
	return nil
}

// encodedSize returns about how many bytes of JSON a result has.
func encodedSize(result *mcp.CallToolResult) int {
	bytes := 0
	for _, block := range result.Content {
		switch block := block.(type) {
		case *mcp.TextContent:
			bytes += len(block.Text)
		case *mcp.ImageContent:
			bytes += len(block.Data) * 4 / 3
		case *mcp.AudioContent:
			bytes += len(block.Data) * 4 / 3
		case *mcp.EmbeddedResource:
			bytes += len(block.Resource.Blob) * 4 / 3
		}
	}
	if result.StructuredContent != nil { // It repeats the content.
		bytes *= 2
	}
	return bytes
}
