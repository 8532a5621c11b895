//go:build unix

package conformance

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"gander"
	"gander/internal/frontend/jsonl"
	"gander/internal/testkit"
	"gander/internal/testkit/vectors"
	"gander/mcpserver"
	"gander/tool"
)

// openAPI opens a toolset behind the Go API.
func openAPI(t testing.TB, o gander.Options) vectors.Toolset { return testkit.Open(t, o) }

// overLines calls tools over JSON lines, as a parent process does. JSON lines carry everything but definitions.
type overLines struct {
	*gander.Toolset
	requests *io.PipeWriter
	replies  *bufio.Reader
	served   chan error
}

func openLines(t testing.TB, o gander.Options) vectors.Toolset {
	ts := testkit.Open(t, o)
	in, requests := io.Pipe()
	replies, out := io.Pipe()
	l := &overLines{ts, requests, bufio.NewReader(replies), make(chan error, 1)}
	go func() {
		l.served <- errors.Join(jsonl.Serve(context.Background(), ts, jsonl.Options{}, in, out), out.Close())
	}()
	return l
}

func (l *overLines) Call(_ context.Context, name string, c tool.Call) (tool.Result, error) {
	request := map[string]any{"id": 1, "tool": name, "args": c.Args}
	if limit := c.Budget.MaxOutputBytes; limit != nil {
		request["max_output_bytes"] = *limit
	}
	if limit := c.Budget.AvailableBytes; limit != nil {
		request["available_capacity_bytes"] = *limit
	}
	line, err := json.Marshal(request)
	if err != nil {
		return tool.Result{}, err
	}
	if _, err := l.requests.Write(append(line, '\n')); err != nil {
		return tool.Result{}, err
	}
	if line, err = l.replies.ReadBytes('\n'); err != nil {
		return tool.Result{}, err
	}
	var reply struct {
		OK               bool
		Content, Display string
		Error            *tool.Error
	}
	if err := json.Unmarshal(line, &reply); err != nil {
		return tool.Result{}, err
	}
	if !reply.OK {
		return tool.Result{}, reply.Error
	}
	return tool.Result{Parts: tool.Text(reply.Content), Display: reply.Display}, nil
}

func (l *overLines) Close() error {
	return errors.Join(l.requests.Close(), <-l.served, l.Toolset.Close())
}

// overMCP calls tools over MCP, as a client does. MCP carries the text for the model and whether it is an error. What else a
// case expects (display, code, kind) comes from the Go API. MCP has no budgets; middleware sets them, as a host could.
type overMCP struct {
	direct  *gander.Toolset
	hosted  *gander.Toolset
	budget  tool.Budget
	session *sdk.ClientSession
}

func openMCP(t testing.TB, o gander.Options) vectors.Toolset {
	m := &overMCP{direct: testkit.Open(t, o)}
	o.Wrap = []tool.Middleware{func(_ tool.Spec, next tool.Handler) tool.Handler {
		return func(ctx context.Context, c tool.Call) (tool.Result, error) {
			c.Budget = m.budget
			return next(ctx, c)
		}
	}}
	m.hosted = testkit.Open(t, o)
	clientEnd, serverEnd := sdk.NewInMemoryTransports()
	if _, err := mcpserver.New(m.hosted, mcpserver.Options{}).Connect(context.Background(), serverEnd, nil); err != nil {
		t.Fatal(err)
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(context.Background(), clientEnd, nil)
	if err != nil {
		t.Fatal(err)
	}
	m.session = session
	return m
}

// Lookup returns the specification, with the name, description and schema that the server lists.
func (m *overMCP) Lookup(name string) (tool.Spec, error) {
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
	text, ok := reply.Content[0].(*sdk.TextContent)
	if !ok || len(reply.Content) != 1 || reply.StructuredContent != nil {
		return tool.Result{}, fmt.Errorf("the result is not one text: %v", reply)
	}
	var e *tool.Error
	switch {
	case reply.IsError != (err != nil):
		return tool.Result{}, fmt.Errorf("over MCP, isError is %v; the Go API returns %w", reply.IsError, err)
	case errors.As(err, &e):
		e.Message = text.Text
		return tool.Result{}, e
	}
	result.Parts = tool.Text(text.Text)
	return result, nil
}

func (m *overMCP) Close() error {
	return errors.Join(m.session.Close(), m.hosted.Close(), m.direct.Close())
}
