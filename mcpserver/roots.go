//lint:file-ignore SA1019 clients of the revisions that have roots are served as well

package mcpserver

import (
	"context"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/time/rate"

	"gander/internal/paths"
	"gander/internal/toolset"
)

const (
	// maxRoots is the maximum number of roots of a client.
	maxRoots = 32
	// openTimeout is the maximum time to list and open the roots of a client.
	openTimeout = 10 * time.Second
	// firstTimeout is the maximum time that a session waits for the first roots of its client.
	firstTimeout = time.Second
	// changeBurst is the number of changes of a client's roots that take effect immediately.
	// Further changes take effect at a rate of one per second.
	changeBurst = 8
)

// clientRoots restricts the workspace of each session to the roots of its client, if it has any. It
// requests them after the handshake and after each change. While they are opened, calls use the
// previous roots. If the roots cannot be used, calls use the whole workspace.
type clientRoots struct {
	whole *toolset.Toolset

	mu       sync.Mutex // guards sessions and the views in it
	sessions map[*mcp.ServerSession]*sessionRoots
}

// sessionRoots holds the roots of the client of a session.
type sessionRoots struct {
	changed chan struct{} // has a value if they have changed
	view    *view
}

// A view is the whole workspace, or a toolset restricted to the roots of a client.
type view struct {
	ts    *toolset.Toolset
	calls sync.WaitGroup // that use ts
}

// use returns the toolset of a session, until release is called.
func (r *clientRoots) use(session *mcp.ServerSession) (ts *toolset.Toolset, release func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.sessions[session]
	if s == nil {
		return r.whole, func() {}
	}
	s.view.calls.Add(1)
	return s.view.ts, s.view.calls.Done
}

func (r *clientRoots) listen(o *mcp.ServerOptions) {
	o.InitializedHandler = r.begin
	o.RootsListChangedHandler = r.change
}

// begin handles the end of a handshake. The SDK does not handle the next message before it returns.
func (r *clientRoots) begin(_ context.Context, req *mcp.InitializedRequest) {
	p := req.Session.InitializeParams()
	if p.ProtocolVersion >= modern || p.Capabilities == nil || p.Capabilities.RootsV2 == nil {
		return
	}
	s := &sessionRoots{changed: make(chan struct{}, 1), view: &view{ts: r.whole}}
	r.mu.Lock()
	r.sessions[req.Session] = s
	r.mu.Unlock()
	first := make(chan struct{})
	go r.follow(req.Session, s, first)
	select {
	case <-first:
	case <-time.After(firstTimeout):
	}
}

// change handles a change of a client's roots.
func (r *clientRoots) change(_ context.Context, req *mcp.RootsListChangedRequest) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s := r.sessions[req.Session]; s != nil {
		select {
		case s.changed <- struct{}{}:
		default:
		}
	}
}

// follow opens the roots of a client, and again after each change, until the session ends. It
// closes first when it has opened them once.
func (r *clientRoots) follow(session *mcp.ServerSession, s *sessionRoots, first chan<- struct{}) {
	ctx, end := context.WithCancel(context.Background())
	go func() {
		_ = session.Wait() // The reason does not matter.
		end()
	}()
	r.open(ctx, session, s)
	close(first)
	changes := rate.NewLimiter(1, changeBurst)
	for ctx.Err() == nil {
		select {
		case <-s.changed:
			if changes.Wait(ctx) == nil {
				r.open(ctx, session, s)
			}
		case <-ctx.Done():
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.sessions, session)
	r.replace(s, r.whole)
}

// open asks the client for its roots and opens their intersection with the workspace, within the
// limits of calls.
func (r *clientRoots) open(ctx context.Context, session *mcp.ServerSession, s *sessionRoots) {
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	list, err := session.ListRoots(ctx, nil)
	if err == nil {
		_, err = toolset.Run(ctx, r.whole, func(ctx context.Context) (struct{}, error) {
			ts := r.restrict(list.Roots)
			r.mu.Lock()
			defer r.mu.Unlock()
			if err := ctx.Err(); err != nil { // Run may have returned.
				r.close(ts)
				return struct{}{}, err
			}
			r.replace(s, ts)
			return struct{}{}, nil
		})
	}
	if err != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.replace(s, r.whole)
	}
}

// replace replaces a view, and closes it when no call uses it. The caller holds the mutex.
func (r *clientRoots) replace(s *sessionRoots, ts *toolset.Toolset) {
	old := s.view
	s.view = &view{ts: ts}
	go func() {
		old.calls.Wait()
		r.close(old.ts)
	}()
}

func (r *clientRoots) close(ts *toolset.Toolset) {
	if ts != r.whole {
		ts.Close()
	}
}

// restrict returns the toolset over the intersection of the workspace and the roots of a client. It
// returns the whole workspace if there is none, or if a root is not a file URI.
func (r *clientRoots) restrict(roots []*mcp.Root) *toolset.Toolset {
	var dirs []string
	for _, root := range roots {
		if len(roots) > maxRoots || !strings.HasPrefix(root.URI, "file://") {
			return r.whole
		}
		if dir, ok := filePath(root.URI); ok {
			dirs = append(dirs, r.common(dir)...)
		}
	}
	if len(dirs) == 0 {
		return r.whole
	}
	ts, err := r.whole.Narrow(dirs...)
	if err != nil {
		return r.whole
	}
	return ts
}

// common returns the directories in both dir and the workspace, without symlinks: dir itself, or
// the roots in dir.
func (r *clientRoots) common(dir string) (dirs []string) {
	if real, err := r.whole.Resolve(dir); err == nil {
		return []string{real}
	}
	for _, root := range r.whole.Roots() {
		real, err := r.whole.Resolve(root)
		_, has := paths.Below(dir, root)
		_, hasReal := paths.Below(dir, real)
		if err == nil && (has || hasReal) {
			dirs = append(dirs, real)
		}
	}
	return dirs
}

// filePath returns the path of a file URI.
func filePath(uri string) (path string, ok bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" {
		return "", false
	}
	path = filepath.FromSlash(u.Path)
	if drive := strings.TrimPrefix(path, `\`); filepath.VolumeName(drive) != "" { // on Windows
		path = drive
	}
	return filepath.Clean(path), filepath.IsAbs(path)
}
