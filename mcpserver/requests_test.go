package mcpserver

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
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
type waitingTool struct{ started, release chan struct{} }

// newWaiting returns a server with a waiting tool.
func newWaiting(t *testing.T) (*mcp.Server, waitingTool) {
	t.Helper()
	w := waitingTool{make(chan struct{}, 1000), make(chan struct{})}
	call := func(ctx context.Context, _ tool.Call) (tool.Result, error) {
		w.started <- struct{}{}
		select {
		case <-w.release:
			return tool.Result{Parts: tool.Text("waited")}, nil
		case <-ctx.Done():
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

// TestHostAndOrigin checks requests for several hosts and from several pages. It covers
// CVE-2026-33252, a request from a page of another site, and CVE-2026-34742, CVE-2025-49596,
// CVE-2025-66414 and CVE-2025-66416, DNS rebinding.
func TestHostAndOrigin(t *testing.T) {
	server, _ := newWaiting(t)
	url := listenAt(t, server, &HTTPOptions{Hosts: []string{"Files.example"}})
	_, port, _ := net.SplitHostPort(strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/mcp"))
	own := "localhost:" + port
	for want, headers := range map[int][][]string{
		200: {
			nil,
			{"Host", own},
			{"Host", "LOCALHOST:1"},
			{"Host", "[::1]:" + port},
			{"Host", "127.0.0.2"},
			{"Host", "files.EXAMPLE:443"},
			{"Sec-Fetch-Site", "none"},
			{"Host", own, "Origin", "http://" + own, "Sec-Fetch-Site", "same-origin"},
		},
		403: {
			{"Host", "evil.example"},
			{"Host", "evil.example", "Origin", "http://evil.example"},
			{"Host", "localhost.evil.example"},
			{"Host", "files.example.evil"},
			{"Host", "192.0.2.1"}, // not a loopback address
			{"Host", "0.0.0.0:" + port},
			{"Origin", "http://evil.example"},
			{"Origin", "null"},
			{"Host", own, "Origin", "http://localhost:1"},
			{"Sec-Fetch-Site", "cross-site"},
			{"Sec-Fetch-Site", "same-site"},
			{"Origin", "http://evil.example", "Content-Type", "text/plain"}, // a form
		},
		415: {{"Content-Type", "text/plain"}},
	} {
		for _, header := range headers {
			status, body := do(t, request(t, "POST", url, httpPing, header...))
			if status != want {
				t.Errorf("%q: %d %s", header, status, body)
			}
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
		{"2025-06-18", "[" + httpPing + "]", 400, "batching is not supported"},
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

// TestHostElsewhere checks requests to an address other than a loopback address. Their host can be
// any address.
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

// TestShutdown checks that a call in flight gets its response, and that no connection is accepted.
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
