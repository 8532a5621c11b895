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
	"github.com/rogpeppe/go-internal/txtar"

	"gander"
	"gander/internal/testkit"
	"gander/tool"
)

const modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
	`"io.modelcontextprotocol/clientCapabilities":{}}`

// TestLists checks that lists are the same on every connection and at all times, and that schemas
// are published byte for byte. Models were trained on the order of their keys.
func TestLists(t *testing.T) {
	lists := func() (all []string) {
		s := startSession(t, &txtar.Archive{Files: []txtar.File{{Name: "client"}}})
		defer s.in.Close()
		methods := []string{"tools/list", "server/discover"}
		for i := range 4 {
			s.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s}}`,
				i%2, methods[i%2], modernMeta))
			all = append(all, s.receive(1)...)
		}
		return all
	}
	first := lists()
	want := []string{first[0], first[1], first[0], first[1]}
	if diff := cmp.Diff(append(want, want...), append(first, lists()...)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if n := strings.Count(first[0], `"inputSchema":`+schema); n != 7 {
		t.Errorf("%d of 7 schemas arrived byte for byte:\n%s", n, first[0])
	}
}

// TestCancel checks that a call ends soon after its cancellation, even if its tool ignores it, and
// that other calls continue.
func TestCancel(t *testing.T) {
	begun, ended, release := make(chan struct{}), make(chan time.Time, 1), make(chan struct{})
	defer close(release)
	heeds := func(ctx context.Context, c tool.Call) (tool.Result, error) {
		begun <- struct{}{}
		return hang(ctx, c)
	}
	stuck := func(context.Context, tool.Call) (tool.Result, error) {
		begun <- struct{}{}
		<-release
		return tool.Result{}, nil
	}
	ts := testkit.Open(t, gander.Options{
		Roots: []string{t.TempDir()},
		Tools: []string{"test"},
		ExtraTools: []tool.Tool{
			fake("test/heeds", "heeds", heeds), fake("test/stuck", "stuck", stuck),
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
	url := listenAt(t, New(ts, nil), nil)
	transports := map[string]func() mcp.Transport{
		"in memory": func() mcp.Transport {
			client, server := mcp.NewInMemoryTransports()
			_, err := New(ts, nil).Connect(t.Context(), server, nil)
			testkit.Must(t, err)
			return client
		},
		"HTTP": func() mcp.Transport {
			return &mcp.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{}}
		},
	}
	for _, revision := range []string{"2025-03-26", lastHandshake, modern} {
		for name, connect := range transports {
			t.Run(revision+" "+name, func(t *testing.T) {
				options := &mcp.ClientSessionOptions{ProtocolVersion: revision}
				client, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).
					Connect(t.Context(), connect(), options)
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
					// Ten times the promise, because the machine may be busy.
					if took := (<-ended).Sub(from); took > 500*time.Millisecond {
						t.Errorf("%s ended after %v", name, took)
					}
					if err := <-failed; err == nil {
						t.Errorf("%s was answered", name)
					}
				}
			})
		}
	}
}
