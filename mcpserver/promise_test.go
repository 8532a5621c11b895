package mcpserver

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander"
	"gander/internal/testkit"
	"gander/tool"
)

const modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
	`"io.modelcontextprotocol/clientCapabilities":{}}`

// TestLists checks that lists are the same on every connection and at all times, and that schemas
// are published byte for byte. Models were trained on the order of their keys.
func TestLists(t *testing.T) {
	ts := openFakes(t, t.TempDir(), nil)
	var seen [2]string
	for range 4 {
		for i, method := range []string{"tools/list", "server/discover"} {
			got := ask(t, ts, nil, fmt.Sprintf(`"method":%q,"params":{%s}`, method, modernMeta))
			if seen[i] != "" && got != seen[i] {
				t.Errorf("%s: first %s, then %s", method, seen[i], got)
			}
			seen[i] = got
		}
	}
	if n := strings.Count(seen[0], `"inputSchema":`+schema); n != 7 {
		t.Errorf("%d of 7 schemas arrived byte for byte:\n%s", n, seen[0])
	}
}

// TestCancel checks that a canceled call ends soon, and that others continue.
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
			fake("test/heeds", heeds), fake("test/stuck", stuck),
			fake("test/echo", echo),
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
	check := func(t *testing.T, client *mcp.ClientSession, name string) {
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
	for _, revision := range []string{"2025-03-26", lastHandshake, modern} {
		for _, overHTTP := range []bool{false, true} {
			t.Run(fmt.Sprint(revision, " over HTTP ", overHTTP), func(t *testing.T) {
				var transport mcp.Transport = &mcp.StreamableClientTransport{
					Endpoint: url + "/mcp", HTTPClient: &http.Client{},
				}
				if !overHTTP {
					var end mcp.Transport
					transport, end = mcp.NewInMemoryTransports()
					_, err := New(ts, nil).Connect(t.Context(), end, nil)
					testkit.Must(t, err)
				}
				client, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).
					Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: revision})
				testkit.Must(t, err)
				defer client.Close()
				if got := client.InitializeResult().ProtocolVersion; got != revision {
					t.Fatalf("revision %s", got)
				}
				check(t, client, "heeds")
				check(t, client, "stuck")
			})
		}
	}
}
