//go:build unix

//lint:file-ignore SA1019 clients of the revisions that have roots are tested as well

package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/vectors"
	"gander/internal/toolset"
	"gander/mcpserver"
	"gander/tool"
)

// openAPI opens a toolset behind the Go API.
func openAPI(t testing.TB, o gander.Options, _ vectors.Config) vectors.Toolset {
	return testkit.Inner(testkit.Open(t, o))
}

// overMCP calls tools over MCP, as a client does. MCP carries the text for the model and whether it is an error. What else a
// case expects (display, code, kind) comes from the Go API. MCP has no budgets; middleware sets them, as a host could.
type overMCP struct {
	direct  *toolset.Toolset
	hosted  *gander.Toolset
	budget  tool.Budget
	session *sdk.ClientSession

	content, structured []byte // of the last call
}

func openMCP(t testing.TB, o gander.Options, c vectors.Config) vectors.Toolset {
	m := &overMCP{direct: testkit.Inner(testkit.Open(t, o))}
	o.Middleware = []tool.Middleware{func(_ tool.Spec, next tool.Handler) tool.Handler {
		return func(ctx context.Context, c tool.Call) (tool.Result, error) {
			c.Budget = m.budget
			return next(ctx, c)
		}
	}}
	m.hosted = testkit.Open(t, o)
	clientEnd, serverEnd := sdk.NewInMemoryTransports()
	if _, err := mcpserver.New(m.hosted, nil).Connect(context.Background(), serverEnd, nil); err != nil {
		t.Fatal(err)
	}
	client := newClient(c.ClientRoots)
	session, err := client.Connect(context.Background(), clientEnd, &sdk.ClientSessionOptions{ProtocolVersion: revision(c.ClientRoots)})
	if err != nil {
		t.Fatal(err)
	}
	m.session = session
	return m
}

// newClient returns a client that has roots unless they are nil.
func newClient(roots []string) *sdk.Client {
	var o sdk.ClientOptions
	if roots == nil {
		o.Capabilities = &sdk.ClientCapabilities{}
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &o)
	client.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
			if method != "roots/list" {
				return next(ctx, method, req)
			}
			answer := new(sdk.ListRootsResult) // in this order; the SDK would sort them
			for _, uri := range roots {
				answer.Roots = append(answer.Roots, &sdk.Root{URI: uri})
			}
			return answer, nil
		}
	})
	return client
}

// revision returns the revision that a client asks for: the newest, or the newest that has roots.
func revision(roots []string) string {
	if roots != nil {
		return "2025-11-25"
	}
	return ""
}

// Sent returns what the last call sent.
func (m *overMCP) Sent() (content, structured []byte) { return m.content, m.structured }

// Lookup returns the specification, with the name, description and schema that the server lists.
func (m *overMCP) Lookup(name string) (toolset.Definition, error) {
	spec, err := m.direct.Lookup(name)
	if err != nil {
		return spec, err
	}
	list, err := m.session.ListTools(context.Background(), nil)
	if err != nil {
		return spec, err
	}
	if len(list.Tools) != 1 {
		return spec, fmt.Errorf("%d tools are listed", len(list.Tools))
	}
	spec.Name, spec.Description = list.Tools[0].Name, list.Tools[0].Description
	spec.Input, err = json.Marshal(list.Tools[0].InputSchema)
	return spec, err
}

func (m *overMCP) Call(ctx context.Context, name string, c tool.Call) (tool.Result, error) {
	spec, err := m.direct.Lookup(name)
	if err != nil {
		return tool.Result{}, err
	}
	result, err := m.direct.Call(ctx, name, c)
	m.budget = c.Budget
	reply, failure := m.session.CallTool(ctx, &sdk.CallToolParams{Name: spec.Name, Arguments: c.Args})
	if failure != nil {
		return tool.Result{}, failure
	}
	if err := m.note(spec, reply); err != nil {
		return tool.Result{}, err
	}
	var e *tool.Error
	switch {
	case spec.MCP != nil && len(m.direct.Definitions()) > 0 && c.Budget == (tool.Budget{}): // the roots of the client may have changed what both see
	case reply.IsError != (err != nil):
		return tool.Result{}, fmt.Errorf("over MCP, isError is %v; the Go API returns %w", reply.IsError, err)
	}
	received := parts(reply.Content)
	if reply.IsError {
		if !errors.As(err, &e) {
			e = &tool.Error{}
		}
		e.Message = received[0].Text
		return tool.Result{}, e
	}
	result.Parts = received
	return result, nil
}

// note keeps what a call sent. Structured content belongs to answers of tools that promise it.
func (m *overMCP) note(spec toolset.Definition, reply *sdk.CallToolResult) (err error) {
	m.structured = nil
	if (spec.MCP != nil) != (reply.StructuredContent != nil) && !reply.IsError || reply.IsError && reply.StructuredContent != nil {
		return fmt.Errorf("the structured content is %v", reply.StructuredContent)
	}
	if m.content, err = json.Marshal(reply.Content); err != nil || reply.StructuredContent == nil {
		return err
	}
	if m.structured, err = json.Marshal(reply.StructuredContent); err != nil {
		return err
	}
	var wrapped struct{ Content any }
	if text, ok := reply.Content[0].(*sdk.TextContent); ok {
		if err := json.Unmarshal(m.structured, &wrapped); err != nil || wrapped.Content != text.Text {
			return fmt.Errorf("the structured content %.200s does not repeat the text: %w", m.structured, err)
		}
	}
	return nil
}

// parts returns the parts that blocks stand for.
func parts(blocks []sdk.Content) []tool.Part {
	var list []tool.Part
	for _, b := range blocks {
		switch b := b.(type) {
		case *sdk.TextContent:
			list = append(list, tool.Text(b.Text)...)
		case *sdk.ImageContent:
			list = append(list, tool.Part{Data: b.Data, MIMEType: b.MIMEType})
		case *sdk.AudioContent:
			list = append(list, tool.Part{Data: b.Data, MIMEType: b.MIMEType})
		case *sdk.EmbeddedResource:
			list = append(list, tool.Part{Data: b.Resource.Blob, MIMEType: b.Resource.MIMEType, URI: b.Resource.URI})
		}
	}
	return list
}

func (m *overMCP) Close() error {
	return errors.Join(m.session.Close(), m.hosted.Close(), m.direct.Close())
}
