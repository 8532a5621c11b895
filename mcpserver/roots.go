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
	// openTimeout is the maximum time to list and open the roots of a client.
	openTimeout = 10 * time.Second
	// emulatedTimeout is the maximum time that a call waits for the roots of its client in a server
	// that emulates another. The call then uses the whole workspace.
	emulatedTimeout = time.Second
	// changeBurst is the number of changes of a client's roots that take effect immediately. After
	// them, one a second does.
	changeBurst = 8
)

// clientRoots restricts the workspace of each session to the roots of its client. The client is
// asked for them at its first call and at its first call after a change. A server that emulates
// another asks immediately.
type clientRoots struct {
	whole   *toolset.Toolset
	enabled bool
	emulate bool // use the whole workspace if the roots cannot be used, as the official server does

	mu    sync.Mutex // guards views, and asked and stale of each view
	views map[*mcp.ServerSession]*view
}

// A view is a toolset that is restricted to the roots of a client. It is replaced when they have
// changed.
type view struct {
	changes *rate.Limiter // of the session
	asked   bool          // The client has been asked for the roots.
	stale   bool          // They have changed since, or opening has failed.

	ready chan struct{} // closed after ts and err are set
	ts    *toolset.Toolset
	err   error
	calls sync.WaitGroup // that use ts
}

// use returns the toolset that a session can use, until release is called.
func (r *clientRoots) use(ctx context.Context, session *mcp.ServerSession) (
	ts *toolset.Toolset, release func(), err error,
) {
	if !r.restricts(session) {
		return r.whole, func() {}, nil
	}
	wait := openTimeout
	if r.emulate {
		wait = emulatedTimeout
	}
	v := r.current(session)
	select {
	case <-v.ready:
		return v.ts, v.calls.Done, v.err
	case <-ctx.Done():
		return nil, v.calls.Done, ctx.Err()
	case <-time.After(wait):
	}
	if r.emulate {
		return r.whole, v.calls.Done, nil
	}
	return nil, v.calls.Done, &tool.Error{
		Kind: tool.Timeout, Message: "the client's roots could not be opened in time; try again",
	}
}

// restricts reports whether the client of a session has roots that restrict the workspace.
func (r *clientRoots) restricts(session *mcp.ServerSession) bool {
	p := session.InitializeParams()
	return r.enabled && p != nil && p.ProtocolVersion < modern &&
		p.Capabilities != nil && p.Capabilities.RootsV2 != nil
}

// current returns the view of a session, and adds a call to it. It replaces a stale view.
func (r *clientRoots) current(session *mcp.ServerSession) *view {
	r.mu.Lock()
	defer r.mu.Unlock()
	v := r.views[session]
	if v == nil {
		v = &view{stale: true, changes: rate.NewLimiter(1, changeBurst), ready: make(chan struct{})}
		close(v.ready)
		go r.closeAfter(session)
	}
	if v.stale {
		old := v
		v = &view{changes: old.changes, ready: make(chan struct{})}
		r.views[session] = v
		go r.replace(session, old, v)
	}
	v.calls.Add(1)
	return v
}

// replace opens v when old is open, and closes old when no call uses it.
func (r *clientRoots) replace(session *mcp.ServerSession, old, v *view) {
	<-old.ready
	_ = v.changes.Wait(context.Background()) // It does not fail.
	r.mu.Lock()
	v.asked = true
	r.mu.Unlock()
	v.ts, v.err = r.open(session)
	switch {
	case v.err == nil:
	case r.emulate:
		v.ts, v.err = r.whole, nil
	default: // The next call asks again.
		r.mu.Lock()
		v.stale = true
		r.mu.Unlock()
	}
	close(v.ready)
	old.calls.Wait()
	r.close(old.ts)
}

// closeAfter closes the view of a session when the session has ended.
func (r *clientRoots) closeAfter(session *mcp.ServerSession) {
	_ = session.Wait() // The reason does not matter.
	r.mu.Lock()
	v := r.views[session]
	delete(r.views, session)
	r.mu.Unlock()
	<-v.ready
	v.calls.Wait()
	r.close(v.ts)
}

func (r *clientRoots) close(ts *toolset.Toolset) {
	if ts != nil && ts != r.whole {
		ts.Close()
	}
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
	if !r.restricts(session) {
		return
	}
	r.mu.Lock()
	if v := r.views[session]; v != nil {
		v.stale = v.asked
	}
	r.mu.Unlock()
	if r.emulate {
		r.current(session).calls.Done()
	}
}
