package mcpserver

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"gander/internal/testkit"
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
	var members []string
	for i := range maxBatch {
		members = append(members, strings.Replace(waitCall, `"id":1`, fmt.Sprintf(`"id":%d`, i), 1))
	}
	batch := "[" + strings.Join(members, ",") + "]"
	var requests sync.WaitGroup
	for range 2 {
		requests.Go(func() {
			// 64 calls cost half of the share, and their text as much as some more.
			if code, body := do(t, request(t, "POST", url, batch)); code != 200 && code != 503 ||
				code == 200 && strings.Count(body, "waited") != maxBatch {
				t.Errorf("a batch: %d %.200s", code, body)
			}
		})
	}
	<-wait.started
	start := time.Now()
	code := 200
	for range 200 {
		requests.Go(func() { do(t, request(t, "POST", url, waitCall)) })
	}
	for ; code == 200 && time.Since(start) < waitTimeout; time.Sleep(time.Millisecond) {
		code, _ = do(t, request(t, "POST", url, httpPing))
	}
	if code != 503 {
		t.Errorf("%d beside many requests", code)
	}
	health := strings.Replace(url, "/mcp", "/healthz", 1)
	if code, _ := do(t, request(t, "GET", health, "")); code != 200 {
		t.Errorf("health: %d", code)
	}
	close(wait.release)
	requests.Wait()
	if code, _ := do(t, request(t, "POST", url, httpPing)); code != 200 {
		t.Errorf("%d afterwards", code)
	}
}

// TestManyConnections checks that 1,100 connections from one address do not affect another address.
func TestManyConnections(t *testing.T) {
	server, _ := newWaiting(t)
	url := listenAt(t, server, nil)
	var conn net.Conn
	for range 1100 {
		var err error
		conn, err = net.Dial("tcp", strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/mcp"))
		testkit.Must(t, err)
		defer conn.Close()
	}
	if response, err := http.ReadResponse(bufio.NewReader(conn), nil); err != nil {
		t.Errorf("the last connection: %v", err)
	} else if response.StatusCode != 503 {
		t.Errorf("the last connection: status %d, want 503", response.StatusCode)
	}
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}}
	other := &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true, DialContext: dialer.DialContext,
	}}
	for range 50 {
		response, err := other.Do(request(t, "POST", url, httpPing))
		testkit.Must(t, err)
		response.Body.Close()
		if response.StatusCode != 200 {
			t.Fatalf("another address: %d", response.StatusCode)
		}
	}
}

// TestConnections checks which connection is closed if too many are open.
func TestConnections(t *testing.T) {
	for addresses, want := range map[string]string{ // Each letter is the address of a connection.
		"abaa": "the new one", "aabb": "the new one", "a": "none", "baaac": "a", "ccbaaab": "a",
	} {
		c := &connections{limit: max(len(addresses)-1, 1), open: make(map[*connection]bool)}
		var last, excess *connection
		for _, letter := range addresses {
			last = &connection{address: string(letter), of: c}
			excess = c.add(last)
		}
		got := "none"
		if excess == last {
			got = "the new one"
		} else if excess != nil {
			got = excess.address
		}
		if got != want {
			t.Errorf("%s: closed %s, want %s", addresses, got, want)
		}
		if excess != nil && len(c.open) != c.limit {
			t.Errorf("%s: %d connections", addresses, len(c.open))
		}
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

// A pipeListener is a listener for connections in memory.
type pipeListener struct {
	conns chan net.Conn
	ended chan struct{}
}

func (l pipeListener) Accept() (net.Conn, error) {
	select {
	case conn := <-l.conns:
		return conn, nil
	case <-l.ended:
		return nil, net.ErrClosed
	}
}

func (l pipeListener) Addr() net.Addr { return &net.TCPAddr{} }
func (l pipeListener) Close() error   { return nil }

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
			l := pipeListener{make(chan net.Conn), make(chan struct{})}
			ended := make(chan error)
			ctx, stop := context.WithCancel(t.Context())
			go func() { ended <- ServeHTTP(ctx, l, server, nil) }()
			client, accepted := net.Pipe()
			l.conns <- accepted
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
			close(l.ended)
			<-ended
		})
	}
}
