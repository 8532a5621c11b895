package mcphttp

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A site is a server under test.
type site struct {
	t       *testing.T
	h       *Handler
	addr    string
	stop    context.CancelFunc
	ended   chan error
	started chan struct{} // gets a value when a call of the tool starts, and when one is cancelled
	leave   chan struct{} // a value lets one call of the tool end
}

// serve starts a server with one tool, whose calls wait for leave.
func serve(t *testing.T, o Options) *site {
	t.Helper()
	o.Logger = slog.New(slog.DiscardHandler)
	s := &site{t: t, ended: make(chan error, 1), started: make(chan struct{}), leave: make(chan struct{})}
	server := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ServerOptions{Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{ListChanged: true}}})
	server.AddTool(&mcp.Tool{Name: "wait", InputSchema: map[string]any{"type": "object"}}, func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		s.started <- struct{}{}
		select {
		case <-s.leave:
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "waited"}}}, nil
		case <-ctx.Done():
			s.started <- struct{}{}
			return nil, ctx.Err()
		}
	})
	h, err := New(map[string]*mcp.Server{"/mcp": server}, o)
	if err != nil {
		t.Fatal(err)
	}
	s.h = h
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.addr = l.Addr().String()
	ctx, cancel := context.WithCancel(t.Context())
	s.stop = cancel
	go func() { s.ended <- s.h.Serve(ctx, l, nil) }()
	t.Cleanup(cancel)
	return s
}

const (
	list = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	news = `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	open = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`
)

// request makes a request. If its body is one of the modern constants, it has the headers that belong to it.
func (s *site) request(ctx context.Context, method, path, body string, header ...string) *http.Request {
	s.t.Helper()
	r, err := http.NewRequestWithContext(ctx, method, "http://"+s.addr+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for name, method := range map[string]string{list: "tools/list", call: "tools/call", news: "subscriptions/listen"} {
		if body == name {
			r.Header.Set("Mcp-Protocol-Version", "2026-07-28")
			r.Header.Set("Mcp-Method", method)
		}
	}
	if body == call {
		r.Header.Set("Mcp-Name", "wait")
	}
	for i := 0; i < len(header); i += 2 {
		if header[i] == "Host" {
			r.Host = header[i+1]
		} else {
			r.Header.Add(header[i], header[i+1])
		}
	}
	return r
}

// do sends a request and returns the status and the body.
func (s *site) do(r *http.Request) (int, string) {
	s.t.Helper()
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

func TestWhoMayAsk(t *testing.T) {
	s := serve(t, Options{Hosts: []string{"Files.example"}})
	_, port, err := net.SplitHostPort(s.addr)
	if err != nil {
		t.Fatal(err)
	}
	own := "localhost:" + port
	for _, tt := range []struct {
		header []string
		want   int
	}{
		{nil, 200},
		{[]string{"Host", own}, 200},
		{[]string{"Host", "localhost"}, 200},
		{[]string{"Host", "LOCALHOST:1"}, 200},
		{[]string{"Host", "[::1]:" + port}, 200},
		{[]string{"Host", "127.0.0.2"}, 200},
		{[]string{"Host", "files.EXAMPLE"}, 200},
		{[]string{"Host", "files.example:443"}, 200},
		{[]string{"Host", own, "Origin", "http://" + own}, 200},
		{[]string{"Host", own, "Origin", "http://" + own, "Sec-Fetch-Site", "same-origin"}, 200},
		{[]string{"Sec-Fetch-Site", "none"}, 200},

		{[]string{"Host", "evil.example"}, 403},
		{[]string{"Host", "evil.example:" + port, "Origin", "http://evil.example:" + port}, 403},
		{[]string{"Host", "localhost.evil.example"}, 403},
		{[]string{"Host", "192.0.2.1"}, 403}, // not a loopback address
		{[]string{"Host", "files.example.evil"}, 403},
		{[]string{"Origin", "http://evil.example"}, 403},
		{[]string{"Origin", "null"}, 403},
		{[]string{"Host", own, "Origin", "http://localhost:1"}, 403},
		{[]string{"Sec-Fetch-Site", "cross-site"}, 403},
		{[]string{"Sec-Fetch-Site", "same-site"}, 403},
	} {
		for _, r := range []*http.Request{s.request(t.Context(), "POST", "/mcp", list, tt.header...), s.request(t.Context(), "GET", "/healthz", "", tt.header...)} {
			if code, body := s.do(r); code != tt.want {
				t.Errorf("%s %q: %d, want %d: %s", r.URL.Path, tt.header, code, tt.want, body)
			}
		}
	}
}

// TestHostElsewhere checks that requests that arrive at an address other than the loopback may be for any address.
func TestHostElsewhere(t *testing.T) {
	g, err := newGuard(Options{})
	if err != nil {
		t.Fatal(err)
	}
	for host, want := range map[string]bool{"192.0.2.1": true, "192.0.2.1:80": true, "[2001:db8::1]:80": true, "localhost": true, "evil.example": false, "": false} {
		r := (&http.Request{Host: host}).WithContext(context.WithValue(t.Context(), http.LocalAddrContextKey, &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1)}))
		if got := g.hostAllowed(r); got != want {
			t.Errorf("%q: %v", host, got)
		}
	}
}

