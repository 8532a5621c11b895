package mcpserver

import (
	"context"
	"crypto/tls"
	"crypto/x509"
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
			for range 2 * maxStreams {
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

// TestStreamDeadlines checks how long the server waits for a body and for a client that does not
// read, over HTTP/2.
func TestStreamDeadlines(t *testing.T) {
	config, trusting := certified(t, "h2")
	for _, tt := range []struct {
		name string
		body io.Reader
		want time.Duration
	}{
		{"half a body", io.MultiReader(strings.NewReader("{"), neverReader{}), readTimeout},
		{"unread", strings.NewReader(waitCall), writeTimeout},
	} {
		synctest.Test(t, func(t *testing.T) {
			long := func(context.Context, tool.Call) (tool.Result, error) {
				return tool.Result{Parts: tool.Text(strings.Repeat("long", 50_000))}, nil
			}
			ts := testkit.Open(t, gander.Options{
				Roots: []string{t.TempDir()}, Tools: []string{"test"},
				ExtraTools: []tool.Tool{fake("test/wait", "wait", long)},
				Limits:     gander.Limits{MaxOutputBytes: 1 << 20},
			})
			l := make(pipeListener)
			ended := make(chan error)
			ctx, stop := context.WithCancel(t.Context())
			go func() { ended <- ServeHTTP(ctx, l, New(ts, nil), nil) }()
			dial := func(context.Context, string, string) (net.Conn, error) {
				client, accepted := net.Pipe()
				l <- tls.Server(accepted, config)
				return tls.Client(client, trusting), nil
			}
			transport := &http.Transport{
				DialTLSContext: dial, ForceAttemptHTTP2: true,
				HTTP2: &http.HTTP2Config{MaxReceiveBufferPerStream: 64 << 10},
			}
			start := time.Now()
			r := request(t, "POST", "https://localhost/mcp", "")
			r.Body, r.ContentLength = io.NopCloser(tt.body), -1
			response, err := transport.RoundTrip(r)
			testkit.Must(t, err)
			if response.StatusCode == 200 {
				time.Sleep(tt.want + time.Second) // so that the deadline passes
				_, err = io.ReadAll(response.Body)
				start = time.Now().Add(-tt.want)
			}
			took := time.Since(start)
			if err == nil && response.StatusCode == 200 || took < tt.want || took > tt.want+time.Second {
				t.Errorf("%s: %d, %v after %v", tt.name, response.StatusCode, err, took)
			}
			_ = response.Body.Close()
			transport.CloseIdleConnections()
			stop()
			close(l)
			<-ended
		})
	}
}

// A neverReader is a reader without data that does not end for an hour.
type neverReader struct{}

func (neverReader) Read([]byte) (int, error) {
	time.Sleep(time.Hour)
	return 0, io.EOF
}
