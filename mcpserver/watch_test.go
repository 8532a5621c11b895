package mcpserver

import (
	"context"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander"
	"gander/internal/frontend/resource"
	"gander/tool"
)

// TestComparisons checks that a change of a resource is found without a call of a tool: subscribing is one, which is recorded, put
// to the approver and passes the middleware, and no comparison is.
func TestComparisons(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(root, "f")
	writeFile(t, path, []byte("text"))
	var recorded, approved, wrapped atomic.Int32
	ts, err := gander.Open(gander.Options{
		Roots:    []string{root},
		Policy:   tool.Policy{Prompt: []string{"gander/read_file"}},
		Approver: func(context.Context, tool.Spec, tool.Call) error { approved.Add(1); return nil },
		Observe:  func(context.Context, tool.Record) { recorded.Add(1) },
		Wrap: []tool.Middleware{func(_ tool.Spec, next tool.Handler) tool.Handler {
			return func(ctx context.Context, c tool.Call) (tool.Result, error) {
				wrapped.Add(1)
				return next(ctx, c)
			}
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer ts.Close()
	clientEnd, serverEnd := mcp.NewInMemoryTransports()
	if _, err := New(ts, Options{}).Connect(t.Context(), serverEnd, nil); err != nil {
		t.Fatal(err)
	}
	news := make(chan string, 10)
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ResourceUpdatedHandler: func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) { news <- r.Params.URI },
	}).Connect(t.Context(), clientEnd, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	uri := resource.URI(path)
	if err := client.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}); err != nil {
		t.Fatal(err)
	}
	for _, change := range []func() error{
		func() error { return os.WriteFile(path, []byte("another text"), 0o644) },
		func() error { return os.Remove(path) },
	} {
		if err := change(); err != nil {
			t.Fatal(err)
		}
		for told := false; !told; {
			if err := client.Ping(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
			select {
			case got := <-news:
				if told = true; got != uri {
					t.Errorf("told of %s", got)
				}
			case <-time.After(10 * time.Millisecond):
			case <-t.Context().Done():
				t.Fatal("not told of a change")
			}
		}
	}
	if recorded.Load() != 1 || approved.Load() != 1 || wrapped.Load() != 1 {
		t.Errorf("%d records, %d approvals, %d calls of the middleware; want one of each, of the subscription", recorded.Load(), approved.Load(), wrapped.Load())
	}
}
