package mcpserver

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"gander"
	"gander/internal/testkit"
	"gander/tool"
)

// certified returns configurations of TLS for a server and its client, with these protocols.
func certified(t *testing.T, protocols ...string) (server, client *tls.Config) {
	t.Helper()
	s := httptest.NewTLSServer(nil)
	s.Close()
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	server = &tls.Config{Certificates: s.TLS.Certificates, NextProtos: protocols}
	client = &tls.Config{RootCAs: roots, ServerName: "example.com", NextProtos: protocols}
	return server, client
}

// TestTLS makes more concurrent calls over TLS than one HTTP/2 connection permits.
func TestTLS(t *testing.T) {
	for protocol, want := range map[string]int{"h2": 2, "http/1.1": 1} {
		t.Run(protocol, func(t *testing.T) {
			server, wait := newWaiting(t)
			close(wait.release)
			l, err := net.Listen("tcp", "127.0.0.1:0")
			testkit.Must(t, err)
			config, trusting := certified(t, protocol)
			ctx, stop := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() { ended <- ServeHTTP(ctx, tls.NewListener(l, config), server, nil) }()
			client := &http.Client{Transport: &http.Transport{
				TLSClientConfig: trusting, ForceAttemptHTTP2: protocol == "h2", MaxConnsPerHost: 8,
			}}
			var calls sync.WaitGroup
			for range maxStreams + 16 {
				calls.Go(func() {
					r := request(t, "POST", "https://"+l.Addr().String()+"/mcp", waitCall)
					response, err := client.Do(r)
					if err != nil {
						t.Error(err)
						return
					}
					defer response.Body.Close()
					body, err := io.ReadAll(response.Body)
					if err != nil || response.ProtoMajor != want || !strings.Contains(string(body), "waited") {
						t.Errorf("HTTP/%d: %d %s, %v", response.ProtoMajor, response.StatusCode, body, err)
					}
				})
			}
			calls.Wait()
			client.CloseIdleConnections()
			stop()
			testkit.Must(t, <-ended)
		})
	}
}

// newPipe returns a transport for HTTP/2 over connections in memory, which has small buffers, to a
// server with a tool. The tool has a long result after a number of seconds.
func newPipe(t *testing.T) (client *http.Transport, stop func()) {
	t.Helper()
	config, trusting := certified(t, "h2")
	late := func(_ context.Context, c tool.Call) (tool.Result, error) {
		var args struct{ Depth time.Duration }
		err := json.Unmarshal(c.Args, &args)
		time.Sleep(args.Depth * time.Second)
		return tool.Result{Parts: tool.Text(strings.Repeat("long", 50_000))}, err
	}
	ts := testkit.Open(t, gander.Options{
		Roots: []string{t.TempDir()}, Tools: []string{"test"},
		ExtraTools: []tool.Tool{fake("test/wait", late)},
		Limits:     gander.Limits{MaxOutputBytes: 1 << 20, Timeout: -1},
	})
	l := make(pipeListener)
	ended := make(chan error)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { ended <- ServeHTTP(ctx, l, New(ts, nil), nil) }()
	dial := func(context.Context, string, string) (net.Conn, error) {
		client, accepted := net.Pipe()
		l <- tls.Server(accepted, config)
		return tls.Client(client, trusting), nil
	}
	client = &http.Transport{
		DialTLSContext: dial, ForceAttemptHTTP2: true,
		HTTP2: &http.HTTP2Config{MaxReceiveBufferPerStream: 64 << 10},
	}
	return client, func() {
		client.CloseIdleConnections()
		cancel()
		close(l)
		<-ended
	}
}

// TestStreamDeadlines checks how long the server waits for a client over HTTP/2.
func TestStreamDeadlines(t *testing.T) {
	for _, tt := range []struct {
		name string
		body io.Reader
		want time.Duration
	}{
		{"half a body", io.MultiReader(strings.NewReader("{"), neverReader{}), readTimeout},
		{"unread", strings.NewReader(waitCall), writeTimeout},
	} {
		synctest.Test(t, func(t *testing.T) {
			client, stop := newPipe(t)
			defer stop()
			start := time.Now()
			r := request(t, "POST", "https://localhost/mcp", "")
			r.Body, r.ContentLength = io.NopCloser(tt.body), -1
			response, err := client.RoundTrip(r)
			testkit.Must(t, err)
			defer response.Body.Close()
			if response.StatusCode == http.StatusOK {
				time.Sleep(tt.want + time.Second) // so that the deadline passes
				_, err = io.ReadAll(response.Body)
				start = time.Now().Add(-tt.want)
			}
			took := time.Since(start)
			ended := err != nil || response.StatusCode != http.StatusOK
			if !ended || took < tt.want || took > tt.want+time.Second {
				t.Errorf("%s: %d, %v after %v", tt.name, response.StatusCode, err, took)
			}
		})
	}
}

// TestLateResponse checks that the time for a write does not limit the time until the first.
func TestLateResponse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, stop := newPipe(t)
		defer stop()
		const late = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait",` +
			`"arguments":{"depth":100}}}`
		r := request(t, "POST", "https://localhost/mcp", late)
		response, err := client.RoundTrip(r)
		testkit.Must(t, err)
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if err != nil || !strings.Contains(string(body), "longlong") {
			t.Errorf("%d bytes, %v", len(body), err)
		}
	})
}

// A neverReader is a reader without data that does not end for an hour.
type neverReader struct{}

func (neverReader) Read([]byte) (int, error) {
	time.Sleep(time.Hour)
	return 0, io.EOF
}
