package mcphttp

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

const waiting = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"wait"}}`

// begin opens a session and returns its id.
func (s *site) begin(revision string) string {
	s.t.Helper()
	resp, err := http.DefaultClient.Do(s.request(s.t.Context(), "POST", "/mcp", strings.Replace(open, "2025-06-18", revision, 1)))
	if err != nil || resp.StatusCode != 200 {
		s.t.Fatalf("%v, %v", resp, err)
	}
	defer resp.Body.Close()
	return resp.Header.Get("Mcp-Session-Id")
}

// TestMessages checks which messages are refused, and how.
func TestMessages(t *testing.T) {
	s := serve(t, Options{})
	ping := `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	for _, tt := range []struct {
		revision, body string
		header         []string
		status         int
		want           string
	}{
		{"2025-06-18", ping, nil, 200, `"id":1,"result":{}`},
		{"2025-06-18", `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, nil, 400, `"id":1.5,"error":{"code":-32600,`},
		{"2025-06-18", `{"jsonrpc":"2.0","id":18446744073709551617,"method":"ping"}`, nil, 400, `"id":18446744073709551617,"error":{"code":-32600,`},
		{"2025-06-18", `{"jsonrpc":"2.0","id":"a","method":"no/such"}`, nil, 200, `"id":"a","error":{"code":-32601,"message":"method not found: \"no/such\""}`},
		{"2025-06-18", `{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}`, nil, 400, `"code":-32600,`},
		{"2025-06-18", `{"jsonrpc":"2.0","id":2,"method":"tools/call"}`, nil, 400, `"id":2,"error":{"code":-32600,`},
		{"2025-06-18", `{`, nil, 400, `"id":null,"error":{"code":-32700,`},
		{"2025-06-18", "[" + ping + "]", nil, 400, "no batches"},
		{"2025-06-18", "[" + ping + "]", []string{"Mcp-Protocol-Version", "2025-03-26"}, 400, "no batches"},
		{"2025-03-26", "[" + ping + "]", nil, 200, `"id":1,"result":{}`},
		{"2025-03-26", "[" + ping + "]", []string{"Mcp-Protocol-Version", "2025-06-18"}, 400, "no batches"},
		{"2025-03-26", "[" + strings.Repeat("1,", 400_000) + "1]", nil, 400, "a batch holds 1 to 64 messages, this one 400001"},
		{"", "[" + ping + "]", nil, 400, "no batches"},
	} {
		header := tt.header
		if tt.revision != "" {
			header = append(header, "Mcp-Session-Id", s.begin(tt.revision))
		}
		status, body := s.do(s.request(t.Context(), "POST", "/mcp", tt.body, header...))
		if status != tt.status || !strings.Contains(body, tt.want) {
			t.Errorf("%s %.80s: %d %.200s, want %d and %s", tt.revision, tt.body, status, body, tt.status, tt.want)
		}
	}
}

// TestEndedCalls checks that a call of a session ends with its request and with the session, and that one which its client
// has cancelled is not answered.
func TestEndedCalls(t *testing.T) {
	s := serve(t, Options{})
	for name, end := range map[string]func(id string, cancel context.CancelFunc){
		"the client disconnects": func(_ string, cancel context.CancelFunc) { cancel() },
		"the session ends": func(id string, _ context.CancelFunc) {
			r := s.request(t.Context(), "DELETE", "/mcp", "", "Mcp-Session-Id", id)
			go func() {
				if resp, err := http.DefaultClient.Do(r); err == nil {
					resp.Body.Close()
				}
			}()
		},
		"the call is cancelled": func(id string, _ context.CancelFunc) {
			s.do(s.request(t.Context(), "POST", "/mcp", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`, "Mcp-Session-Id", id))
		},
	} {
		id := s.begin("2025-06-18")
		ctx, cancel := context.WithCancel(t.Context())
		said := make(chan string, 1)
		go func() {
			resp, err := http.DefaultClient.Do(s.request(ctx, "POST", "/mcp", waiting, "Mcp-Session-Id", id))
			if err != nil {
				said <- ""
				return
			}
			defer resp.Body.Close()
			body, _ := io.ReadAll(resp.Body)
			said <- string(body)
		}()
		<-s.started
		begin := time.Now()
		end(id, cancel)
		<-s.started // The tool has been cancelled.
		if got := <-said; got != "" {
			t.Errorf("%s: answered %q", name, got)
		}
		if took := time.Since(begin); took > 5*time.Second {
			t.Errorf("%s: the call took %v more", name, took)
		}
		cancel()
	}
	left := func() int {
		s.h.exchanges.mu.Lock()
		defer s.h.exchanges.mu.Unlock()
		s.h.calls.mu.Lock()
		defer s.h.calls.mu.Unlock()
		return len(s.h.exchanges.open) + len(s.h.calls.by)
	}
	for start := time.Now(); left() > 0; time.Sleep(time.Millisecond) {
		if time.Since(start) > 5*time.Second {
			t.Fatalf("%d exchanges and clients are left over", left())
		}
	}
}

// TestHealthWithoutBody checks that the health check is answered before its body has arrived, and that a refused request does
// not wait for its body either.
func TestHealthWithoutBody(t *testing.T) {
	s := serve(t, Options{Token: "0123456789abcdef"})
	for line, want := range map[string]string{"GET /healthz": "200", "POST /mcp": "401"} {
		conn, err := net.Dial("tcp", s.addr)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(conn, "%s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{", line)
		if err := conn.SetReadDeadline(time.Now().Add(maxReceive / 2)); err != nil {
			t.Fatal(err)
		}
		if status, err := bufio.NewReader(conn).ReadString('\n'); err != nil || !strings.Contains(status, want) {
			t.Errorf("%s: %q, %v", line, status, err)
		}
		conn.Close()
	}
}

// TestConnections checks that one connection more than may be open closes the one that has been waiting the longest.
func TestConnections(t *testing.T) {
	c := newConnections()
	c.most = 3
	var ends []net.Conn
	for i := range 5 {
		conn, other := net.Pipe()
		defer conn.Close()
		ends = append(ends, other)
		c.changed(conn, http.StateNew)
		if i == 0 {
			c.changed(conn, http.StateActive)
		}
		time.Sleep(time.Millisecond)
	}
	for i, closed := range []bool{false, true, true, false, false} {
		_ = ends[i].SetReadDeadline(time.Now().Add(50 * time.Millisecond)) // An error says that the connection is closed.
		if _, err := ends[i].Read(make([]byte, 1)); (err == io.EOF) != closed {
			t.Errorf("connection %d: %v", i, err)
		}
	}
}

// TestAllowedOrigin checks that pages of an allowed origin may make requests and read the answers, and no others.
func TestAllowedOrigin(t *testing.T) {
	s := serve(t, Options{Token: "0123456789abcdef", Origins: []string{"https://app.example"}})
	for origin, want := range map[string]int{"https://app.example": 204, "https://app.example:8443": 403, "http://app.example": 403, "null": 403} {
		resp, err := http.DefaultClient.Do(s.request(t.Context(), "OPTIONS", "/mcp", "", "Origin", origin, "Access-Control-Request-Method", "POST"))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if allowed := resp.Header.Get("Access-Control-Allow-Origin"); resp.StatusCode != want || (allowed == origin) != (want == 204) {
			t.Errorf("%s: %d, %q", origin, resp.StatusCode, allowed)
		}
	}
	page := []string{"Origin", "https://app.example", "Sec-Fetch-Site", "cross-site", "Authorization", "Bearer 0123456789abcdef"}
	if code, body := s.do(s.request(t.Context(), "POST", "/mcp", list, page...)); code != 200 {
		t.Errorf("%d %s", code, body)
	}
	if _, err := New(nil, Options{Origins: []string{"app.example"}}); err == nil {
		t.Error("an origin without a scheme is no error")
	}
}
