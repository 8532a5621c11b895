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
	// listTimeout is the maximum time for a client to list its roots.
	listTimeout = 10 * time.Second
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

	mu       sync.Mutex // guards sessions, and the toolsets in it
	sessions map[*mcp.ServerSession]*sessionRoots
}

// A sessionRoots is a session whose client has roots.
type sessionRoots struct {
	*mcp.ServerSession
	changed chan struct{} // has a value if the roots have changed; closed at the end
	ts      *toolset.Toolset
	calls   *sync.WaitGroup // that use ts
}

// use returns the toolset of a session, until release is called.
func (r *clientRoots) use(session *mcp.ServerSession) (ts *toolset.Toolset, release func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.sessions[session]
	if s == nil {
		return r.whole, func() {}
	}
	s.calls.Add(1)
	return s.ts, s.calls.Done
}

// begin handles the end of a handshake. The SDK does not handle the next message before it returns.
func (r *clientRoots) begin(_ context.Context, req *mcp.InitializedRequest) {
	p := req.Session.InitializeParams()
	if p.ProtocolVersion >= modern || p.Capabilities == nil || p.Capabilities.RootsV2 == nil {
		return
	}
	s := &sessionRoots{req.Session, make(chan struct{}, 1), r.whole, new(sync.WaitGroup)}
	r.mu.Lock()
	r.sessions[req.Session] = s
	r.mu.Unlock()
	ctx, end := context.WithCancel(context.Background())
	go func() {
		_ = s.Wait() // The reason does not matter.
		end()
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.sessions, s.ServerSession)
		close(s.changed)
	}()
	first := make(chan struct{})
	go func() {
		r.open(ctx, s)
		close(first)
		changes := rate.NewLimiter(1, changeBurst)
		for range s.changed {
			if changes.Wait(ctx) == nil {
				r.open(ctx, s)
			}
		}
		r.replace(s, r.whole)
	}()
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

// open asks the client for its roots and opens their intersection with the workspace. A file system
// that does not respond blocks only the goroutine of this session.
func (r *clientRoots) open(ctx context.Context, s *sessionRoots) {
	ctx, cancel := context.WithTimeout(ctx, listTimeout)
	defer cancel()
	ts := r.whole
	if list, err := s.ListRoots(ctx, nil); err == nil {
		ts = r.restrict(list.Roots)
	}
	r.replace(s, ts)
}

// replace replaces the toolset of a session, and closes it when no call uses it.
func (r *clientRoots) replace(s *sessionRoots, ts *toolset.Toolset) {
	r.mu.Lock()
	defer r.mu.Unlock()
	old, calls := s.ts, s.calls
	s.ts, s.calls = ts, new(sync.WaitGroup)
	go func() {
		if calls.Wait(); old != r.whole {
			old.Close()
		}
	}()
}

// restrict returns the toolset over the intersection of the workspace and the roots of a client, or
// the whole workspace without roots, or if a root is not a file URI.
func (r *clientRoots) restrict(roots []*mcp.Root) *toolset.Toolset {
	var dirs []string
	for _, root := range roots {
		if len(roots) > maxRoots || !strings.HasPrefix(root.URI, "file://") {
			return r.whole
		}
		dir, ok := filePath(root.URI)
		if !ok {
			continue
		}
		if real, ok := r.real(dir); ok {
			dirs = append(dirs, real)
			continue
		}
		for _, own := range r.whole.Roots() {
			real, ok := r.real(own)
			_, below := paths.Below(dir, own)
			_, realBelow := paths.Below(dir, real)
			if ok && (below || realBelow) {
				dirs = append(dirs, real)
			}
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

// real returns the path of a directory in the workspace without symlinks.
func (r *clientRoots) real(dir string) (path string, ok bool) {
	location, err := r.whole.Find(dir)
	if err == nil {
		location, err = location.Resolve()
	}
	if err != nil {
		return "", false
	}
	return location.Absolute(), true
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
