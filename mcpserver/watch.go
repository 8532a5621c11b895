package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander/internal/frontend/resource"
	"gander/tool"
)

// maxWatched is the most resources that may be subscribed to at once.
const maxWatched = 1024

// watches are the resources that clients subscribe to. The server does not watch files: after each request it compares the
// fingerprints of the resources with the last ones.
type watches struct {
	files        *resource.Files
	filesOf      func(context.Context, *mcp.ServerSession) (*resource.Files, error) // the files that a session may see
	do           func(context.Context, func(context.Context) error) error           // does work within the limits of calls
	server       *mcp.Server
	mu           sync.Mutex
	fingerprints map[string]string               // by URI
	subscribers  map[string][]*mcp.ServerSession // by URI
	comparing    bool
}

func (w *watches) subscribe(ctx context.Context, req *mcp.SubscribeRequest) error {
	uri := req.Params.URI
	if !isFile(uri) { // Whoever added it to the server says when it changes.
		return nil
	}
	files, err := w.filesOf(ctx, req.Session)
	if err != nil {
		return refused(uri, err)
	}
	fingerprint, err := files.Fingerprint(ctx, uri)
	if err != nil {
		return refused(uri, err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, known := w.fingerprints[uri]; !known {
		if w.prune(); len(w.fingerprints) >= maxWatched {
			return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("%d resources are subscribed to; unsubscribe from one first", maxWatched)}
		}
		w.fingerprints[uri] = fingerprint
	}
	if !slices.Contains(w.subscribers[uri], req.Session) {
		w.subscribers[uri] = append(w.subscribers[uri], req.Session)
	}
	return nil
}

func (w *watches) unsubscribe(_ context.Context, req *mcp.UnsubscribeRequest) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.remove(req.Params.URI, func(s *mcp.ServerSession) bool { return s == req.Session })
	return nil
}

// remove removes subscribers of a resource, and forgets the resource if none is left.
func (w *watches) remove(uri string, gone func(*mcp.ServerSession) bool) {
	w.subscribers[uri] = slices.DeleteFunc(w.subscribers[uri], gone)
	if len(w.subscribers[uri]) == 0 {
		delete(w.subscribers, uri)
		delete(w.fingerprints, uri)
	}
}

// prune removes the sessions that have ended.
func (w *watches) prune() {
	live := slices.Collect(w.server.Sessions())
	for uri := range w.subscribers {
		w.remove(uri, func(s *mcp.ServerSession) bool { return !slices.Contains(live, s) })
	}
}

// compareAfter is middleware that compares fingerprints after every request.
func (w *watches) compareAfter(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, req)
		w.compare(context.WithoutCancel(ctx))
		return result, err
	}
}

// compare starts a comparison, unless one is running. It does not wait for it, so that a slow file system delays nobody.
func (w *watches) compare(ctx context.Context) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.comparing || len(w.fingerprints) == 0 {
		return
	}
	w.comparing = true
	w.prune()
	known := maps.Clone(w.fingerprints)
	go func() {
		changed := make(chan map[string]string, 1)
		err := w.do(ctx, func(ctx context.Context) error {
			// If the file system does not answer, do returns before this, so at most one comparison waits for an answer.
			defer w.endComparison()
			changed <- w.changes(ctx, known)
			return nil
		})
		if errors.Is(err, tool.ErrBusy) {
			w.endComparison() // It has not begun.
		}
		select {
		case all := <-changed:
			for uri, fingerprint := range all {
				w.notify(ctx, uri, fingerprint)
			}
		default:
		}
	}()
}

func (w *watches) endComparison() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.comparing = false
}

// changes returns the fingerprints that differ from the known ones.
func (w *watches) changes(ctx context.Context, known map[string]string) map[string]string {
	changed := make(map[string]string)
	for uri, fingerprint := range known {
		now, err := w.files.Refresh(ctx, uri)
		if ctx.Err() != nil {
			break
		}
		if now != fingerprint && !unknown(err) {
			changed[uri] = now
		}
	}
	return changed
}

// unknown reports whether err leaves open whether a resource has changed. Any other error says that it can no longer be
// seen.
func unknown(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) || errors.Is(err, tool.ErrBusy) || errors.Is(err, tool.ErrPolicy)
}

// notify tells the subscribers of a resource that it has changed.
func (w *watches) notify(ctx context.Context, uri, fingerprint string) {
	w.mu.Lock()
	_, wanted := w.fingerprints[uri]
	if wanted {
		w.fingerprints[uri] = fingerprint
	}
	w.mu.Unlock()
	if !wanted {
		return
	}
	_ = w.server.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: uri}) // It logs its own failures.
}

// withhold is middleware for what the server sends. It withholds news of resources that a session does not see: its roots
// may have changed since it subscribed.
func (n *narrowing) withhold(files *resource.Files) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			news, ok := req.(*mcp.ServerRequest[*mcp.ResourceUpdatedNotificationParams])
			if ok && !n.sees(ctx, news.Session, files, news.Params.URI) {
				return nil, nil
			}
			return next(ctx, method, req)
		}
	}
}

// sees reports whether a session is known to see a resource. It does not ask the client for its roots.
func (n *narrowing) sees(ctx context.Context, session *mcp.ServerSession, files *resource.Files, uri string) bool {
	if !hasRoots(session) || !isFile(uri) {
		return true
	}
	n.mu.Lock()
	p := n.parts[session]
	n.mu.Unlock()
	if p == nil {
		return false
	}
	select {
	case <-p.done:
	default:
		return false
	}
	if p.err != nil {
		return false
	}
	err := p.ts.Do(ctx, func(ctx context.Context) error {
		_, err := files.In(p.ts).Refresh(ctx, uri)
		return err
	})
	return err == nil
}