func TestToken(t *testing.T) {
	s := serve(t, Options{Token: "0123456789abcdef"})
	for token, want := range map[string]int{
		"Bearer 0123456789abcdef": 200, "bearer  0123456789abcdef": 200,
		"": 401, "Bearer": 401, "Bearer ": 401, "Bearer 0123456789abcdeF": 401, "Bearer 0123456789abcdef0": 401, "Basic 0123456789abcdef": 401, "0123456789abcdef": 401,
	} {
		if code, _ := s.do(s.request(t.Context(), "POST", "/mcp", list, "Authorization", token)); code != want {
			t.Errorf("%q: %d, want %d", token, code, want)
		}
	}
	resp, err := http.DefaultClient.Do(s.request(t.Context(), "POST", "/mcp", list))
	if err != nil || resp.Header.Get("WWW-Authenticate") != "Bearer" {
		t.Errorf("%v, %v", resp, err)
	}
	resp.Body.Close()
	if code, body := s.do(s.request(t.Context(), "GET", "/healthz", "")); code != 200 || body != "ok\n" {
		t.Errorf("health: %d %q", code, body)
	}
}

// TestShutdown checks that a call under way is answered, streams of notifications end, and no connection is accepted.
func TestShutdown(t *testing.T) {
	s := serve(t, Options{})
	session, err := http.DefaultClient.Do(s.request(t.Context(), "POST", "/mcp", open))
	if err != nil {
		t.Fatal(err)
	}
	session.Body.Close()
	waiting := []*http.Response{}
	for _, r := range []*http.Request{
		s.request(t.Context(), "POST", "/mcp", news),
		s.request(t.Context(), "GET", "/mcp", "", "Mcp-Session-Id", session.Header.Get("Mcp-Session-Id")),
	} {
		resp, err := http.DefaultClient.Do(r)
		if err != nil || resp.StatusCode != 200 {
			t.Fatalf("%v, %v", resp, err)
		}
		defer resp.Body.Close()
		if _, err := bufio.NewReader(resp.Body).ReadByte(); err != nil {
			t.Fatal(err)
		}
		waiting = append(waiting, resp)
	}
	answer := make(chan string)
	go func() {
		_, body := s.do(s.request(t.Context(), "POST", "/mcp", call))
		answer <- body
	}()
	<-s.started
	s.stop()
	for _, w := range waiting {
		if _, err := io.ReadAll(w.Body); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("a stream ended with %v", err)
		}
	}
	if _, err := net.DialTimeout("tcp", s.addr, time.Second); err == nil {
		t.Error("the listener is open")
	}
	select {
	case err := <-s.ended:
		t.Fatalf("the server has gone, %v, with a call in flight", err)
	default:
	}
	s.leave <- struct{}{}
	if body := <-answer; !strings.Contains(body, "waited") {
		t.Errorf("answer %q", body)
	}
	if err := <-s.ended; err != nil {
		t.Errorf("the server ended with %v", err)
	}
}

// TestClosedRequest checks that closing a request without a session cancels its call. The documents promise 50 ms.
func TestClosedRequest(t *testing.T) {
	s := serve(t, Options{})
	ctx, cancel := context.WithCancel(t.Context())
	gone := make(chan error)
	go func() {
		resp, err := http.DefaultClient.Do(s.request(ctx, "POST", "/mcp", call))
		if err == nil {
			_, err = io.ReadAll(resp.Body)
			resp.Body.Close()
		}
		gone <- err
	}()
	<-s.started
	begin := time.Now()
	cancel()
	<-s.started // the tool has been cancelled
	if took := time.Since(begin); took > 500*time.Millisecond {
		t.Errorf("cancelled after %v", took)
	}
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Errorf("the client saw %v", err)
	}
}
