package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
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
	app         = "https://app.example"
	httpPing    = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	waitCall    = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait"}}`
	waitTimeout = 10 * time.Second
)

type waitingTool struct{ started, release chan struct{} }

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
		ExtraTools: []tool.Tool{fake("test/wait", call)},
	})
	return New(ts, nil), w
}

// listenAt serves s until the test ends, and returns its URL without a path.
func listenAt(t *testing.T, s *mcp.Server, o *HTTPOptions) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	testkit.Must(t, err)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- ServeHTTP(ctx, l, s, o) }()
	t.Cleanup(func() {
		// The server would wait for connections that have not been used.
		http.DefaultClient.CloseIdleConnections()
		stop()
		if err := <-ended; err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	return "http://" + l.Addr().String()
}

// request returns a request with a JSON body and pairs of header names and values.
func request(t *testing.T, method, url, body string, header ...string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	testkit.Must(t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	if host := r.Header.Get("Host"); host != "" {
		r.Host = host
	}
	return r
}

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

// TestRequests checks the responses to requests of all revisions, without sessions.
func TestRequests(t *testing.T) {
	url := listenAt(t, New(openFakes(t, t.TempDir(), nil), nil), nil)
	const (
		rpc   = `{"jsonrpc":"2.0",`
		start = rpc + `"id":1,"method":"initialize","params":{"capabilities":{},"clientInfo":` +
			`{"name":"test","version":"1"},"protocolVersion":`
		call     = rpc + `"id":1,"method":"tools/call","params":{"name":"echo","arguments":`
		progress = rpc + `"method":"notifications/progress","params":{"progressToken":1,"progress":1}}`
		unknown  = rpc + `"id":2,"method":"resources/read","params":{"uri":"file:///a\u001bb"}}`
		echoed   = `"result":{"content":[{"type":"text","text":"{\"a\":1}"}]`
	)
	for _, tt := range []struct {
		method, path, headers, body string
		status                      int
		want                        string
	}{
		{"POST", "/mcp", "", start + `"2025-11-25"}}`, 200, `"protocolVersion":"2025-11-25"`},
		{"POST", "/mcp", "", start + `"2024-11-05"}}`, 200, `"protocolVersion":"2024-11-05"`},
		{"POST", "/mcp", "Mcp-Protocol-Version 2025-06-18", httpPing, 200, `"id":1,"result":{}`},
		{"POST", "/mcp", "Mcp-Session-Id any", call + `{"a":1}}}`, 200, echoed},
		{"POST", "/mcp", "", rpc + `"method":"notifications/initialized"}`, 202, ""},
		{"POST", "/mcp", "", rpc + `"method":"notifications/unknown"}`, 202, ""},
		{
			"POST", "/mcp", "Mcp-Protocol-Version 2026-07-28 Mcp-Method tools/call Mcp-Name echo",
			call + `{"a":1},` + modernMeta + `}}`, 200, `{\"a\":1}`,
		},
		{
			"POST", "/mcp", "Mcp-Protocol-Version 2026-07-28 Mcp-Method tools/call Mcp-Name other",
			call + `{},` + modernMeta + `}}`, 400, `"code":-32020`,
		},
		{
			"POST", "/mcp", "Mcp-Protocol-Version 2099-01-01 Mcp-Method tools/call Mcp-Name echo",
			call + `{},` + strings.Replace(modernMeta, "2026-07-28", "2099-01-01", 1) + `}}`, 400,
			`"code":-32022`,
		},
		{"POST", "/mcp", "", progress, 202, ""},
		{"POST", "/mcp", "Mcp-Protocol-Version 2025-03-26", "[" + httpPing + "]", 400, "batches are not"},
		{"POST", "/mcp", "", call + `null}}`, 200, `"text":"{}"`},
		{"POST", "/mcp", "", unknown, 200, `"id":2,"error":{"code":-32601,`},
		{"POST", "/mcp", "Mcp-Protocol-Version 2026-07-28", unknown, 404, `"code":-32601,`},
		{"POST", "/mcp/none", "", httpPing, 404, ""},
		{"GET", "/mcp", "", "", 405, ""},
		{"PUT", "/mcp", "", "{}", 405, ""},
		{"DELETE", "/mcp", "Mcp-Session-Id any", "", 405, ""},
		{"POST", "/mcp", "Accept application/json", httpPing, 400, "Accept must"},
		{"POST", "/mcp", "Content-Type text/plain", httpPing, 415, ""},
	} {
		r := request(t, tt.method, url+tt.path, tt.body, strings.Fields(tt.headers)...)
		status, body := do(t, r)
		if status != tt.status || !strings.Contains(body, tt.want) {
			t.Errorf("%s %s, %s %s: %d %s, want %d and %s",
				tt.method, tt.path, tt.headers, tt.body, status, body, tt.status, tt.want)
		}
	}
}

// TestBodies checks which bodies of requests are served.
func TestBodies(t *testing.T) {
	server, _ := newWaiting(t)
	url := listenAt(t, server, nil) + "/mcp"
	const prefix = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"none","arguments":`
	for _, tt := range []struct {
		body   string
		status int
		want   string
	}{
		{prefix + `"` + strings.Repeat("a", 900_000) + `"}}`, 200, `unknown tool`},
		{`{`, 400, `"id":null,"error":{"code":-32700,`},
		{"", 400, `"code":-32700,`},
		{prefix + `{"a":1,"a":2}}}`, 400, `"id":1,"error":{"code":-32600,`},
		{prefix + `[` + strings.Repeat("1,", 500_000) + `1]}}`, 400, "more than 10000 values"},
		{strings.Repeat(" ", maxMessage) + httpPing, 413, "1048576 bytes"},
		{"[" + strings.Repeat("1,", 400_000) + "1]", 400, "batches are not supported"},
		{"[" + httpPing, 400, `"code":-32700,`},
		{"[" + httpPing + "]1", 400, `"code":-32700,`},
		{"[]", 400, `"id":null,"error":{"code":-32600,`},
		{" \t\r\n" + httpPing + " \t\r\n", 200, `"result":{}`},
		{"\u00a0" + httpPing + "\u00a0", 400, `"code":-32700,`},
		{"\u0085" + httpPing + "\u0085", 400, `"code":-32700,`},
		{"\f" + httpPing + "\f", 400, `"code":-32700,`},
	} {
		status, body := do(t, request(t, "POST", url, tt.body))
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

// TestHostAndOrigin checks requests for several hosts and from several pages. It covers
// CVE-2026-33252, a request from a page of another site, and CVE-2026-34742, CVE-2025-49596,
// CVE-2025-66414 and CVE-2025-66416, DNS rebinding.
func TestHostAndOrigin(t *testing.T) {
	server, _ := newWaiting(t)
	url := listenAt(t, server, &HTTPOptions{Hosts: []string{"Files.example"}})
	port := url[strings.LastIndex(url, ":"):]
	for want, all := range map[int][]string{
		200: {
			"",
			"Host localhost" + port,
			"Host LOCALHOST:1",
			"Host [::1]" + port,
			"Host 127.0.0.2",
			"Host files.EXAMPLE:443",
			"Sec-Fetch-Site none",
			"Host localhost" + port + " Origin http://localhost" + port + " Sec-Fetch-Site same-origin",
		},
		403: {
			"Host evil.example",
			"Host evil.example Origin http://evil.example",
			"Host localhost.evil.example",
			"Host files.example.evil",
			"Host 192.0.2.1", // not a loopback address
			"Host 0.0.0.0" + port,
			"Origin http://evil.example",
			"Origin null",
			"Host localhost" + port + " Origin http://localhost:1",
			"Sec-Fetch-Site cross-site",
			"Sec-Fetch-Site same-site",
			"Origin http://evil.example Content-Type text/plain", // a form
		},
	} {
		for _, headers := range all {
			r := request(t, "POST", url+"/mcp", httpPing, strings.Fields(headers)...)
			if status, body := do(t, r); status != want {
				t.Errorf("%q: %d %s", headers, status, body)
			}
		}
	}
	// The host of a request to any other address than a loopback address can be any address.
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

// TestToken checks which requests have the token. A health check needs none.
func TestToken(t *testing.T) {
	server, _ := newWaiting(t)
	url := listenAt(t, server, &HTTPOptions{Tokens: []Token{{Secret: token}}, Origins: []string{app}})
	for _, tt := range []struct {
		want                  int
		origin, authorization string
	}{
		{200, "", "Bearer " + token},
		{200, "", "bearer  " + token},
		{200, app, "Bearer " + token},
		{401, "", ""},
		{401, "", "Bearer "},
		{401, "", token},
		{401, "", "Bearer 0123456789abcdeF"},
		{401, "", "Bearer " + token + "0"},
		{401, "", "Basic " + token},
		{401, app, ""},
		{403, app + ":8443", "Bearer " + token},
	} {
		r := request(t, "POST", url+"/mcp", httpPing, "Authorization", tt.authorization)
		if tt.origin != "" {
			r.Header.Set("Origin", tt.origin)
			r.Header.Set("Sec-Fetch-Site", "cross-site")
		}
		if status, body := do(t, r); status != tt.want {
			t.Errorf("%+v: %d %s", tt, status, body)
		}
	}
	empty := listenAt(t, server, &HTTPOptions{Tokens: []Token{{}}})
	for _, authorization := range []string{"Bearer ", "Bearer \u00a0", "Bearer \u0085"} {
		r := request(t, "POST", empty+"/mcp", httpPing, "Authorization", authorization)
		if status, body := do(t, r); status != 401 {
			t.Errorf("an empty token, and %q: %d %s", authorization, status, body)
		}
	}
	if status, body := do(t, request(t, "GET", url+"/healthz", "")); status != 200 || body != "ok\n" {
		t.Errorf("health: %d %q", status, body)
	}
}

// TestAllowedOrigin checks which pages can read responses.
func TestAllowedOrigin(t *testing.T) {
	server, _ := newWaiting(t)
	h := Handler(server, &HTTPOptions{Tokens: []Token{{Secret: token}}, Origins: []string{app}})
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

// TestLogRate checks that a client cannot fill the log, neither with requests that are refused nor
// with those of which the SDK logs something: after 100 messages, it gets one per second.
func TestLogRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		logger := slog.New(slog.NewTextHandler(&log, nil))
		s := New(openFakes(t, t.TempDir(), nil), &Options{Logger: logger})
		h := Handler(s, &HTTPOptions{Logger: logger})
		removed := request(t, "POST", "http://localhost/mcp", "",
			"Mcp-Protocol-Version", modern, "Mcp-Method", "ping")
		for _, r := range []*http.Request{httptest.NewRequest("GET", "http://evil.example/", nil), removed} {
			log.Reset()
			for _, want := range []int{100, 110} {
				for range 200 {
					body := `{"jsonrpc":"2.0","id":1,"method":"ping","params":{` + modernMeta + `}}`
					r.Body = io.NopCloser(strings.NewReader(body))
					h.ServeHTTP(httptest.NewRecorder(), r)
				}
				if lines := strings.Count(log.String(), "\n"); lines != want {
					t.Errorf("%s: %d lines, want %d", r.URL, lines, want)
				}
				time.Sleep(10 * time.Second)
			}
		}
	})
}

// TestLogThatNobodyReads checks that requests are answered while the log blocks, as it does on a
// full pipe, and that messages are logged again once it is read.
func TestLogThatNobodyReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reader, pipe := io.Pipe()
		defer reader.Close()
		h := Handler(nil, &HTTPOptions{Logger: slog.New(slog.NewTextHandler(pipe, nil))})
		refuse := func() {
			start := time.Now()
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest("GET", "http://evil.example/", nil))
			if took := time.Since(start); w.Code != http.StatusForbidden || took > 100*time.Millisecond {
				t.Errorf("%d after %v", w.Code, took)
			}
		}
		for range 200 {
			refuse()
		}
		var lines atomic.Int64
		go func() {
			for log := bufio.NewScanner(reader); log.Scan(); {
				lines.Add(1)
			}
		}()
		synctest.Wait()
		time.Sleep(time.Second)
		refuse()
		synctest.Wait()
		if n := lines.Load(); n != 2 {
			t.Errorf("%d messages: the one that had to wait, and the last one, are 2", n)
		}
	})
}

// TestShutdown checks that a call in flight gets its response.
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
	select {
	case err := <-ended:
		t.Fatalf("the server has ended, %v, with a call in flight", err)
	case <-time.After(50 * time.Millisecond):
	}
	close(wait.release)
	if body := <-response; !strings.Contains(body, "waited") {
		t.Errorf("response %q", body)
	}
	testkit.Must(t, <-ended)
}

// TestFailedListener checks that nothing is served after the listener has failed.
func TestFailedListener(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server, _ := newWaiting(t)
		l := make(pipeListener)
		client, accepted := net.Pipe()
		ended := make(chan error)
		go func() { ended <- ServeHTTP(t.Context(), l, server, nil) }()
		l <- accepted
		synctest.Wait()
		close(l)
		start := time.Now()
		if err := <-ended; err == nil {
			t.Error("no error")
		}
		_, _ = io.ReadAll(client)
		if took := time.Since(start); took > 0 {
			t.Errorf("the connection closed after %v", took)
		}
	})
}
