package mcpserver

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander"
	"gander/internal/testkit"
	"gander/tool"
)

const modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
	`"io.modelcontextprotocol/clientCapabilities":{}}`

// TestLists checks that lists are the same on every connection and at all times.
func TestLists(t *testing.T) {
	lists := func() (all []string) {
		s := startSession(t, fakes())
		for i, method := range []string{"tools/list", "server/discover"} {
			for range 2 {
				s.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s}}`, i, method, modernMeta))
				got := s.receive(1)
				if !strings.Contains(got[0], `"cacheScope":"private"`) {
					t.Errorf("%s", got[0])
				}
				all = append(all, got...)
			}
		}
		s.in.Close()
		return all
	}
	if diff := cmp.Diff(lists(), lists()); diff != "" {
		t.Errorf("(-first +second):\n%s", diff)
	}
}

// TestCancel checks that a call ends soon after its cancellation, even if its tool ignores it, and
// that other calls continue.
func TestCancel(t *testing.T) {
	ended := make(chan time.Time, 1)
	begun := make(chan struct{})
	release := make(chan struct{})
	defer close(release)
	ts, err := gander.Open(gander.Options{
		Roots: []string{t.TempDir()},
		Tools: []string{"test"},
		ExtraTools: []tool.Tool{
			fake("test/heeds", "heeds", func(ctx context.Context, _ tool.Call) (tool.Result, error) {
				begun <- struct{}{}
				<-ctx.Done()
				return tool.Result{}, ctx.Err()
			}),
			fake("test/stuck", "stuck", func(context.Context, tool.Call) (tool.Result, error) {
				begun <- struct{}{}
				<-release
				return tool.Result{}, nil
			}),
			fake("test/echo", "echo", echo),
		},
		Middleware: []tool.Middleware{func(s tool.Spec, next tool.Handler) tool.Handler {
			return func(ctx context.Context, c tool.Call) (tool.Result, error) {
				result, err := next(ctx, c)
				if s.Name != "echo" {
					ended <- time.Now()
				}
				return result, err
			}
		}},
	})
	testkit.Must(t, err)
	defer ts.Close()
	url := listenAt(t, New(ts, nil), nil)
	for _, revision := range []string{"2025-03-26", "2025-11-25", modern} {
		for name, transport := range map[string]func() mcp.Transport{
			"in memory": func() mcp.Transport {
				client, server := mcp.NewInMemoryTransports()
				if _, err := New(ts, nil).Connect(t.Context(), server, nil); err != nil {
					t.Fatal(err)
				}
				return client
			},
			"HTTP": func() mcp.Transport {
				return &mcp.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{}}
			},
		} {
			t.Run(revision+" "+name, func(t *testing.T) {
				options := &mcp.ClientSessionOptions{ProtocolVersion: revision}
				client, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).
					Connect(t.Context(), transport(), options)
				testkit.Must(t, err)
				defer client.Close()
				if got := client.InitializeResult().ProtocolVersion; got != revision {
					t.Fatalf("revision %s", got)
				}
				for _, name := range []string{"heeds", "stuck"} {
					ctx, cancel := context.WithCancel(t.Context())
					failed := make(chan error, 1)
					go func() {
						_, err := client.CallTool(ctx, &mcp.CallToolParams{Name: name})
						failed <- err
					}()
					<-begun
					r, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "echo"})
					if err != nil || r.IsError {
						t.Errorf("beside %s: %v, %v", name, r, err)
					}
					from := time.Now()
					cancel()
					took := (<-ended).Sub(from)
					t.Logf("%s ended after %v", name, took)
					if took > 500*time.Millisecond { // Ten times the promise, because the machine may be busy.
						t.Errorf("%s ended too late", name)
					}
					if err := <-failed; err == nil {
						t.Errorf("%s was answered", name)
					}
				}
			})
		}
	}
}
