//lint:file-ignore SA1019 roots are served for clients of the revisions that have them

package mcpserver

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander"
	"gander/internal/testkit"
	"gander/tool"
)

// A rootedSession is a session with a server that emulates the official one, over a directory with
// the subdirectories 0 to 31.
type rootedSession struct {
	*mcp.ClientSession
	client  *mcp.Client
	root    string
	uris    []string // of the roots that the client lists
	asked   int      // number of requests for the roots
	handles int      // number of open files before the session
}

// newRooted starts a session. Calls of read_text_file wait until wait is closed.
func newRooted(t *testing.T, wait <-chan struct{}) *rootedSession {
	t.Helper()
	s := &rootedSession{root: t.TempDir()}
	for i := range maxRoots {
		testkit.Must(t, os.Mkdir(fmt.Sprintf("%s/%d", s.root, i), 0o755))
	}
	ts := testkit.Open(t, gander.Options{
		Roots: []string{s.root}, Tools: []string{"filesystem"}, Limits: gander.Limits{Timeout: -1},
		Middleware: []tool.Middleware{func(spec tool.Spec, next tool.Handler) tool.Handler {
			return func(ctx context.Context, c tool.Call) (tool.Result, error) {
				if spec.Name == "read_text_file" {
					<-wait
				}
				return next(ctx, c)
			}
		}},
	})
	s.handles = openHandles(t)
	s.client = mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	s.client.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if method != "roots/list" {
				return next(ctx, method, req)
			}
			s.asked++
			list := new(mcp.ListRootsResult)
			for _, uri := range s.uris {
				list.Roots = append(list.Roots, &mcp.Root{URI: uri})
			}
			return list, nil
		}
	})
	clientEnd, serverEnd := mcp.NewInMemoryTransports()
	_, err := New(ts, nil).Connect(t.Context(), serverEnd, nil)
	testkit.Must(t, err)
	revision := &mcp.ClientSessionOptions{ProtocolVersion: lastHandshake}
	s.ClientSession, err = s.client.Connect(t.Context(), clientEnd, revision)
	testkit.Must(t, err)
	return s
}

// change changes the roots, and notifies the server.
func (s *rootedSession) change(uris ...string) {
	s.uris = uris
	s.client.AddRoots(&mcp.Root{URI: "file:///notified"})
}

// directories returns the directories of the session, relative to the root.
func (s *rootedSession) directories(t *testing.T) string {
	t.Helper()
	params := &mcp.CallToolParams{Name: "list_allowed_directories", Arguments: map[string]any{}}
	r, err := s.CallTool(t.Context(), params)
	testkit.Must(t, err)
	lines := strings.Split(r.Content[0].(*mcp.TextContent).Text, "\n")[1:]
	return strings.ReplaceAll(strings.Join(lines, " "), s.root, "")
}

// finish ends a session, and checks that its directories are closed.
func (s *rootedSession) finish(t *testing.T) {
	t.Helper()
	s.Close()
	synctest.Wait()
	if n := openHandles(t); n > s.handles {
		t.Errorf("%d handles before the session, %d after", s.handles, n)
	}
}

// TestClientRoots checks which directories a client with roots can use.
func TestClientRoots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newRooted(t, nil)
		for _, tt := range []struct{ roots, want string }{
			{"file://$/7", "/7"},
			{"file://$/3 file://localhost$/%31", "/3 /1"},
			{"file:///", ""},
			{"file://$/3", "/3"},
			{"", ""},
			{"file:///etc file://$/3 file://host$/4 file://$/none", "/3"},
			{"file:///etc", ""},
			{"file://$/3 https://example.com/", ""},
			{strings.Repeat("file://$/3 ", maxRoots), strings.Repeat("/3 ", maxRoots-1) + "/3"},
			{strings.Repeat("file://$/3 ", maxRoots+1), ""},
		} {
			s.change(strings.Fields(strings.ReplaceAll(tt.roots, "$", s.root))...)
			time.Sleep(2 * time.Second) // It takes effect.
			if got := s.directories(t); got != tt.want {
				t.Errorf("%s: %q, want %q", tt.roots, got, tt.want)
			}
		}
		s.finish(t)
	})
}

// TestRootsChange checks that a client that keeps changing its roots holds few directories open,
// that a call in flight keeps the directories that it uses, and that the client is not asked too
// often.
func TestRootsChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		s := newRooted(t, release)
		var all []string
		for i := range maxRoots {
			all = append(all, fmt.Sprintf("file://%s/%d", s.root, i))
		}
		s.change(all...)
		synctest.Wait()
		answered := make(chan string)
		go func() {
			params := &mcp.CallToolParams{
				Name: "read_text_file", Arguments: map[string]any{"path": s.root + "/0"},
			}
			r, _ := s.CallTool(t.Context(), params)
			answered <- r.Content[0].(*mcp.TextContent).Text
		}()
		begin, most := time.Now(), 0
		for i := range 600 {
			s.change(slices.Concat(all[i%maxRoots:], all[:i%maxRoots])...)
			time.Sleep(time.Second / 10)
			synctest.Wait()
			most = max(most, openHandles(t)-s.handles)
		}
		if limit := changeBurst + 2 + int(time.Since(begin)/time.Second); s.asked > limit {
			t.Errorf("asked %d times, more than %d", s.asked, limit)
		}
		if most < 2*maxRoots || most > 4*maxRoots {
			t.Errorf("%d handles are open", most)
		}
		close(release)
		if text := <-answered; !strings.Contains(text, "EISDIR") {
			t.Error(text)
		}
		s.finish(t)
	})
}

func openHandles(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	testkit.Must(t, err)
	return len(entries)
}
