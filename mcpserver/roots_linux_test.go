//lint:file-ignore SA1019 roots are served for clients of the revisions that have them

package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"io"
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
	"gander/internal/testkit/handles"
	"gander/tool"
)

// A rootedSession is a session that emulates the official server, over the directories 0 to 31.
type rootedSession struct {
	*mcp.ClientSession
	root    string
	change  func(uris ...string) // changes the roots, and notifies the server
	asked   int                  // number of requests for the roots
	handles int                  // number of open files before the session
	release chan struct{}        // calls of read_text_file wait until it is closed

	mu     sync.Mutex   // guards answer, asked and the list
	answer func() error // called before the client lists its roots
}

// answerWith makes the client call f before it lists its roots.
func (s *rootedSession) answerWith(f func() error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = f
}

// openPoller opens the descriptors with which the runtime waits, so that they do not count.
func openPoller(t *testing.T) {
	r, w, err := os.Pipe()
	testkit.Must(t, err)
	testkit.Must(t, r.SetReadDeadline(time.Time{}))
	testkit.Must(t, errors.Join(r.Close(), w.Close()))
}

// withRoots runs f with a session, and checks that its directories are closed at its end.
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
		openPoller(t)
		s.handles = handles.Count(t)
		list := new(mcp.ListRootsResult)
		client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
		client.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
			return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
				if method != "roots/list" {
					return next(ctx, method, req)
				}
				s.mu.Lock()
				s.asked++
				listed, answer := list, s.answer
				s.mu.Unlock()
				if answer == nil {
					return listed, nil
				}
				return listed, answer()
			}
		})
		s.change = func(uris ...string) {
			changed := new(mcp.ListRootsResult)
			for _, uri := range uris {
				changed.Roots = append(changed.Roots, &mcp.Root{URI: uri})
			}
			s.mu.Lock()
			list = changed
			s.mu.Unlock()
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
		if n := handles.Count(t); n > s.handles {
			t.Errorf("%d handles before the session, %d after", s.handles, n)
		}
	})
}

// changeAll changes the roots to the words of a text, where $ is the root, and waits for the effect.
func (s *rootedSession) changeAll(roots string) {
	s.change(strings.Fields(strings.ReplaceAll(roots, "$", s.root))...)
	time.Sleep(2 * time.Second)
}

func (s *rootedSession) call(t *testing.T, name string, arguments map[string]any) string {
	r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		t.Error(err)
		return ""
	}
	return strings.ReplaceAll(r.Content[0].(*mcp.TextContent).Text, s.root, "")
}

func (s *rootedSession) directories(t *testing.T) string {
	t.Helper()
	text := s.call(t, "list_allowed_directories", map[string]any{})
	_, directories, _ := strings.Cut(strings.ReplaceAll(text, "\n", " "), ": ")
	return directories
}

// TestClientRoots checks which roots a client can use: without any, those of the row before.
func TestClientRoots(t *testing.T) {
	withRoots(t, func(t *testing.T, s *rootedSession) {
		testkit.Must(t, os.Symlink("3", s.root+"/link"))
		testkit.Must(t, os.Mkdir(s.root+"/.ssh", 0o755)) // It is denied.
		testkit.Must(t, os.WriteFile(s.root+"/file", nil, 0o644))
		for _, tt := range []struct{ roots, want string }{
			{"https://example.com/ file:///etc file://$/none", ""},
			{"file://$/7", "/7"},
			{"file://$/link", "/3"},
			{"file://$/3 file://localhost$/%31", "/3 /1"},
			{"", "/3 /1"},
			{"file://$/none", "/3 /1"},
			{"file://$/file", "/3 /1"},
			{"file://$/.ssh", "/3 /1"},
			{"file:///etc", "/3 /1"},
			{"file://host$/4", "/3 /1"},
			{"https://example.com/ $/4 %zz", "/3 /1"},
			{"file://$/6 https://example.com/", "/6"},
			{"file:///etc file://$/4 file://$/none file://$/.ssh file://$/file", "/4"},
			{"file:///", ""},
			{strings.Repeat("file://$/3 ", maxRoots), strings.Repeat("/3 ", maxRoots-1) + "/3"},
			{
				strings.Repeat("file://$/5 ", 32) + "file://$/6",
				strings.Repeat("/5 ", 31) + "/5",
			},
		} {
			s.changeAll(tt.roots)
			if got := s.directories(t); got != tt.want {
				t.Errorf("%s: %q, want %q", tt.roots, got, tt.want)
			}
		}
	})
}

// TestShutRoots checks that directories that cannot be opened are left out of the roots.
func TestShutRoots(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root can open every directory")
	}
	withRoots(t, func(t *testing.T, s *rootedSession) {
		testkit.Must(t, os.Mkdir(s.root+"/shut", 0o311))
		for _, tt := range []struct{ roots, want string }{
			{"file://$/shut", errNoRoots.Error()},
			{"file://$/4 file://$/shut", "/4"},
			{"file://$/shut", errNoRoots.Error()},
			{"file:///etc", errNoRoots.Error()},
			{"file://$/5", "/5"},
		} {
			s.changeAll(tt.roots)
			if got := s.call(t, "list_allowed_directories", map[string]any{}); !strings.HasSuffix(got, tt.want) {
				t.Errorf("%s: %q, want %q", tt.roots, got, tt.want)
			}
		}
	})
}

