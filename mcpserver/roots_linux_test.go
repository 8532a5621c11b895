//lint:file-ignore SA1019 roots are served for clients of the revisions that have them

package mcpserver

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
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
	root    string
	change  func(uris ...string) // changes the roots, and notifies the server
	asked   int                  // number of requests for the roots
	handles int                  // number of open files before the session
	release chan struct{}        // calls of read_text_file wait until it is closed
}

// withRoots runs f with a session, and checks that the directories of the session are closed at its
// end.
func withRoots(t *testing.T, f func(*testing.T, *rootedSession)) {
	synctest.Test(t, func(t *testing.T) {
		s := &rootedSession{root: t.TempDir(), release: make(chan struct{})}
		for i := range maxRoots {
			testkit.Must(t, os.Mkdir(fmt.Sprintf("%s/%d", s.root, i), 0o755))
		}
		ts := testkit.Open(t, gander.Options{
			Roots: []string{s.root}, Tools: []string{"filesystem"}, Limits: gander.Limits{Timeout: -1},
			Middleware: []tool.Middleware{func(spec tool.Spec, next tool.Handler) tool.Handler {
				return func(ctx context.Context, c tool.Call) (tool.Result, error) {
					if spec.Name == "read_text_file" {
						<-s.release
					}
					return next(ctx, c)
				}
			}},
		})
		s.handles = openHandles(t)
		var mu sync.Mutex // guards list and s.asked
		list := new(mcp.ListRootsResult)
		client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
		client.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
			return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
				if method != "roots/list" {
					return next(ctx, method, req)
				}
				mu.Lock()
				defer mu.Unlock()
				s.asked++
				return list, nil
			}
		})
		s.change = func(uris ...string) {
			changed := new(mcp.ListRootsResult)
			for _, uri := range uris {
				changed.Roots = append(changed.Roots, &mcp.Root{URI: uri})
			}
			mu.Lock()
			list = changed
			mu.Unlock()
			client.AddRoots(&mcp.Root{URI: "file:///notified"})
		}
		clientEnd, serverEnd := mcp.NewInMemoryTransports()
		_, err := New(ts, nil).Connect(t.Context(), serverEnd, nil)
		testkit.Must(t, err)
		s.ClientSession, err = client.Connect(t.Context(), clientEnd,
			&mcp.ClientSessionOptions{ProtocolVersion: lastHandshake})
		testkit.Must(t, err)
		f(t, s)
		s.Close()
		synctest.Wait()
		if n := openHandles(t); n > s.handles {
			t.Errorf("%d handles before the session, %d after", s.handles, n)
		}
	})
}

// call returns the text of the result of a call.
func (s *rootedSession) call(t *testing.T, name string, arguments map[string]any) string {
	r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		t.Error(err)
		return ""
	}
	return strings.ReplaceAll(r.Content[0].(*mcp.TextContent).Text, s.root, "")
}

// TestClientRoots checks which directories a client with roots can use.
func TestClientRoots(t *testing.T) {
	withRoots(t, func(t *testing.T, s *rootedSession) {
		testkit.Must(t, os.Symlink("3", s.root+"/link"))
		for _, tt := range []struct{ roots, want string }{
			{"file://$/7", "/7"},
			{"file://$/link", "/3"},
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
			text := s.call(t, "list_allowed_directories", map[string]any{})
			_, got, _ := strings.Cut(strings.ReplaceAll(text, "\n", " "), ": ")
			if got != tt.want {
				t.Errorf("%s: %q, want %q", tt.roots, got, tt.want)
			}
		}
	})
}

// TestRootsChange checks that a client that keeps changing its roots holds few directories open,
// that a call in flight keeps the directories that it uses, and that the client is not asked too
// often.
func TestRootsChange(t *testing.T) {
	withRoots(t, func(t *testing.T, s *rootedSession) {
		var all []string
		for i := range maxRoots {
			all = append(all, fmt.Sprintf("file://%s/%d", s.root, i))
		}
		s.change(all...)
		synctest.Wait()
		answered := make(chan string)
		go func() {
			answered <- s.call(t, "read_text_file", map[string]any{"path": s.root + "/0"})
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
		close(s.release)
		if text := <-answered; !strings.Contains(text, "EISDIR") {
			t.Error(text)
		}
	})
}

func openHandles(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	testkit.Must(t, err)
	return len(entries)
}
