//lint:file-ignore SA1019 roots are served for clients of the revisions that have them

package mcpserver

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander"
	"gander/tool"
)

// openRooted opens a toolset over a directory with a subdirectory, whose clients may narrow it.
func openRooted(t *testing.T) (*gander.Toolset, string) {
	t.Helper()
	root := t.TempDir()
	if err := os.Mkdir(root+"/sub", 0o755); err != nil {
		t.Fatal(err)
	}
	ts, err := gander.Open(gander.Options{Roots: []string{root}, Tools: []string{"toolkit/tree"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ts.Close() })
	return ts, root
}

// TestRootsClose checks that the part of the workspace which a session has narrowed it to is closed
// with the session.
func TestRootsClose(t *testing.T) {
	ts, root := openRooted(t)
	before := openHandles(t)
	for range 10 {
		in, toServer := io.Pipe()
		fromServer, out := io.Pipe()
		ended := make(chan error, 1)
		go func() { ended <- ServeStdio(t.Context(), New(ts, &Options{ClientRoots: true}), in, out) }()
		client := &mcp.IOTransport{Reader: fromServer, Writer: toServer}
		c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
		c.AddRoots(&mcp.Root{URI: "file://" + root + "/sub"})
		session, err := c.Connect(t.Context(), client, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
		if err != nil {
			t.Fatal(err)
		}
		if r, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "tree", Arguments: map[string]any{"path": "."}}); err != nil || r.IsError {
			t.Fatalf("%v, %v", r, err)
		}
		session.Close()
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
	}
	for start := time.Now(); openHandles(t) > before; time.Sleep(time.Millisecond) {
		if time.Since(start) > 5*time.Second {
			t.Fatalf("%d handles before, %d after", before, openHandles(t))
		}
	}
}

// TestManyRoots checks that a client which lists more roots than are supported is told so, and
// nothing is opened for it.
func TestManyRoots(t *testing.T) {
	ts, root := openRooted(t)
	clientEnd, serverEnd := mcp.NewInMemoryTransports()
	if _, err := New(ts, &Options{ClientRoots: true}).Connect(t.Context(), serverEnd, nil); err != nil {
		t.Fatal(err)
	}
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	for i := range maxRoots + 1 {
		c.AddRoots(&mcp.Root{URI: fmt.Sprintf("file://%s/%d", root, i)})
	}
	client, err := c.Connect(t.Context(), clientEnd, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	r, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "tree", Arguments: map[string]any{"path": "."}})
	if err != nil || !r.IsError || !strings.Contains(r.Content[0].(*mcp.TextContent).Text, "33 roots; at most 32 are supported") {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestRootsChange checks that a client which changes its roots again and again holds the
// directories of few of them open, that a call in flight keeps those that it uses, and how often
// the client is asked.
func TestRootsChange(t *testing.T) {
	const roots, changes = 32, 60
	root := t.TempDir()
	for i := range roots {
		if err := os.Mkdir(fmt.Sprintf("%s/%d", root, i), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	synctest.Test(t, func(t *testing.T) {
		started, release := make(chan struct{}), make(chan struct{})
		wait := fake("test/wait", "wait", func(context.Context, tool.Call) (tool.Result, error) {
			close(started)
			<-release
			return tool.Result{Parts: tool.Text("waited")}, nil
		})
		ts, err := gander.Open(gander.Options{
			Roots: []string{root}, Tools: []string{"toolkit/tree", "test"}, ExtraTools: []tool.Tool{wait},
			Limits: gander.Limits{Timeout: -1},
		})
		if err != nil {
			t.Fatal(err)
		}
		defer ts.Close()
		var asked int
		client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
		client.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
			return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
				if method == "roots/list" {
					asked++
				}
				return next(ctx, method, req)
			}
		})
		for i := range roots {
			client.AddRoots(&mcp.Root{URI: fmt.Sprintf("file://%s/%d", root, i)})
		}
		clientEnd, serverEnd := mcp.NewInMemoryTransports()
		server, err := New(ts, &Options{ClientRoots: true}).Connect(t.Context(), serverEnd, nil)
		if err != nil {
			t.Fatal(err)
		}
		session, err := client.Connect(t.Context(), clientEnd, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
		if err != nil {
			t.Fatal(err)
		}
		before := openHandles(t)
		answered := make(chan error)
		go func() {
			r, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "wait"})
			if err == nil && r.IsError {
				err = fmt.Errorf("%v", r.Content)
			}
			answered <- err
		}()
		<-started
		most := 0
		begin := time.Now()
		for range changes {
			client.AddRoots(&mcp.Root{URI: fmt.Sprintf("file://%s/0", root)})
			r, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "tree", Arguments: map[string]any{"path": "."}})
			if err != nil || r.IsError {
				t.Errorf("%v, %v", r, err)
			}
			most = max(most, openHandles(t)-before)
		}
		if limit := changeBurst + 2 + int(time.Since(begin)/time.Second); asked > limit {
			t.Errorf("asked %d times, more than %d", asked, limit)
		}
		if used := openHandles(t) - before; most > 4*roots || used < 2*roots {
			t.Errorf("at most %d handles, %d at the end of the changes", most, used)
		}
		close(release)
		if err := <-answered; err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if left := openHandles(t) - before; left > roots+4 {
			t.Errorf("%d handles are in use without a call", left)
		}
		session.Close()
		_ = server.Wait()
	})
}

func openHandles(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}