// TestVanishedRoots checks that roots that have vanished are left out.
func TestVanishedRoots(t *testing.T) {
	root := t.TempDir()
	testkit.Must(t, os.Mkdir(root+"/d", 0o755))
	ts := testkit.Inner(testkit.Open(t, gander.Options{Roots: []string{root}}))
	roots := &clientRoots{whole: ts}
	if roots.narrow([]string{root + "/gone"}) != nil {
		t.Error("a toolset without directories")
	}
	narrowed := roots.narrow([]string{root + "/gone", root + "/d"})
	if narrowed == nil || !slices.Equal(narrowed.Roots(), []string{root + "/d"}) {
		t.Fatal("the other directory is left out")
	}
	narrowed.Close()
	roots.sessions = map[*mcp.ServerSession]*sessionRoots{nil: {calls: new(sync.WaitGroup)}}
	request := &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Arguments: []byte(`{"path":"."}`)}}
	result, err := servedTool{ts.Definitions()[0], roots}.call(t.Context(), request)
	if err != nil || !result.IsError || result.Content[0].(*mcp.TextContent).Text != errNoRoots.Error() {
		t.Errorf("%+v, %v", result, err)
	}
}

// TestRootsNotListed checks that a client keeps its roots if it answers with an error, or late.
func TestRootsNotListed(t *testing.T) {
	for name, answer := range map[string]func() error{
		"error": func() error { return errors.New("no roots") },
		"late":  func() error { time.Sleep(listTimeout + time.Second); return nil },
	} {
		t.Run(name, func(t *testing.T) {
			withRoots(t, func(t *testing.T, s *rootedSession) {
				s.change("file://" + s.root + "/1")
				time.Sleep(2 * time.Second)
				s.answerWith(answer)
				s.change("file://" + s.root + "/2")
				for range 15 {
					time.Sleep(time.Second)
					if got := s.directories(t); got != "/1" {
						t.Errorf("%q", got)
					}
				}
			})
		})
	}
}

// TestRootsPending checks that a call uses the roots that the client has notified of before, even
// after many changes, and waits for them a second at most.
func TestRootsPending(t *testing.T) {
	withRoots(t, func(t *testing.T, s *rootedSession) {
		check := func(want string) {
			t.Helper()
			synctest.Wait() // The notification arrives.
			start := time.Now()
			if got := s.directories(t); got != want {
				t.Errorf("%q, want %q", got, want)
			}
			if took := time.Since(start); took > pendingTimeout {
				t.Errorf("a call took %v", took)
			}
		}
		for range 2 {
			for i := range maxRoots {
				s.change(fmt.Sprintf("file://%s/%d", s.root, i))
				time.Sleep(time.Duration(i%3) * pendingTimeout / 10)
				check(fmt.Sprint("/", i))
			}
			for i := range maxRoots {
				s.change(fmt.Sprintf("file://%s/%d", s.root, i))
			}
			check(fmt.Sprint("/", maxRoots-1))
		}
		s.answerWith(func() error { time.Sleep(2 * pendingTimeout); return nil })
		s.change("file://" + s.root + "/1")
		check(fmt.Sprint("/", maxRoots-1))
		time.Sleep(2 * pendingTimeout)
		check("/1")
	})
}

// TestRootsChange checks that a client that keeps changing its roots holds few directories open,
// that a call in flight keeps those that it uses, and that the client is not asked too often.
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
		for i := range 300 {
			s.change(slices.Concat(all[i%maxRoots:], all[:i%maxRoots])...)
			time.Sleep(time.Second / 10)
			synctest.Wait()
			most = max(most, handles.Count(t)-s.handles)
		}
		if limit := 8 + 2 + int(time.Since(begin)/(time.Second/2)); s.asked > limit {
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

// TestRootsAfterProbe checks that a client is asked for its roots if it gives up server/discover.
func TestRootsAfterProbe(t *testing.T) {
	ts := testkit.Open(t, gander.Options{Roots: []string{t.TempDir()}, Tools: []string{"filesystem"}})
	session := startStdio(t.Context(), New(ts, nil))
	send := func(sent, want string) {
		go io.WriteString(session, sent)
		if line := <-session.lines; !strings.Contains(line, want) {
			t.Errorf("%q, want %s", line, want)
		}
	}
	send(`{"jsonrpc":"2.0","id":9,"method":"server/discover","params":{`+modernMeta+"}}\n", `"id":9,`)
	send(strings.Replace(opening, `"capabilities":{}`, `"capabilities":{"roots":{}}`, 1), `"id":0,`)
	send(initialized+"\n"+`{"jsonrpc":"2.0","id":10,"method":"tools/call",`+
		`"params":{"name":"list_allowed_directories","arguments":{}}}`+"\n", `"roots/list"`)
	session.Close()
	testkit.Must(t, <-session.ended)
}
