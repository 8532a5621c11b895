//lint:file-ignore SA1019 clients of the revisions that have roots are tested as well

package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"gander"
	"gander/internal/testkit"
	"gander/internal/tools/definition"
	"gander/internal/toolset"
	"gander/mcpserver"
	"gander/tool"
)

// A client calls one tool both through the Go API and over MCP.
type client struct {
	direct  *toolset.Toolset
	defined definition.Definition
	budget  tool.Budget // set by middleware, because MCP has no budgets
	session *sdk.ClientSession
	rooted  bool // the client has roots

	content, structured []byte // of the last call, as JSON
}

// openClient opens a toolset with the tool id. If roots is not nil, the client has roots.
func openClient(t testing.TB, id string, roots []string, o gander.Options) *client {
	t.Helper()
	c := &client{direct: testkit.Inner(testkit.Open(t, o)), rooted: roots != nil}
	var err error
	c.defined, err = c.direct.Lookup(id)
	testkit.Must(t, err)
	o.Middleware = []tool.Middleware{func(_ tool.Spec, next tool.Handler) tool.Handler {
		return func(ctx context.Context, call tool.Call) (tool.Result, error) {
			call.Budget = c.budget
			return next(ctx, call)
		}
	}}
	clientEnd, serverEnd := sdk.NewInMemoryTransports()
	server := mcpserver.New(testkit.Open(t, o), nil)
	_, err = server.Connect(context.Background(), serverEnd, nil)
	testkit.Must(t, err)
	co, so := sdk.ClientOptions{Capabilities: &sdk.ClientCapabilities{}}, sdk.ClientSessionOptions{}
	if c.rooted { // the newest revision with roots
		co.Capabilities, so.ProtocolVersion = nil, "2025-11-25"
	}
	end := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &co)
	end.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
			if method != "roots/list" {
				return next(ctx, method, req)
			}
			list := new(sdk.ListRootsResult) // in the given order; the SDK would sort the roots
			for _, uri := range roots {
				list.Roots = append(list.Roots, &sdk.Root{URI: uri})
			}
			return list, nil
		}
	})
	c.session, err = end.Connect(context.Background(), clientEnd, &so)
	testkit.Must(t, err)
	t.Cleanup(func() {
		if err := c.session.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// call returns the outcome of a call. The outcomes through the Go API and over MCP must be equal,
// unless the client has roots.
func (c *client) call(t testing.TB, call tool.Call) (tool.Result, error) {
	t.Helper()
	result, err := c.direct.Call(t.Context(), c.defined.ID, call)
	c.budget = call.Budget
	params := &sdk.CallToolParams{Name: c.defined.Name, Arguments: call.Args}
	reply, failure := c.session.CallTool(t.Context(), params)
	testkit.Must(t, failure)
	testkit.Must(t, c.note(reply))
	received := parts(reply.Content)
	if c.rooted && reply.IsError {
		return tool.Result{}, &tool.Error{Message: received[0].Text}
	}
	if c.rooted {
		return tool.Result{Parts: received}, nil
	}
	want := result.Parts
	if e, ok := errors.AsType[*tool.Error](err); ok {
		want = tool.Text(e.Message)
	}
	if reply.IsError != (err != nil) || !reflect.DeepEqual(received, want) {
		t.Errorf("over MCP, got %v, isError %v; want %v, %v", received, reply.IsError, want, err)
	}
	return result, err
}

// note stores a reply. Only reproductions of MCP tools have structured content.
func (c *client) note(reply *sdk.CallToolResult) (err error) {
	c.structured = nil
	if (c.defined.MCP != nil && !reply.IsError) != (reply.StructuredContent != nil) {
		return fmt.Errorf("the structured content is %v", reply.StructuredContent)
	}
	if c.content, err = json.Marshal(reply.Content); err != nil || reply.StructuredContent == nil {
		return err
	}
	if c.structured, err = json.Marshal(reply.StructuredContent); err != nil {
		return err
	}
	var wrapped struct{ Content any }
	if text, ok := reply.Content[0].(*sdk.TextContent); ok {
		if err := json.Unmarshal(c.structured, &wrapped); err != nil || wrapped.Content != text.Text {
			return fmt.Errorf("%.200s does not repeat the text: %w", c.structured, err)
		}
	}
	return nil
}

// parts converts content blocks.
func parts(blocks []sdk.Content) (list []tool.Part) {
	for _, b := range blocks {
		switch b := b.(type) {
		case *sdk.TextContent:
			list = append(list, tool.Text(b.Text)...)
		case *sdk.ImageContent:
			list = append(list, tool.Part{Data: b.Data, MIMEType: b.MIMEType})
		case *sdk.AudioContent:
			list = append(list, tool.Part{Data: b.Data, MIMEType: b.MIMEType})
		case *sdk.EmbeddedResource:
			r := b.Resource
			list = append(list, tool.Part{Data: r.Blob, MIMEType: r.MIMEType, URI: r.URI})
		}
	}
	return list
}
