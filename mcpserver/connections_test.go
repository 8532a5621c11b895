package mcpserver

import (
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"gander/internal/testkit"
)

// A pipeListener is a listener for connections in memory. It ends when the channel is closed.
type pipeListener chan net.Conn

func (l pipeListener) Accept() (net.Conn, error) {
	if conn, ok := <-l; ok {
		return conn, nil
	}
	return nil, net.ErrClosed
}

func (pipeListener) Addr() net.Addr { return nil }
func (pipeListener) Close() error   { return nil }

type addressedConn struct {
	net.Conn
	net.Addr
}

func (c addressedConn) RemoteAddr() net.Addr { return c.Addr }

// TestConnections checks which connection is closed, or gets status 503, if one too many is open.
func TestConnections(t *testing.T) {
	for _, tt := range []struct {
		open string // addresses; * is a request in progress, and ! one that has ended
		want string // the number of the closed connection, or 503
	}{
		{"a", ""},
		{"a a", "0"},
		{"a b", "0"},
		{"a a a", "0"},
		{"a! a a", "1"},
		{"a! a! a", "0"},
		{"a* a a", "1"},
		{"a* a* a", "503"},
		{"a* b* a", "503"},
		{"a* a* b", "503"},
		{"b* a* a* b", "503"},
		{"b* a* a* c", "503"},
		{"a b* b* b", "503"},
		{"a b b c", "1"},
		{"a a b b c", "0"},
		{"a* a* a* b c", "3"},
		{"a* b a* a c", "3"},
	} {
		synctest.Test(t, func(t *testing.T) {
			fields := strings.Fields(tt.open)
			l := make(pipeListener, len(fields))
			c := newLimitListener(l, max(len(fields)-1, 1))
			var clients []net.Conn
			var records []*openConn
			for _, field := range fields {
				last := len(clients) == len(fields)-1
				if last {
					for i, record := range records {
						playRequests(record, fields[i][1:])
					}
				}
				client, accepted := net.Pipe()
				clients = append(clients, client)
				l <- addressedConn{accepted, &net.UnixAddr{Name: field[:1]}}
				if last {
					close(l) // Accept does not return a connection that it refuses.
				}
				conn, _ := c.Accept()
				records = append(records, c.open[conn])
			}
			got := ""
			for i, client := range clients {
				_ = client.SetReadDeadline(time.Now().Add(time.Millisecond)) // It can be closed.
				if text, err := io.ReadAll(client); len(text) > 0 {
					got += strings.Fields(string(text))[1]
				} else if err == nil {
					got += fmt.Sprint(i)
				}
			}
			if got != tt.want || len(c.open) < min(len(fields)-1, 1) {
				t.Errorf("%s: closed %q of %d, want %q", tt.open, got, len(c.open), tt.want)
			}
		})
	}
}

// playRequests begins a request for *, and ends it for !.
func playRequests(c *openConn, kind string) {
	switch kind {
	case "!":
		c.addRequests(1)
		c.addRequests(-1)
	case "*":
		c.addRequests(1)
	}
}

// TestWaitingConnections opens as many connections as the server permits, which wait for their
// clients in different ways. Other clients must be served, and a call in progress must not end.
func TestWaitingConnections(t *testing.T) {
	const (
		header = " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
			"Accept: application/json, text/event-stream\r\n"
		chunked = "Transfer-Encoding: chunked\r\n\r\n5\r\n     \r\n"
	)
	for name, sent := range map[string]string{
		"unused":                 "",
		"half a header":          "POST /mcp" + header,
		"half a body":            "POST /mcp" + header + "Content-Length: 100\r\n\r\n{",
		"a large body":           "POST /mcp" + header + "Content-Length: 1048576\r\n\r\n{",
		"a body without a size":  "POST /mcp" + header + chunked,
		"a body without a token": "POST /mcp" + header + "Authorization: x\r\n" + chunked,
		"served":                 "GET /healthz" + header + "\r\n",
		"refused":                "GET /mcp" + header + "\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			server, wait := newWaiting(t)
			url := listenAt(t, server, nil)
			responded := make(chan string)
			go func() {
				_, body := do(t, request(t, "POST", url+"/mcp", waitCall))
				responded <- body
			}()
			<-wait.started
			for range connectionLimit() {
				conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
				testkit.Must(t, err)
				defer conn.Close()
				_, err = io.WriteString(conn, sent)
				testkit.Must(t, err)
			}
			for range 3 {
				if code, body := do(t, request(t, "POST", url+"/mcp", httpPing)); code != 200 {
					t.Fatalf("a ping: %d %s", code, body)
				}
			}
			if code, _ := do(t, request(t, "GET", url+"/healthz", "")); code != 200 {
				t.Errorf("health: %d", code)
			}
			close(wait.release)
			if body := <-responded; !strings.Contains(body, "waited") {
				t.Errorf("the call in progress: %q", body)
			}
		})
	}
}
