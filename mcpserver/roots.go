//lint:file-ignore SA1019 clients of the revisions that have roots are served as well

package mcpserver

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander"
	"gander/internal/frontend/resource"
	"gander/tool"
)

const (
	// askTimeout is the time that a client has to list its roots.
	askTimeout = 5 * time.Second
	// narrowTimeout is the time until a call no longer waits for the roots to be listed and opened.
	narrowTimeout = 10 * time.Second
	// maxRoots is the most roots that a client may list.
	maxRoots = 32
	// closeDelay is how long a part of the workspace stays open after it was replaced.
	closeDelay = 30 * time.Second
)

// narrowing holds the parts of the workspace that clients have narrowed it to, by session. A client is asked for its roots
// at its first call, and again after it has said that they changed.
type narrowing struct {
	whole  *gander.Toolset
	server *mcp.Server
	mu     sync.Mutex
	parts  map[*mcp.ServerSession]*part
}

// A part is the part of the workspace that a session may see.
type part struct {
	done chan struct{} // closed when the other fields are set
	ts   *gander.Toolset
	err  error
}

// of returns the tools for the part of the workspace that a session may see.
func (n *narrowing) of(ctx context.Context, session *mcp.ServerSession) (*gander.Toolset, error) {
	opened := session.InitializeParams()
	if opened == nil || opened.ProtocolVersion >= modern || opened.Capabilities == nil || opened.Capabilities.RootsV2 == nil {
		return n.whole, nil
	}
	n.mu.Lock()
	p, found := n.parts[session]
	if !found {
		n.prune()
		p = &part{done: make(chan struct{})}
		n.parts[session] = p
		go n.narrow(context.WithoutCancel(ctx), session, p)
	}
	n.mu.Unlock()
	timeout := time.NewTimer(narrowTimeout)
	defer timeout.Stop()
	select {
	case <-p.done:
		return p.ts, p.err
	case <-timeout.C:
		return nil, &tool.Error{Kind: tool.Timeout, Message: "the client's roots could not be opened in time; try again"}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// narrow sets a part. If that fails, the next call tries again.
func (n *narrowing) narrow(ctx context.Context, session *mcp.ServerSession, p *part) {
	p.ts, p.err = n.ask(ctx, session)
	close(p.done)
	if p.err == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.parts[session] == p {
		delete(n.parts, session)
	}
}

// ask asks the client for its roots and opens what they have in common with the workspace.
func (n *narrowing) ask(ctx context.Context, session *mcp.ServerSession) (*gander.Toolset, error) {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	list, err := session.ListRoots(ctx, nil)
	if err != nil {
		return nil, &tool.Error{Kind: tool.Failed, Message: "the client does not say what its roots are, and it may reach nothing else", Err: err}
	}
	if len(list.Roots) == 0 {
		return n.whole, nil
	}
	if len(list.Roots) > maxRoots {
		return nil, &tool.Error{Kind: tool.Failed, Message: fmt.Sprintf("the client has %d roots; at most %d are supported", len(list.Roots), maxRoots)}
	}
	var dirs []string
	for _, r := range list.Roots {
		dir, err := resource.Path(r.URI)
		if err != nil {
			continue
		}
		for _, d := range n.common(dir) {
			if !slices.Contains(dirs, d) {
				dirs = append(dirs, d)
			}
		}
	}
	if len(dirs) == 0 {
		return nil, &tool.Error{Kind: tool.Outside, Message: fmt.Sprintf("none of the client's roots lies in the workspace, which is %s", strings.Join(n.whole.Roots(), " and "))}
	}
	return n.whole.Narrow(dirs...)
}

// common returns the directories that dir and the workspace have in common: the roots in dir, or dir itself.
func (n *narrowing) common(dir string) []string {
	var inside []string
	for _, root := range n.whole.Roots() {
		if rel, err := filepath.Rel(dir, root); err == nil && filepath.IsLocal(rel) {
			inside = append(inside, root)
		}
	}
	if part, err := n.whole.Narrow(dir); err == nil {
		part.Close()
		inside = append(inside, dir)
	}
	return inside
}

// listen makes the server listen for changes of clients' roots.
func (n *narrowing) listen(o *mcp.ServerOptions) { o.RootsListChangedHandler = n.changed }

// changed makes the next call of a session ask the client again.
func (n *narrowing) changed(_ context.Context, req *mcp.RootsListChangedRequest) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.forget(req.Session)
}

// forget removes the part of a session.
func (n *narrowing) forget(session *mcp.ServerSession) {
	p := n.parts[session]
	if p == nil {
		return
	}
	delete(n.parts, session)
	// A call may just have got it.
	time.AfterFunc(closeDelay, func() {
		<-p.done
		if p.ts != nil && p.ts != n.whole {
			p.ts.Close()
		}
	})
}

// prune removes the parts of sessions that have ended.
func (n *narrowing) prune() {
	live := slices.Collect(n.server.Sessions())
	for session := range n.parts {
		if !slices.Contains(live, session) {
			n.forget(session)
		}
	}
}
