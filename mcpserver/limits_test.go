package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander"
	"gander/internal/testkit"
	"gander/tool"
)

const (
	token       = "0123456789abcdef"
	httpPing    = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	waitCall    = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait"}}`
	waitTimeout = 10 * time.Second
)

// A waitingTool is a tool whose calls wait until they are released or canceled.
type waitingTool struct{ started, canceled, release chan struct{} }

// newWaiting returns a server with a waiting tool.
func newWaiting(t *testing.T) (*mcp.Server, waitingTool) {
	t.Helper()
	w := waitingTool{make(chan struct{}, 1000), make(chan struct{}, 1000), make(chan struct{})}
	call := func(ctx context.Context, _ tool.Call) (tool.Result, error) {
		w.started <- struct{}{}
		select {
		case <-w.release:
			return tool.Result{Parts: tool.Text("waited")}, nil
		case <-ctx.Done():
			w.canceled <- struct{}{}
			return tool.Result{}, ctx.Err()
		}
	}
	ts := testkit.Open(t, gander.Options{
		Roots: []string{t.TempDir()}, Tools: []string{"test"},
		ExtraTools: []tool.Tool{fake("test/wait", "wait", call)},
	})
	return New(ts, nil), w
}

// request returns a request with a JSON body and pairs of header names and values.
func request(t *testing.T, method, url, body string, header ...string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	testkit.Must(t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i < len(header); i += 2 {
		switch name, value := header[i], header[i+1]; {
		case name == "Host":
			r.Host = value
		case value != "":
			r.Header.Set(name, value)
		}
	}
	return r
}

// do returns the status and the body of the response.
func do(t *testing.T, r *http.Request) (int, string) {
	t.Helper()
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Error(err)
		return 0, ""
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Error(err)
	}
	return response.StatusCode, string(body)
}

// TestAllowedOrigin checks which pages can read responses.
func TestAllowedOrigin(t *testing.T) {
	server, _ := newWaiting(t)
	const app = "https://app.example"
	h := Handler(server, &HTTPOptions{Token: token, Origins: []string{app}})
	for page, want := range map[string]string{
		app: app, app + ":8443": "", "http://app.example": "", "null": "", "": "",
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, request(t, "OPTIONS", "http://localhost/mcp", "", "Origin", page))
		got := w.Header().Get("Access-Control-Allow-Origin")
		if got != want || (w.Code == http.StatusNoContent) != (want != "") {
			t.Errorf("%s: %d, %q", page, w.Code, got)
		}
	}
}

