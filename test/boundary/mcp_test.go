//go:build unix

package boundary

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"gander/mcpserver"
)

// TestBoundaryHTTP covers CVE-2026-33252, a request from a page of another site, and
// CVE-2026-34742, CVE-2025-49596, CVE-2025-66414 and CVE-2025-66416, DNS rebinding.
func TestBoundaryHTTP(t *testing.T) {
	top, toolset := layouts[0].open(t, nil)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() {
		served <- mcpserver.ServeHTTP(ctx, l, mcpserver.New(toolset, nil), nil)
	}()
	defer func() {
		cancel()
		if err := <-served; err != nil {
			t.Error(err)
		}
	}()
	const call = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{},` +
		`"protocolVersion":"2025-11-25","clientInfo":{"name":"t","version":"1"}}}`
	_, port, _ := net.SplitHostPort(l.Addr().String())
	type headers = map[string]string
	origin := func(site string) headers { return headers{"Origin": site} }
	here, evil, plain := "127.0.0.1:"+port, "evil.example:"+port, "text/plain"
	for name, tt := range map[string]struct {
		host    string
		headers map[string]string
		body    string
		want    int
	}{
		"a client":            {here, nil, call, http.StatusOK},
		"a client, localhost": {"localhost:" + port, nil, call, http.StatusOK},

		"another site": {here, origin("http://evil.example"), call, http.StatusForbidden},
		"no site":      {here, origin("null"), call, http.StatusForbidden},
		"another port": {here, origin("http://127.0.0.1:1"), call, http.StatusForbidden},
		"cross-site":   {here, headers{"Sec-Fetch-Site": "cross-site"}, call, http.StatusForbidden},
		"a form": {
			here,
			headers{"Origin": "http://" + evil, "Content-Type": plain},
			call,
			http.StatusForbidden,
		},
		"plain text":     {here, headers{"Content-Type": plain}, call, http.StatusUnsupportedMediaType},
		"a DNS name":     {evil, nil, call, http.StatusForbidden},
		"and its page":   {evil, origin("http://" + evil), call, http.StatusForbidden},
		"a name like it": {"localhost.evil.example", nil, call, http.StatusForbidden},
		"0.0.0.0":        {"0.0.0.0:" + port, nil, call, http.StatusForbidden},
		"a large body":   {here, nil, strings.Repeat(" ", 5<<20), http.StatusRequestEntityTooLarge},
	} {
		r, err := http.NewRequestWithContext(
			ctx, http.MethodPost, "http://"+l.Addr().String()+"/mcp", strings.NewReader(tt.body),
		)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = tt.host
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		for key, value := range tt.headers {
			r.Header.Set(key, value)
		}
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		body, _ := io.ReadAll(io.LimitReader(response.Body, 1<<20))
		_ = response.Body.Close()
		if response.StatusCode != tt.want || strings.Contains(string(body), top) &&
			tt.want != http.StatusOK {
			t.Errorf("%s: got %d, want %d: %.200s", name, response.StatusCode, tt.want, body)
		}
	}
}
