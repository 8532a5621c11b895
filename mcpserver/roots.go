//lint:file-ignore SA1019 clients of the revisions that have roots are served as well

package mcpserver

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/time/rate"

	"gander/internal/paths"
	"gander/internal/toolset"
	"gander/tool"
)

const (
	// listTimeout is the time that a client has to list its roots.
	listTimeout = 5 * time.Second
	// maxRoots is the maximum number of roots of a client.
	maxRoots = 32
	// openTimeout is the maximum time to list and open the roots of a client.
	openTimeout = 10 * time.Second
	// emulatedTimeout is the maximum time that a call waits for the roots of its client in a server
	// that emulates another. The call then uses the whole workspace.
	emulatedTimeout = time.Second
	// changeBurst is the number of changes of a client's roots that take effect immediately.
	// Further changes take effect at a rate of one per second.
	changeBurst = 8
)

// clientRoots restricts the workspace of each session to the roots of its client. It requests them
// at the first call, and at the first call after a change. A server that emulates another requests
// them immediately.
type clientRoots struct {
	whole   *toolset.Toolset
	enabled bool
	emulate bool // use the whole workspace if the roots cannot be used, as the official server does

	mu    sync.Mutex // guards views, and requested and stale of each view
	views map[*mcp.ServerSession]*view
}

// A view is a toolset restricted to the roots of a client. Another view replaces it after a change
// of the roots.
type view struct {
	changes   *rate.Limiter // of the session
	requested bool          // The roots have been requested.
	stale     bool          // They have changed since, or opening has failed.

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
	v.requested = true
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

// change records that the roots of a client have changed.
func (r *clientRoots) change(session *mcp.ServerSession) {
	if !r.restricts(session) {
		return
	}
	r.mu.Lock()
	if v := r.views[session]; v != nil {
		v.stale = v.requested
	}
	r.mu.Unlock()
	if r.emulate {
		r.current(session).calls.Done()
	}
}

// open asks the client for its roots and opens their intersection with the workspace, within the
// limits of calls.
func (r *clientRoots) open(session *mcp.ServerSession) (*toolset.Toolset, error) {
	ctx, cancel := context.WithTimeout(context.Background(), openTimeout)
	defer cancel()
	roots, err := listRoots(ctx, session)
	if err != nil {
		return nil, err
	}
	var opened atomic.Pointer[toolset.Toolset]
	err = r.whole.Run(ctx, func(ctx context.Context) error {
		ts, err := r.restrict(roots)
		opened.Store(ts)
		if ctx.Err() != nil { // Run may have returned.
			r.close(opened.Swap(nil))
		}
		return cmp.Or(err, ctx.Err())
	})
	ts := opened.Swap(nil)
	if err != nil {
		r.close(ts)
		return nil, err
	}
	return ts, nil
}

func listRoots(ctx context.Context, session *mcp.ServerSession) ([]*mcp.Root, error) {
	ctx, cancel := context.WithTimeout(ctx, listTimeout)
	defer cancel()
	list, err := session.ListRoots(ctx, nil)
	if err != nil {
		return nil, &tool.Error{
			Kind: tool.Failed, Err: err,
			Message: "the client does not say what its roots are, and it may reach nothing else",
		}
	}
	if n := len(list.Roots); n > maxRoots {
		return nil, &tool.Error{Kind: tool.Failed, Message: fmt.Sprintf(
			"the client has %d roots; at most %d are supported", n, maxRoots)}
	}
	return list.Roots, nil
}

// restrict returns the toolset over the intersection of the workspace and the roots of a client, if
// any.
func (r *clientRoots) restrict(roots []*mcp.Root) (*toolset.Toolset, error) {
	if len(roots) == 0 {
		return r.whole, nil
	}
	var dirs []string
	for _, root := range roots {
		if r.emulate && !strings.HasPrefix(root.URI, "file://") {
			return r.whole, nil
		}
		if dir, ok := filePath(root.URI); ok {
			dirs = append(dirs, r.common(dir)...)
		}
	}
	if len(dirs) == 0 {
		return nil, &tool.Error{Kind: tool.Outside, Message: fmt.Sprintf(
			"none of the client's roots lies in the workspace, which is %s",
			strings.Join(r.whole.Roots(), " and "))}
	}
	return r.whole.Narrow(dirs...)
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