// TestHostAndOrigin checks from which hosts and pages requests are served.
func TestHostAndOrigin(t *testing.T) {
	server, _ := newWaiting(t)
	url := listenAt(t, server, &HTTPOptions{Hosts: []string{"Files.example"}})
	_, port, _ := net.SplitHostPort(strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/mcp"))
	own := "localhost:" + port
	for _, header := range [][]string{
		nil,
		{"Host", own},
		{"Host", "LOCALHOST:1"},
		{"Host", "[::1]:" + port},
		{"Host", "127.0.0.2"},
		{"Host", "files.EXAMPLE:443"},
		{"Host", own, "Origin", "http://" + own, "Sec-Fetch-Site", "same-origin"},
		{"Sec-Fetch-Site", "none"},
	} {
		if status, body := do(t, request(t, "POST", url, httpPing, header...)); status != 200 {
			t.Errorf("%q: %d %s", header, status, body)
		}
	}
	for _, header := range [][]string{
		{"Host", "evil.example"},
		{"Host", "evil.example", "Origin", "http://evil.example"},
		{"Host", "localhost.evil.example"},
		{"Host", "192.0.2.1"}, // not a loopback address
		{"Host", "files.example.evil"},
		{"Origin", "http://evil.example"},
		{"Origin", "null"},
		{"Host", own, "Origin", "http://localhost:1"},
		{"Sec-Fetch-Site", "cross-site"},
		{"Sec-Fetch-Site", "same-site"},
	} {
		if status, body := do(t, request(t, "POST", url, httpPing, header...)); status != 403 {
			t.Errorf("%q: %d %s", header, status, body)
		}
	}
}

// TestToken checks which requests have the token. A health check needs none.
func TestToken(t *testing.T) {
	server, _ := newWaiting(t)
	const app = "https://app.example"
	url := listenAt(t, server, &HTTPOptions{Token: token, Origins: []string{app}})
	for authorization, want := range map[string]int{
		"Bearer " + token: 200, "bearer  " + token: 200, "": 401, "Bearer ": 401, token: 401,
		"Bearer 0123456789abcdeF": 401, "Bearer " + token + "0": 401, "Basic " + token: 401,
	} {
		r := request(t, "POST", url, httpPing, "Authorization", authorization)
		if status, body := do(t, r); status != want {
			t.Errorf("%q: %d %s", authorization, status, body)
		}
	}
	for _, tt := range []struct {
		origin, authorization string
		want                  int
	}{{app, "", 401}, {app, "Bearer " + token, 200}, {app + ":8443", "Bearer " + token, 403}} {
		status, body := do(t, request(t, "POST", url, httpPing, "Origin", tt.origin,
			"Sec-Fetch-Site", "cross-site", "Authorization", tt.authorization))
		if status != tt.want {
			t.Errorf("%s: %d %s", tt.origin, status, body)
		}
	}
	health := strings.Replace(url, "/mcp", "/healthz", 1)
	if status, body := do(t, request(t, "GET", health, "")); status != 200 || body != "ok\n" {
		t.Errorf("health: %d %q", status, body)
	}
}

// TestBodies checks which bodies of requests are served.
func TestBodies(t *testing.T) {
	server, _ := newWaiting(t)
	url := listenAt(t, server, nil)
	const prefix = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"none","arguments":`
	for _, tt := range []struct {
		revision, body string
		status         int
		want           string
	}{
		{"2025-06-18", httpPing, 200, `"id":1,"result":{}`},
		{"", prefix + `"` + strings.Repeat("a", 900_000) + `"}}`, 200, `unknown tool`},
		{"", `{`, 400, `"id":null,"error":{"code":-32700,`},
		{"", "", 400, `"code":-32700,`},
		{"", prefix + `{"a":1,"a":2}}}`, 400, `"id":1,"error":{"code":-32600,`},
		{"", prefix + `[` + strings.Repeat("1,", 500_000) + `1]}}`, 400, "more than 10000 values"},
		{"", strings.Repeat(" ", maxMessage) + httpPing, 413, "1048576 bytes"},
		{"2025-06-18", "[" + httpPing + "]", 400, "no batches"},
		{"2025-03-26", "[" + httpPing + "]", 200, `"id":1,"result":{}`},
		{"", "[" + strings.Repeat("1,", 400_000) + "1]", 400, "a batch must have 1 to 64 messages"},
		{"", "[" + httpPing, 400, `"code":-32700,`},
		{"", "[" + httpPing + "]1", 400, `"code":-32700,`},
	} {
		r := request(t, "POST", url, tt.body, "Mcp-Protocol-Version", tt.revision)
		status, body := do(t, r)
		if status != tt.status || !strings.Contains(body, tt.want) {
			t.Errorf("%.80s: %d %.200s, want %d and %s", tt.body, status, body, tt.status, tt.want)
		}
	}
	chunked := request(t, "POST", url, "")
	chunked.Body, chunked.ContentLength = io.NopCloser(bytes.NewReader(make([]byte, maxMessage+1))), -1
	if status, _ := do(t, chunked); status != 413 {
		t.Errorf("a large body of unknown length: %d", status)
	}
}

// TestHostElsewhere checks requests that arrive at an address other than the loopback. They can be
// for any address.
func TestHostElsewhere(t *testing.T) {
	local := &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1)}
	ctx := context.WithValue(t.Context(), http.LocalAddrContextKey, local)
	for host, want := range map[string]bool{
		"192.0.2.1": true, "192.0.2.1:80": true, "[2001:db8::1]:80": true, "[::1]": true,
		"localhost": true, "evil.example": false, "": false,
	} {
		if got := new(handler).hostAllowed((&http.Request{Host: host}).WithContext(ctx)); got != want {
			t.Errorf("%q: %v", host, got)
		}
	}
}

// TestQuota checks that clients cannot use the quota of others.
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
		q.give(client, cost)
	}
	if q.used != 0 || len(q.clients) != 0 {
		t.Errorf("%d and %d clients are left over", q.used, len(q.clients))
	}
}

// TestManyRequests checks that requests over the share of their client are refused immediately, and
// that the calls of a batch count.
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

// TestManyConnections opens 1,100 connections from one address. Another address is served
// meanwhile.
func TestManyConnections(t *testing.T) {
	server, _ := newWaiting(t)
	url := listenAt(t, server, nil)
	addr := strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/mcp")
	for range 1100 {
		conn, err := net.Dial("tcp", addr)
		testkit.Must(t, err)
		defer conn.Close()
	}
	conn, err := net.Dial("tcp", addr)
	testkit.Must(t, err)
	defer conn.Close()
	if response, err := http.ReadResponse(bufio.NewReader(conn), nil); err != nil {
		t.Errorf("another connection: %v", err)
	} else if response.StatusCode != 503 {
		t.Errorf("another connection: status %d, want 503", response.StatusCode)
	}
	other := &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext:       (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}}).DialContext,
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
		c := newConnections(nil, max(len(addresses)-1, 1))
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

// TestLogIsLimited checks that a client cannot fill the log.
func TestLogIsLimited(t *testing.T) {
	var log bytes.Buffer
	server, _ := newWaiting(t)
	h := Handler(server, &HTTPOptions{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	for range 1000 {
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "http://evil.example/", nil))
	}
	if lines := strings.Count(log.String(), "\n"); lines < 100 || lines > 150 {
		t.Errorf("%d lines", lines)
	}
}

// TestShutdown checks that a call in flight is answered, and no connection is accepted.
func TestShutdown(t *testing.T) {
	server, wait := newWaiting(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	testkit.Must(t, err)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- ServeHTTP(ctx, l, server, nil) }()
	response := make(chan string)
	go func() {
		_, body := do(t, request(t, "POST", "http://"+l.Addr().String()+"/mcp", waitCall))
		response <- body
	}()
	<-wait.started
	stop()
	for start := time.Now(); ; time.Sleep(time.Millisecond) {
		conn, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			break
		}
		conn.Close()
		if time.Since(start) > waitTimeout {
			t.Fatal("the listener is open")
		}
	}
	select {
	case err := <-ended:
		t.Fatalf("the server has ended, %v, with a call in flight", err)
	default:
	}
	close(wait.release)
	if body := <-response; !strings.Contains(body, "waited") {
		t.Errorf("response %q", body)
	}
	if err := <-ended; err != nil {
		t.Errorf("the server ended with %v", err)
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
