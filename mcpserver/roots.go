//lint:file-ignore SA1019 clients of the revisions that have roots are served as well

package mcpserver

import (
	"context"
	"net/url"
	"path/filepath"
	"slices"
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
	// Further ones are joined, and take effect at most once per changeInterval.
	changeBurst    = 8
	changeInterval = pendingTimeout / 2
)

// clientRoots restricts the workspace of each session to the roots of its client, if it has any. It
// requests them after the handshake and after each change. If none is in the workspace, or the
// client does not list them, calls use the previous ones: the whole workspace only if the client
// has never had a root in it. Roots that cannot be opened are left out; without others, calls fail.
type clientRoots struct {
	whole *toolset.Toolset

	mu       sync.Mutex // guards sessions and the sessionRoots in it; functions named Locked need it
	sessions map[*mcp.ServerSession]*sessionRoots
}

type sessionRoots struct {
	*mcp.ServerSession
	ts    *toolset.Toolset // nil if no root of the client can be opened
	calls *sync.WaitGroup  // the calls that use ts

	// The handshake counts as a change of the roots.
	changes  int           // number of changes that have not taken effect
	applied  chan struct{} // closed when all changes have taken effect
	deadline time.Time     // the time until which calls wait for that
	request  chan struct{} // has a value if the client has not been asked for its roots since
}

// use returns the toolset of a session, until release is called, or nil if calls must fail. It
// first waits for a change of the roots to take effect.
func (r *clientRoots) use(ctx context.Context, session *mcp.ServerSession) (
	ts *toolset.Toolset, release func(),
) {
	r.mu.Lock()
	s := r.sessions[session]
	if s == nil {
		r.mu.Unlock()
		return r.whole, func() {}
	}
	applied, deadline := s.applied, s.deadline
	r.mu.Unlock()
	select {
	case <-applied:
	case <-time.After(time.Until(deadline)):
	case <-ctx.Done():
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	s.calls.Add(1)
	return s.ts, s.calls.Done
}

// initialized handles the end of a handshake, before the SDK handles the next message.
func (r *clientRoots) initialized(_ context.Context, req *mcp.InitializedRequest) {
	p := req.Session.InitializeParams()
	if p.ProtocolVersion >= modern || p.Capabilities == nil || p.Capabilities.RootsV2 == nil {
		return
	}
	s := &sessionRoots{
		ServerSession: req.Session, ts: r.whole, calls: new(sync.WaitGroup),
		request: make(chan struct{}, 1),
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sessions[req.Session] = s
	s.addChangeLocked()
	ctx, end := context.WithCancel(context.Background())
	go func() {
		_ = s.Wait() // The reason does not matter.
		end()
	}()
	go r.follow(ctx, s)
}

func (r *clientRoots) changed(_ context.Context, req *mcp.RootsListChangedRequest) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s := r.sessions[req.Session]; s != nil {
		s.addChangeLocked()
	}
}

// addChangeLocked makes calls wait for the new roots, and follow request them.
func (s *sessionRoots) addChangeLocked() {
	if s.changes == 0 {
		s.applied = make(chan struct{})
	}
	s.changes++
	s.deadline = time.Now().Add(pendingTimeout)
	select {
	case s.request <- struct{}{}:
	default:
	}
}

// follow applies the changes of a client's roots until ctx ends, which is when the session ends.
func (r *clientRoots) follow(ctx context.Context, s *sessionRoots) {
	limit := rate.NewLimiter(rate.Every(changeInterval), changeBurst)
	for ctx.Err() == nil {
		select {
		case <-s.request:
			if limit.Wait(ctx) == nil {
				r.apply(ctx, s)
			}
		case <-ctx.Done():
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.sessions, s.ServerSession)
	r.replaceLocked(s, nil) // A session ends after its calls.
}

// apply asks the client for its roots and restricts the session to them. A file system that does
// not respond blocks only the goroutine of this session.
func (r *clientRoots) apply(ctx context.Context, s *sessionRoots) {
	r.mu.Lock()
	changes := s.changes
	select {
	case <-s.request: // This request is for that change too.
	default:
	}
	r.mu.Unlock()
	dirs := r.list(ctx, s)
	ts := r.narrow(dirs)
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(dirs) > 0 {
		r.replaceLocked(s, ts)
	}
	s.changes -= changes
	if s.changes == 0 {
		close(s.applied)
	}
}

// list returns the directories of the workspace that the client of a session lists as its roots.
func (r *clientRoots) list(ctx context.Context, s *sessionRoots) (dirs []string) {
	ctx, cancel := context.WithTimeout(ctx, listTimeout)
	defer cancel()
	list, err := s.ListRoots(ctx, nil)
	if err != nil {
		return nil
	}
	for _, root := range list.Roots[:min(len(list.Roots), maxRoots)] {
		if root != nil {
			dirs = append(dirs, r.directories(root.URI)...)
		}
	}
	return dirs
}

// replaceLocked replaces the toolset of a session, and closes the old one when no call uses it.
func (r *clientRoots) replaceLocked(s *sessionRoots, ts *toolset.Toolset) {
	old, calls := s.ts, s.calls
	s.ts, s.calls = ts, new(sync.WaitGroup)
	if old == nil || old == r.whole {
		return
	}
	go func() {
		calls.Wait()
		old.Close()
	}()
}

// narrow returns the toolset over those of the directories that can be opened, or nil.
func (r *clientRoots) narrow(dirs []string) *toolset.Toolset {
	open := slices.DeleteFunc(slices.Clone(dirs), func(dir string) bool { return !r.canOpen(dir) })
	if len(open) == 0 {
		return nil
	}
	ts, _ := r.whole.Narrow(open, nil) // nil if one has vanished meanwhile
	return ts
}

func (r *clientRoots) canOpen(dir string) bool {
	location, err := r.whole.Directory(dir)
	if err != nil {
		return false
	}
	opened, err := location.Dir()
	return err == nil && opened.Close() == nil
}

// directories returns the directories of the workspace that a root means: itself, or inner ones.
func (r *clientRoots) directories(uri string) (dirs []string) {
	dir, ok := filePath(uri)
	if !ok {
		return nil
	}
	if resolved, ok := r.resolve(dir); ok {
		return []string{resolved}
	}
	for _, own := range r.whole.Roots() {
		resolved, ok := r.resolve(own)
		_, below := paths.Below(dir, own)
		_, resolvedBelow := paths.Below(dir, resolved)
		if ok && (below || resolvedBelow) {
			dirs = append(dirs, resolved)
		}
	}
	return dirs
}

func (r *clientRoots) resolve(dir string) (path string, ok bool) {
	location, err := r.whole.Directory(dir)
	if err == nil {
		location, err = location.Resolve()
	}
	if err != nil {
		return "", false
	}
	return location.Absolute(), true
}

func filePath(uri string) (path string, ok bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" {
		return "", false
	}
	path = filepath.FromSlash(u.Path)
	withoutSlash := strings.TrimPrefix(path, `\`)
	if filepath.VolumeName(withoutSlash) != "" { // on Windows
		path = withoutSlash
	}
	return filepath.Clean(path), filepath.IsAbs(path)
}
