//lint:file-ignore SA1019 clients of the revisions that have roots are served as well

package mcpserver

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/time/rate"

	"gander/internal/toolset"
	"gander/tool"
)

const (
	// listTimeout is the time that a client has to list its roots.
	listTimeout = 5 * time.Second
	// openTimeout is the maximum time that a call waits for the roots of its client.
	openTimeout = 10 * time.Second
	// emulatedTimeout is openTimeout in a server that emulates another. The call then uses the whole
	// workspace.
	emulatedTimeout = time.Second
	// maxRoots is the maximum number of roots of a client.
	maxRoots = 32
	// changeBurst is the number of changes of a client's roots that take effect immediately. After
	// them, one a second does.
	changeBurst = 8
	// modern is the first revision without handshakes and roots.
	modern = "2026-07-28"
)

// clientRoots restricts the workspace of each session to the roots of its client. The client is
// asked for them at its first call and at its first call after a change. A server that emulates
// another asks immediately.
type clientRoots struct {
	whole   *toolset.Toolset
	emulate bool // use the whole workspace if the roots cannot be used, as the official server does

	mu       sync.Mutex
	sessions map[*mcp.ServerSession]*rootsSession
}

// A rootsSession is the state of one session.
type rootsSession struct {
	stale   atomic.Bool // the client must be asked
	changes *rate.Limiter
	lock    chan struct{} // holds a value while the view is in use or being replaced
	view    *view
	err     error // of replacing the view
}

// A view is a restricted toolset.
type view struct {
	ts    *toolset.Toolset
	calls sync.WaitGroup // that use ts
}

// use returns the toolset that a session can use, until release is called.
func (r *clientRoots) use(ctx context.Context, session *mcp.ServerSession) (
	ts *toolset.Toolset, release func(), err error,
) {
	if !hasRoots(session) {
		return r.whole, func() {}, nil
	}
	wait := openTimeout
	if r.emulate {
		wait = emulatedTimeout
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	s := r.session(session)
	for {
		current := !s.stale.Load() || r.refresh(session, s)
		select {
		case s.lock <- struct{}{}:
		case <-ctx.Done():
			return nil, func() {}, ctx.Err()
		case <-timer.C:
			if r.emulate {
				return r.whole, func() {}, nil
			}
			return nil, func() {}, &tool.Error{
				Kind: tool.Timeout, Message: "the client's roots could not be opened in time; try again",
			}
		}
		v, err := s.view, s.err
		if current && err == nil {
			v.calls.Add(1)
		}
		<-s.lock
		switch {
		case current && err == nil:
			return v.ts, v.calls.Done, nil
		case current:
			s.stale.Store(true) // The next call asks again.
			return nil, func() {}, err
		}
	}
}

// hasRoots reports whether the client of a session has roots.
func hasRoots(session *mcp.ServerSession) bool {
	p := session.InitializeParams()
	return p != nil && p.ProtocolVersion < modern &&
		p.Capabilities != nil && p.Capabilities.RootsV2 != nil
}

func (r *clientRoots) session(session *mcp.ServerSession) *rootsSession {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.sessions[session]
	if s == nil {
		s = &rootsSession{
			changes: rate.NewLimiter(1, changeBurst), lock: make(chan struct{}, 1), view: new(view),
		}
		s.stale.Store(true)
		r.sessions[session] = s
		go r.closeAfter(session, s)
	}
	return s
}

// refresh replaces the view of a session in the background. It reports false if the view is in use
// or being replaced.
func (r *clientRoots) refresh(session *mcp.ServerSession, s *rootsSession) bool {
	select {
	case s.lock <- struct{}{}:
	default:
		return false
	}
	go func() {
		old := s.view
		_ = s.changes.Wait(context.Background()) // It does not fail.
		s.stale.Store(false)
		ts, err := r.ask(context.Background(), session)
		if err != nil && r.emulate {
			ts, err = r.whole, nil
		}
		s.view, s.err = &view{ts: ts}, err
		<-s.lock
		if r.emulate && s.stale.Load() {
			r.refresh(session, s)
		}
		r.close(old)
	}()
	return true
}

// close closes a view that has been replaced when no call uses it.
func (r *clientRoots) close(v *view) {
	v.calls.Wait()
	if v.ts != nil && v.ts != r.whole {
		v.ts.Close()
	}
}

// closeAfter closes the view of a session when the session ends.
func (r *clientRoots) closeAfter(session *mcp.ServerSession, s *rootsSession) {
	_ = session.Wait() // The reason does not matter.
	r.mu.Lock()
	delete(r.sessions, session)
	r.mu.Unlock()
	s.lock <- struct{}{} // and no call gets another view
	r.close(s.view)
}

// listen makes the server listen for changes of roots.
func (r *clientRoots) listen(o *mcp.ServerOptions) {
	o.RootsListChangedHandler = func(_ context.Context, req *mcp.RootsListChangedRequest) {
		r.change(req.Session)
	}
	if r.emulate {
		o.InitializedHandler = func(_ context.Context, req *mcp.InitializedRequest) {
			r.change(req.Session)
		}
	}
}

// change notes that the roots of a client have changed.
func (r *clientRoots) change(session *mcp.ServerSession) {
	if !hasRoots(session) {
		return
	}
	s := r.session(session)
	if s.stale.Store(true); r.emulate {
		r.refresh(session, s)
	}
}
