//lint:file-ignore SA1019 roots are served for clients of the revisions that have them

package mcpserver

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander"
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

// TestRootsClose checks that the part of the workspace which a session has narrowed it to is closed with the session.
func TestRootsClose(t *testing.T) {
	ts, root := openRooted(t)
	handles := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	before := handles()
	for range 10 {
		in, toServer := io.Pipe()
		fromServer, out := io.Pipe()
		ended := make(chan error, 1)
		go func() { ended <- ServeStdio(t.Context(), ts, Options{ClientRoots: true}, in, out) }()
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
	for start := time.Now(); handles() > before; time.Sleep(time.Millisecond) {
		if time.Since(start) > 5*time.Second {
			t.Fatalf("%d handles before, %d after", before, handles())
		}
	}
}

// TestManyRoots checks that a client which lists more roots than are supported is told so, and nothing is opened for it.
func TestManyRoots(t *testing.T) {
	ts, root := openRooted(t)
	clientEnd, serverEnd := mcp.NewInMemoryTransports()
	if _, err := New(ts, Options{ClientRoots: true}).Connect(t.Context(), serverEnd, nil); err != nil {
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

// TestRootsOutliveACall checks that a call which waits for the roots of its client does not fail with the call that asked
// for them.
func TestRootsOutliveACall(t *testing.T) {
	ts, root := openRooted(t)
	s := &server{ts: ts}
	options := &mcp.ServerOptions{}
	s.narrowing = &narrowing{whole: ts, parts: make(map[*mcp.ServerSession]*part)}
	clientEnd, serverEnd := mcp.NewInMemoryTransports()
	session, err := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, options).Connect(t.Context(), serverEnd, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	c.AddRoots(&mcp.Root{URI: "file://" + root + "/sub"})
	client, err := c.Connect(t.Context(), clientEnd, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	failed := &part{done: make(chan struct{}), err: context.Canceled}
	s.narrowing.parts[session] = failed
	time.AfterFunc(10*time.Millisecond, func() {
		s.narrowing.mu.Lock()
		s.narrowing.parts[session] = nil
		s.narrowing.mu.Unlock()
		close(failed.done)
	})
	narrow, err := s.narrowing.of(t.Context(), session)
	if err != nil {
		t.Fatal(err)
	}
	defer narrow.Close()
	if got := strings.Join(narrow.Roots(), " "); got != root+"/sub" {
		t.Errorf("roots %s", got)
	}
}
