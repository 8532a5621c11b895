//lint:file-ignore SA1019 clients of the revisions that have roots are served as well

package mcpserver

import (
	"context"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/time/rate"

	"gander/internal/toolset"
	"gander/tool"
)

const (
	// listTimeout is the time that a client has to list its roots.
	listTimeout = 5 * time.Second
	// openTimeout is the time after which a call no longer waits for the roots of its client.
	openTimeout = 10 * time.Second
	// emulatedTimeout is the time after which a call uses the whole workspace, in a server that
	// emulates another.
	emulatedTimeout = time.Second
	// maxRoots is the maximum number of roots of a client.
	maxRoots = 32
	// changeBurst is the number of changes of a client's roots that take effect immediately. After
	// them, one a second does.
	changeBurst = 8
	// modern is the first revision without a handshake, in which clients have no roots.
	modern = "2026-07-28"
)

// clientRoots restricts the workspace of each session to the roots of its client. The client is
// asked for them at its first call and at the first one after they have changed.
type clientRoots struct {
	whole   *toolset.Toolset
	emulate bool // use the whole workspace if the roots cannot be used, as the official server does

	mu       sync.Mutex
	sessions map[*mcp.ServerSession]*rootsSession
}

// A rootsSession is the state of one session.
type rootsSession struct {
	changes *rate.Limiter
	view    *view // the current one
	stale   bool  // the roots have changed since
}

// A view is a toolset that is restricted to some roots of a client.
type view struct {
	ready chan struct{} // closed when ts and err are set
	ts    *toolset.Toolset
	err   error

	// The mutex of clientRoots guards these.
	uses    int  // the number of calls that use ts, and of goroutines that set it
	asked   bool // the client has been asked for its roots
	dropped bool // another view has replaced this one
}

// use returns the toolset that a session can use, until release is called.
func (r *clientRoots) use(ctx context.Context, session *mcp.ServerSession) (
	ts *toolset.Toolset, release func(), err error) {
	if !hasRoots(session) {
		return r.whole, func() {}, nil
	}
	wait := openTimeout
	if r.emulate {
		wait = emulatedTimeout
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	v := r.acquire(session)
	select {
	case <-v.ready:
		if v.err == nil {
			return v.ts, func() { r.release(v) }, nil
		}
		err = v.err
	case <-timer.C:
		if r.emulate {
			ts = r.whole
		} else {
			err = &tool.Error{
				Kind: tool.Timeout, Message: "the client's roots could not be opened in time; try again",
			}
		}
	case <-ctx.Done():
		err = ctx.Err()
	}
	r.release(v)
	return ts, func() {}, err
}

// hasRoots reports whether the client of a session has roots.
func hasRoots(session *mcp.ServerSession) bool {
	p := session.InitializeParams()
	return p != nil && p.ProtocolVersion < modern &&
		p.Capabilities != nil && p.Capabilities.RootsV2 != nil
}

// acquire returns the current view of a session for one use.
func (r *clientRoots) acquire(session *mcp.ServerSession) *view {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.sessions[session]
	if s == nil {
		s = &rootsSession{changes: rate.NewLimiter(1, changeBurst)}
		r.sessions[session] = s
		go r.closeAfter(session)
	}
	if s.view == nil || s.stale || s.view.failed() {
		r.replace(session, s)
	}
	s.view.uses++
	return s.view
}

// failed reports whether there is an error, which the next call does not get.
func (v *view) failed() bool {
	select {
	case <-v.ready:
		return v.err != nil
	default:
		return false
	}
}

// replace gives a session a new view. The caller holds the mutex.
func (r *clientRoots) replace(session *mcp.ServerSession, s *rootsSession) {
	old := s.view
	s.stale = false
	s.view = &view{ready: make(chan struct{}), uses: 1}
	go r.load(session, s.view, old, s.changes)
	if old != nil {
		old.dropped = true
		r.closeUnused(old)
	}
}

// load sets a view, after its predecessor is set, so that each client opens one at a time.
func (r *clientRoots) load(session *mcp.ServerSession, v, old *view, changes *rate.Limiter) {
	defer r.release(v)
	defer close(v.ready)
	if old != nil {
		<-old.ready
	}
	if v.err = changes.Wait(context.Background()); v.err != nil {
		return
	}
	r.mu.Lock()
	v.asked = true
	r.mu.Unlock()
	v.ts, v.err = r.ask(context.Background(), session)
	if v.err != nil && r.emulate {
		v.ts, v.err = r.whole, nil
	}
}

// release ends one use of a view.
func (r *clientRoots) release(v *view) {
	r.mu.Lock()
	defer r.mu.Unlock()
	v.uses--
	r.closeUnused(v)
}

// closeUnused closes a view that has been replaced when nothing uses it. The caller holds the
// mutex.
func (r *clientRoots) closeUnused(v *view) {
	if v.dropped && v.uses == 0 && v.ts != nil && v.ts != r.whole {
		v.ts.Close()
	}
}

// closeAfter closes the view of a session when the session ends.
func (r *clientRoots) closeAfter(session *mcp.ServerSession) {
	_ = session.Wait() // The reason does not matter.
	r.mu.Lock()
	defer r.mu.Unlock()
	v := r.sessions[session].view
	delete(r.sessions, session)
	v.dropped = true
	r.closeUnused(v)
}

// listen makes the server listen for changes of roots. A server that emulates another asks for them
// at the beginning of a session.
func (r *clientRoots) listen(o *mcp.ServerOptions) {
	o.RootsListChangedHandler = func(_ context.Context, req *mcp.RootsListChangedRequest) {
		r.change(req.Session)
	}
	if r.emulate {
		o.InitializedHandler = func(_ context.Context, req *mcp.InitializedRequest) {
			if hasRoots(req.Session) {
				r.release(r.acquire(req.Session))
			}
		}
	}
}

// change notes that the roots of a client have changed, unless it has yet to be asked for them. A
// server that emulates another asks immediately.
func (r *clientRoots) change(session *mcp.ServerSession) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.sessions[session]
	if s == nil || !s.view.asked {
		return
	}
	if s.stale = true; r.emulate {
		r.replace(session, s)
	}
}
