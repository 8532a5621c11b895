package mcpserver

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander/internal/frontend/resource"
)

// maxWatched is how many resources may be subscribed to at once.
const maxWatched = 1024

// watches are the resources that clients want to hear of. No file is watched: whenever a client asks something of the
// server, what is subscribed to is compared with what it was.
type watches struct {
	files     *resource.Files
	filesOf   func(context.Context, *mcp.ServerSession) (*resource.Files, error) // those that a session may see
	server    *mcp.Server
	mu        sync.Mutex
	stamps    map[string]string
	holders   map[string][]*mcp.ServerSession
	comparing bool
}

func (w *watches) subscribe(ctx context.Context, req *mcp.SubscribeRequest) error {
	uri := req.Params.URI
	if !isFile(uri) { // of whoever has added it to the server, who says when it changes
		return nil
	}
	files, err := w.filesOf(ctx, req.Session)
	if err == nil {
		err = files.Admit(ctx, uri)
	}
	if err != nil {
		return refused(uri, err)
	}
	stamp := w.files.Stamp(uri)
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, known := w.stamps[uri]; !known {
		if w.prune(); len(w.stamps) >= maxWatched {
			return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("%d resources are subscribed to; unsubscribe from one first", maxWatched)}
		}
		w.stamps[uri] = stamp
	}
	if !slices.Contains(w.holders[uri], req.Session) {
		w.holders[uri] = append(w.holders[uri], req.Session)
	}
	return nil
}

func (w *watches) unsubscribe(_ context.Context, req *mcp.UnsubscribeRequest) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	uri := req.Params.URI
	w.keep(uri, func(s *mcp.ServerSession) bool { return s != req.Session })
	return nil
}

// keep keeps the holders of a resource that are to stay, and forgets a resource without any.
func (w *watches) keep(uri string, stay func(*mcp.ServerSession) bool) {
	w.holders[uri] = slices.DeleteFunc(w.holders[uri], func(s *mcp.ServerSession) bool { return !stay(s) })
	if len(w.holders[uri]) == 0 {
		delete(w.holders, uri)
		delete(w.stamps, uri)
	}
}

// prune forgets the subscriptions of sessions that have ended.
func (w *watches) prune() {
	live := slices.Collect(w.server.Sessions())
	for uri := range w.holders {
		w.keep(uri, func(s *mcp.ServerSession) bool { return slices.Contains(live, s) })
	}
}

// onDemand compares after every request.
func (w *watches) onDemand(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, req)
		w.compare()
		return result, err
	}
}

// compare begins to compare, unless that is under way, and does not wait: a file system that does not answer holds up
// nobody.
func (w *watches) compare() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.comparing || len(w.stamps) == 0 {
		return
	}
	w.comparing = true
	w.prune()
	known := make(map[string]string, len(w.stamps))
	for uri, stamp := range w.stamps {
		known[uri] = stamp
	}
	go func() {
		defer func() {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.comparing = false
		}()
		for uri, stamp := range known {
			if now := w.files.Stamp(uri); now != stamp {
				w.changed(uri, now)
			}
		}
	}()
}

// changed tells those who want to hear of a resource that it has changed.
func (w *watches) changed(uri, stamp string) {
	w.mu.Lock()
	_, wanted := w.stamps[uri]
	if wanted {
		w.stamps[uri] = stamp
	}
	w.mu.Unlock()
	if !wanted {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_ = w.server.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: uri}) // logs what fails itself
}
