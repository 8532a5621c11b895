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
	// maxRoots is the maximum number of roots of a client. Further ones are ignored.
	maxRoots = 32
	// listTimeout is the maximum time for a client to list its roots.
	listTimeout = 10 * time.Second
	// pendingTimeout is the time after a change of the roots in which calls wait for it to take
	// effect.
	pendingTimeout = time.Second
	// changeBurst is the number of changes of a client's roots that take effect immediately.
	// Further changes are joined, and take effect at most once per changeInterval, which is shorter
	// than calls wait.
	changeBurst    = 8
	changeInterval = pendingTimeout / 2
)

// clientRoots restricts the workspace of each session to the roots of its client, if it has any. It
// requests them after the handshake and after each change. If none of them can be used, or the
// client does not list them, calls use the previous ones: the whole workspace only if the client has
// never had a root in it.
type clientRoots struct {
	whole *toolset.Toolset

	mu       sync.Mutex // guards sessions, and the sessionRoots in it
	sessions map[*mcp.ServerSession]*sessionRoots
}

// A sessionRoots is a session whose client has roots.
type sessionRoots struct {
	*mcp.ServerSession
	changed chan struct{} // has a value if the roots have changed; closed at the end
	ts      *toolset.Toolset
	calls   *sync.WaitGroup // the calls that use ts

	changes int           // number of changes, including the handshake
	last    time.Time     // time of the last change
	applied chan struct{} // closed when all changes have taken effect
}

// use returns the toolset of a session, until release is called. It first waits for a change of the
// roots to take effect.
func (r *clientRoots) use(ctx context.Context, session *mcp.ServerSession) (
	ts *toolset.Toolset, release func(),
) {
	r.mu.Lock()
	s := r.sessions[session]
	if s == nil {
		r.mu.Unlock()
		return r.whole, func() {}
	}
	applied, wait := s.applied, time.Until(s.last.Add(pendingTimeout))
	r.mu.Unlock()
	select {
	case <-applied:
	case <-time.After(wait):
	case <-ctx.Done():
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	s.calls.Add(1)
	return s.ts, s.calls.Done
}

// begin handles the end of a handshake. The SDK does not handle the next message before it returns.
func (r *clientRoots) begin(_ context.Context, req *mcp.InitializedRequest) {
	p := req.Session.InitializeParams()
	if p.ProtocolVersion >= modern || p.Capabilities == nil || p.Capabilities.RootsV2 == nil {
		return
	}
	none := make(chan struct{})
	close(none)
	s := &sessionRoots{
		ServerSession: req.Session, changed: make(chan struct{}, 1), applied: none,
		ts: r.whole, calls: new(sync.WaitGroup),
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sessions[req.Session] = s
	s.change()
	ctx, end := context.WithCancel(context.Background())
	go func() {
		_ = s.Wait() // The reason does not matter.
		end()
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.sessions, s.ServerSession)
		close(s.changed)
	}()
	go func() {
		changes := rate.NewLimiter(rate.Every(changeInterval), changeBurst)
		for range s.changed {
			if changes.Wait(ctx) == nil {
				r.open(ctx, s)
			}
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.replace(s, s.ts) // closes it; calls that still wait fail, and do not get the whole workspace
	}()
}

// change handles a change of a client's roots.
func (r *clientRoots) change(_ context.Context, req *mcp.RootsListChangedRequest) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s := r.sessions[req.Session]; s != nil {
		s.change()
	}
}

// change makes calls wait for the new roots, and the session request them.
func (s *sessionRoots) change() {
	select {
	case <-s.applied:
		s.applied = make(chan struct{})
	default:
	}
	s.changes++
	s.last = time.Now()
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

// open asks the client for its roots and opens their intersection with the workspace. A file system
// that does not respond blocks only the goroutine of this session.
func (r *clientRoots) open(ctx context.Context, s *sessionRoots) {
	r.mu.Lock()
	changes := s.changes
	select {
	case <-s.changed: // This request is for that change too.
	default:
	}
	r.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, listTimeout)
	defer cancel()
	var ts *toolset.Toolset
	if list, err := s.ListRoots(ctx, nil); err == nil {
		ts = r.restrict(list.Roots)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if ts != nil {
		r.replace(s, ts)
	}
	if s.changes == changes {
		close(s.applied)
	}
}

// replace replaces the toolset of a session, and closes it when no call uses it.
func (r *clientRoots) replace(s *sessionRoots, ts *toolset.Toolset) {
	old, calls := s.ts, s.calls
	s.ts, s.calls = ts, new(sync.WaitGroup)
	go func() {
		calls.Wait()
		if old != r.whole {
			old.Close()
		}
	}()
}

// restrict returns the toolset over the intersection of the workspace and the roots of a client, or
// nil if there is none that can be used.
func (r *clientRoots) restrict(roots []*mcp.Root) *toolset.Toolset {
	var dirs []string
	for _, root := range roots[:min(len(roots), maxRoots)] {
		dirs = append(dirs, r.directories(root)...)
	}
	if len(dirs) == 0 {
		return nil
	}
	ts, err := r.whole.Narrow(dirs...)
	if err != nil {
		return nil
	}
	return ts
}

// directories returns the directories of the workspace that a root stands for: itself, or those
// below it.
func (r *clientRoots) directories(root *mcp.Root) (dirs []string) {
	if root == nil {
		return nil
	}
	dir, ok := filePath(root.URI)
	if !ok {
		return nil
	}
	if real, ok := r.real(dir); ok {
		return []string{real}
	}
	for _, own := range r.whole.Roots() {
		real, ok := r.real(own)
		_, below := paths.Below(dir, own)
		_, realBelow := paths.Below(dir, real)
		if ok && (below || realBelow) {
			dirs = append(dirs, real)
		}
	}
	return dirs
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
	if err != nil || u.Scheme != "file" {
		return "", false
	}
	if u.Host != "" && u.Host != "localhost" {
		return "", false
	}
	path = filepath.FromSlash(u.Path)
	if drive := strings.TrimPrefix(path, `\`); filepath.VolumeName(drive) != "" { // on Windows
		path = drive
	}
	return filepath.Clean(path), filepath.IsAbs(path)
}
