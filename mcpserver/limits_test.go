package mcpserver

import (
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
)

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
	another := func() { do(t, request(t, "POST", url+"/mcp", waitCall)) }
	for range 200 {
		requests.Go(another)
	}
	ping := func() int {
		code, _ := do(t, request(t, "POST", url+"/mcp", httpPing))
		return code
	}
	// Many are refused while a batch arrives, which can be refused itself later.
	for start := time.Now(); ping() == 200 && time.Since(start) < waitTimeout; {
		requests.Go(another)
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

// TestDeadlines checks how long the server waits for a header, for a body, for a client that does
// not read, and for the next request.
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
		{"POST /mcp HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n", false, 30 * time.Second},
		{health, true, 0},
		{"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", true, 2 * time.Minute},
		{health, false, 30 * time.Second},
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

// TestSlowReader checks that a client gets a response that it reads slowly, but steadily.
func TestSlowReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const size = 1 << 20
		server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if n, err := (timedWriter{w}).Write(make([]byte, size)); n != size || err != nil {
				t.Errorf("wrote %d bytes, %v", n, err)
			}
		})}
		l := make(pipeListener)
		go func() { _ = server.Serve(l) }()
		client, accepted := net.Pipe()
		l <- accepted
		const sent = "GET / HTTP/1.0\r\n\r\n"
		if _, err := io.WriteString(client, sent); err != nil {
			t.Fatal(err)
		}
		var err error
		var got, n int64
		for err == nil {
			n, err = io.CopyN(io.Discard, client, 32<<10)
			got += n
			time.Sleep(10 * time.Second)
		}
		if err != io.EOF || got < size {
			t.Errorf("read %d bytes, %v", got, err)
		}
		close(l)
		_ = server.Close()
	})
}
