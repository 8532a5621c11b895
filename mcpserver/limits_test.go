package mcpserver

import (
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestQuota checks that a client cannot use up the quota of others.
func TestQuota(t *testing.T) {
	q := quota{clients: make(map[string]int)}
	for i := range 3 {
		client := fmt.Sprint("many", i)
		for q.take(client, callCost) {
		}
		if got := q.clients[client]; got != maxShare {
			t.Errorf("%s has %d, want %d", client, got, maxShare)
		}
	}
	for i := range maxShare / callCost {
		client := fmt.Sprint("new", i)
		if !q.take(client, callCost) || q.take(client, callCost) {
			t.Fatalf("%s has not one request", client)
		}
	}
	if q.take("last", callCost) {
		t.Error("there is no limit")
	}
	for client, cost := range q.clients {
		q.take(client, -cost)
	}
	if q.used != 0 || len(q.clients) != 0 {
		t.Errorf("%d and %d clients are left over", q.used, len(q.clients))
	}
}

// TestManyRequests checks that requests over the share of their client are refused immediately, and
// that each call in a batch counts.
func TestManyRequests(t *testing.T) {
	server, wait := newWaiting(t)
	url := listenAt(t, server, nil)
	// A batch costs half of the share, and its text as much as some more calls.
	batch := "[" + strings.Repeat(waitCall+",", maxBatch-1) + waitCall + "]"
	for id := range maxBatch {
		batch = strings.Replace(batch, `"id":1,`, fmt.Sprintf(`"id":%d,`, id+2), 1)
	}
	var requests sync.WaitGroup
	for range 2 {
		requests.Go(func() {
			code, body := do(t, request(t, "POST", url+"/mcp", batch))
			if code != 503 && (code != 200 || strings.Count(body, "waited") != maxBatch) {
				t.Errorf("a batch: %d %.200s", code, body)
			}
		})
	}
	<-wait.started
	for range 200 {
		requests.Go(func() { do(t, request(t, "POST", url+"/mcp", waitCall)) })
	}
	ping := func() int {
		code, _ := do(t, request(t, "POST", url+"/mcp", httpPing))
		return code
	}
	for start := time.Now(); ping() == 200 && time.Since(start) < waitTimeout; {
		time.Sleep(time.Millisecond)
	}
	if code := ping(); code != 503 {
		t.Errorf("%d beside many requests", code)
	}
	if code, _ := do(t, request(t, "GET", url+"/healthz", "")); code != 200 {
		t.Errorf("health: %d", code)
	}
	close(wait.release)
	requests.Wait()
	if code := ping(); code != 200 {
		t.Errorf("%d afterwards", code)
	}
}

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

// An addressedConn is a connection from an address.
type addressedConn struct {
	net.Conn
	net.Addr
}

func (c addressedConn) RemoteAddr() net.Addr { return c.Addr }

// TestConnections checks which connection is closed if too many are open, and that status 503
// precedes the end of a new one.
func TestConnections(t *testing.T) {
	for addresses, want := range map[string]string{ // Each letter is the address of a connection.
		"abaa": "503", "aabb": "503", "a": "", "baaac": "a", "ccbaaab": "a", "bbbba": "b",
	} {
		synctest.Test(t, func(t *testing.T) {
			l := make(pipeListener, len(addresses))
			c := &connections{
				Listener: l, limit: max(len(addresses)-1, 1), open: make(map[*connection]bool),
			}
			var clients []net.Conn
			for _, letter := range addresses {
				client, accepted := net.Pipe()
				l <- addressedConn{accepted, &net.UnixAddr{Name: string(letter)}}
				clients = append(clients, client)
			}
			close(l)
			for err := error(nil); err == nil; {
				_, err = c.Accept()
			}
			got := ""
			for i, client := range clients {
				_ = client.SetReadDeadline(time.Now().Add(time.Millisecond)) // It can be closed.
				if text, err := io.ReadAll(client); len(text) > 0 {
					got += strings.Fields(string(text))[1]
				} else if err == nil {
					got += addresses[i : i+1]
				}
			}
			if got != want || len(c.open) != min(c.limit, len(addresses)) {
				t.Errorf("%s: closed %s of %d, want %s", addresses, got, len(c.open), want)
			}
		})
	}
}

func TestClientAddress(t *testing.T) {
	for remote, want := range map[string]string{
		"192.0.2.1:80": "192.0.2.1", "[::ffff:192.0.2.1]:80": "192.0.2.1",
		"[2001:db8:1:2:3:4:5:6]:80": "2001:db8:1:2::/64", "pipe": "pipe",
	} {
		if got := clientAddress(remote); got != want {
			t.Errorf("%s: %s, want %s", remote, got, want)
		}
	}
}

// TestDeadlines checks how long the server waits for a header, for a body and for a client that
// does not read.
func TestDeadlines(t *testing.T) {
	const health = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
	for _, tt := range []struct {
		sent  string
		reads bool
		want  time.Duration
	}{
		{"POST /mcp HTTP/1.1\r\nHost: localhost\r\n", true, headerTimeout},
		{"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{", true, readTimeout},
		{health, true, 0},
		{health, false, writeTimeout},
	} {
		synctest.Test(t, func(t *testing.T) {
			server, _ := newWaiting(t)
			l := make(pipeListener)
			ended := make(chan error)
			ctx, stop := context.WithCancel(t.Context())
			go func() { ended <- ServeHTTP(ctx, l, server, nil) }()
			client, accepted := net.Pipe()
			l <- accepted
			start := time.Now()
			if tt.reads {
				go func() { _, _ = io.WriteString(client, tt.sent) }()
				_, _ = io.ReadAll(client)
			} else if _, err := io.WriteString(client, strings.Repeat(tt.sent, 1000)); err == nil {
				t.Error("everything was read")
			}
			// The server discards the rest of a request for half a second.
			if took := time.Since(start); took < tt.want || took > tt.want+time.Second {
				t.Errorf("%q: closed after %v, want %v", tt.sent, took, tt.want)
			}
			stop()
			close(l)
			<-ended
		})
	}
}
