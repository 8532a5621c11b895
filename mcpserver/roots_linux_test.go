//lint:file-ignore SA1019 roots are served for clients of the revisions that have them

package mcpserver

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander"
	"gander/internal/testkit"
	"gander/tool"
)

// openDirectories opens tools over a directory with the given number of subdirectories.
func openDirectories(t *testing.T, n int, more ...tool.Tool) (ts *gander.Toolset, root string) {
	t.Helper()
	root = t.TempDir()
	for i := range n {
		testkit.Must(t, os.Mkdir(fmt.Sprintf("%s/%d", root, i), 0o755))
	}
	names := []string{"toolkit/tree"}
	for _, added := range more {
		names = append(names, added.Spec().ID)
	}
	ts = testkit.Open(t, gander.Options{
		Roots: []string{root}, Tools: names, ExtraTools: more,
		Limits: gander.Limits{Timeout: -1},
	})
	return ts, root
}

// newRooted returns a client whose roots are subdirectories of root.
func newRooted(root string, n int) *mcp.Client {
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	for i := range n {
		client.AddRoots(&mcp.Root{URI: fmt.Sprintf("file://%s/%d", root, i)})
	}
	return client
}

// connect returns the session of a client with a new server, and the server's session.
func connect(t *testing.T, ts *gander.Toolset, client *mcp.Client) (
	session *mcp.ClientSession, server *mcp.ServerSession,
) {
	t.Helper()
	clientEnd, serverEnd := mcp.NewInMemoryTransports()
	server, err := New(ts, &Options{ClientRoots: true}).Connect(t.Context(), serverEnd, nil)
	testkit.Must(t, err)
	revision := &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"}
	session, err = client.Connect(t.Context(), clientEnd, revision)
	testkit.Must(t, err)
	return session, server
}

// callText calls a tool and returns the text of the result.
func callText(t *testing.T, session *mcp.ClientSession, name string) (text string, isError bool) {
	t.Helper()
	params := &mcp.CallToolParams{Name: name, Arguments: map[string]any{"path": "."}}
	r, err := session.CallTool(t.Context(), params)
	if err != nil {
		t.Error(err)
		return "", true
	}
	return r.Content[0].(*mcp.TextContent).Text, r.IsError
}

// TestRootsClose checks that the restricted workspace of a session is closed with the session.
func TestRootsClose(t *testing.T) {
	ts, root := openDirectories(t, 1)
	before := openHandles(t)
	for range 10 {
		session, server := connect(t, ts, newRooted(root, 1))
		if text, failed := callText(t, session, "tree"); failed {
			t.Fatal(text)
		}
		session.Close()
		_ = server.Wait()
	}
	for start := time.Now(); openHandles(t) > before; time.Sleep(time.Millisecond) {
		if time.Since(start) > 5*time.Second {
			t.Fatalf("%d handles before, %d after", before, openHandles(t))
		}
	}
}

// TestManyRoots checks that calls fail if the client has too many roots.
func TestManyRoots(t *testing.T) {
	ts, root := openDirectories(t, 0)
	session, _ := connect(t, ts, newRooted(root, maxRoots+1))
	defer session.Close()
	const want = "33 roots; at most 32 are supported"
	if text, failed := callText(t, session, "tree"); !failed || !strings.Contains(text, want) {
		t.Errorf("%v, %s", failed, text)
	}
}

// TestRootsChange checks that a client that keeps changing its roots holds few directories open,
// that a call in flight keeps the directories that it uses, and that the client is not asked too
// often.
func TestRootsChange(t *testing.T) {
	const roots, changes = 32, 60
	synctest.Test(t, func(t *testing.T) {
		started, release := make(chan struct{}), make(chan struct{})
		wait := func(context.Context, tool.Call) (tool.Result, error) {
			close(started)
			<-release
			return tool.Result{Parts: tool.Text("waited")}, nil
		}
		ts, root := openDirectories(t, roots, fake("test/wait", "wait", wait))
		var asked int
		client := newRooted(root, roots)
		client.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
			return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
				if method == "roots/list" {
					asked++
				}
				return next(ctx, method, req)
			}
		})
		session, server := connect(t, ts, client)
		before := openHandles(t)
		answered := make(chan string)
		go func() {
			text, _ := callText(t, session, "wait")
			answered <- text
		}()
		<-started
		maximum := 0
		begin := time.Now()
		for range changes {
			client.AddRoots(&mcp.Root{URI: fmt.Sprintf("file://%s/0", root)})
			if text, failed := callText(t, session, "tree"); failed {
				t.Error(text)
			}
			maximum = max(maximum, openHandles(t)-before)
		}
		if limit := changeBurst + 2 + int(time.Since(begin)/time.Second); asked > limit {
			t.Errorf("asked %d times, more than %d", asked, limit)
		}
		if used := openHandles(t) - before; maximum > 4*roots || used < 2*roots {
			t.Errorf("at most %d handles, %d at the end of the changes", maximum, used)
		}
		close(release)
		if text := <-answered; text != "waited" {
			t.Error(text)
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
	testkit.Must(t, err)
	return len(entries)
}
