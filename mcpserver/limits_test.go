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
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"gander"
	"gander/internal/admission"
	"gander/internal/testkit"
	"gander/tool"
)

// TestManyRequests checks that requests over the part of their connection are refused immediately.
func TestManyRequests(t *testing.T) {
	server, wait := newWaiting(t)
	url := listenAt(t, server, nil)
	of := func(session, body string) int {
		code, _ := do(t, request(t, "POST", url+"/mcp", body, "Mcp-Session-Id", session))
		return code
	}
	var requests sync.WaitGroup
	for start := time.Now(); of("busy", httpPing) == 200 && time.Since(start) < waitTimeout; {
		requests.Go(func() { of("busy", waitCall) })
		time.Sleep(time.Millisecond)
	}
	if code := of("busy", httpPing); code != 503 {
		t.Errorf("%d beside many requests", code)
	}
	if code := of("quiet", httpPing); code != 200 {
		t.Errorf("%d over another connection", code)
	}
	if code, _ := do(t, request(t, "GET", url+"/healthz", "")); code != 200 {
		t.Errorf("health: %d", code)
	}
	close(wait.release)
	requests.Wait()
	if code := of("busy", httpPing); code != 200 {
		t.Errorf("%d afterwards", code)
	}
}

// TestDeadlines checks how long the server waits for a client, in each state of a connection.
func TestDeadlines(t *testing.T) {
	const health = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
	for _, tt := range []struct {
		sent  string
		reads bool
		want  time.Duration
	}{
		{"POST /mcp HTTP/1.1\r\nHost: localhost\r\n", true, 10 * time.Second},
		{"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{", true, 20 * time.Second},
		{"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1048577\r\n\r\n{", true, 0},
		{
			"POST /mcp HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n",
			false, 10 * time.Second,
		},
		{health, true, 0},
		{"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", true, 2 * time.Minute},
		{health, false, 10 * time.Second},
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

// TestSlowReader checks that a client gets a response that it reads slowly, but steadily, and that
// the response ends if it reads more slowly or not at all.
func TestSlowReader(t *testing.T) {
	const size = 1 << 20
	for _, tt := range []struct {
		bytes int64 // read in each second
		ends  time.Duration
	}{{64 << 10, 0}, {32 << 10, 20 * time.Second}, {1, 10 * time.Second}} {
		synctest.Test(t, func(t *testing.T) {
			var took atomic.Int64
			server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				start := time.Now()
				_, err := (&timedWriter{ResponseWriter: w}).Write(make([]byte, size))
				took.Store(int64(time.Since(start)))
				if (err == nil) != (tt.ends == 0) {
					t.Errorf("%d bytes per second: %v", tt.bytes, err)
				}
			})}
			l := make(pipeListener)
			go func() { _ = server.Serve(l) }()
			client, accepted := net.Pipe()
			l <- accepted
			_, err := io.WriteString(client, "GET / HTTP/1.0\r\n\r\n")
			for err == nil {
				_, err = io.CopyN(io.Discard, client, tt.bytes)
				time.Sleep(time.Second)
			}
			ended := time.Duration(took.Load())
			if tt.ends > 0 && ended.Round(5*time.Second) != tt.ends {
				t.Errorf("%d bytes per second: ended after %v", tt.bytes, ended)
			}
			close(l)
			_ = server.Close()
		})
	}
}

// TestUnreadResponses checks that clients that read none of their large responses hold a bounded
// amount of memory for a bounded time, and do not delay the responses of another one.
func TestUnreadResponses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const size = 3_600_000
		large := func(context.Context, tool.Call) (tool.Result, error) {
			return tool.Result{Parts: tool.Text(strings.Repeat("a", size))}, nil
		}
		ts := testkit.Open(t, gander.Options{
			Roots: []string{t.TempDir()}, Tools: []string{"test"},
			ExtraTools: []tool.Tool{fake("test/wait", large), fake("test/echo", echo)},
			Limits:     gander.Limits{MaxOutputBytes: 4 << 20},
		})
		ended := make(chan error)
		l := make(pipeListener)
		ctx, stop := context.WithCancel(t.Context())
		go func() { ended <- ServeHTTP(ctx, l, New(ts, nil), nil) }()
		dial := func(address string) net.Conn {
			client, accepted := net.Pipe()
			l <- addressedConn{accepted, &net.TCPAddr{IP: net.ParseIP(address), Port: 1}}
			return client
		}
		post := func(conn net.Conn, body string) {
			_, err := fmt.Fprintf(conn, "POST /mcp HTTP/1.1\r\nHost: localhost\r\n"+
				"Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"+
				"Content-Length: %d\r\n\r\n%s", len(body), body)
			testkit.Must(t, err)
		}
		for i := range 12 {
			post(dial(fmt.Sprintf("192.0.2.%d", i%2)), waitCall)
		}
		synctest.Wait()
		results := testkit.Inner(ts).Control().Results
		canHold := func(bytes int64) bool {
			h := results.Open(admission.Caller{})
			defer h.End()
			return h.Try(bytes)
		}
		if canHold(admission.ResultBytes - size) {
			t.Errorf("less than %d bytes are held", size)
		}
		start := time.Now()
		other := dial("192.0.2.9")
		post(other, strings.Replace(waitCall, "wait", "echo", 1))
		line, err := bufio.NewReader(other).ReadString('\n')
		if took := time.Since(start); err != nil || took > 0 || !strings.Contains(line, "200") {
			t.Errorf("another client: %q after %v, %v", line, took, err)
		}
		time.Sleep(2*writeTimeout + time.Second)
		if !canHold(admission.ResultBytes) {
			t.Error("responses that nobody reads hold memory")
		}
		stop()
		close(l)
		<-ended
	})
}
