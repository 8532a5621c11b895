//lint:file-ignore SA1019 the revisions that have roots are served as well

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
	// askRoots is how long a client may take to say what its roots are.
	askRoots = 5 * time.Second
	// keepPart is how long a part of the workspace stays open once it is out of use.
	keepPart = 30 * time.Second
)

// narrowing are the workspaces that clients have narrowed to their own roots, by session. A client is asked when it
// first calls something, and again after it has said that its roots have changed.
type narrowing struct {
	wide   *gander.Toolset
	server *mcp.Server
	mu     sync.Mutex
	parts  map[*mcp.ServerSession]*part
}

// A part is what a client may reach.
type part struct {
	known chan struct{} // closed once the rest is set
	ts    *gander.Toolset
	err   error
}

// listen has clients tell when their roots change.
func (n *narrowing) listen(o *mcp.ServerOptions) { o.RootsListChangedHandler = n.changed }

// of returns what a session may reach: all where its client has no roots to tell of.
func (n *narrowing) of(ctx context.Context, session *mcp.ServerSession) (*gander.Toolset, error) {
	opened := session.InitializeParams()
	if opened == nil || opened.ProtocolVersion >= modern || opened.Capabilities == nil || opened.Capabilities.RootsV2 == nil {
		return n.wide, nil
	}
	n.mu.Lock()
	p, asked := n.parts[session]
	if !asked {
		n.prune()
		p = &part{known: make(chan struct{})}
		n.parts[session] = p
	}
	n.mu.Unlock()
	if !asked {
		p.ts, p.err = n.ask(ctx, session)
		close(p.known)
		if p.ts == nil { // the next call asks again
			n.mu.Lock()
			if n.parts[session] == p {
				delete(n.parts, session)
			}
			n.mu.Unlock()
		}
	}
	select {
	case <-p.known:
		return p.ts, p.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// ask asks the client for its roots and opens what they leave of the workspace.
func (n *narrowing) ask(ctx context.Context, session *mcp.ServerSession) (*gander.Toolset, error) {
	ctx, cancel := context.WithTimeout(ctx, askRoots)
	defer cancel()
	told, err := session.ListRoots(ctx, nil)
	if err != nil {
		return nil, &tool.Error{Kind: tool.Failed, Message: "the client does not say what its roots are, and it may reach nothing else", Err: err}
	}
	if len(told.Roots) == 0 {
		return n.wide, nil
	}
	var dirs []string
	for _, r := range told.Roots {
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
		return nil, &tool.Error{Kind: tool.Outside, Message: fmt.Sprintf("none of the client's roots lies in the workspace, which is %s", strings.Join(n.wide.Roots(), " and "))}
	}
	return n.wide.Narrow(dirs...)
}

// common returns the directories that lie both in dir and in the workspace, and hold everything that does.
func (n *narrowing) common(dir string) []string {
	var inside []string
	for _, root := range n.wide.Roots() {
		if rel, err := filepath.Rel(dir, root); err == nil && filepath.IsLocal(rel) {
			inside = append(inside, root)
		}
	}
	if part, err := n.wide.Narrow(dir); err == nil {
		part.Close()
		inside = append(inside, dir)
	}
	return inside
}

// changed has a client asked once more.
func (n *narrowing) changed(_ context.Context, req *mcp.RootsListChangedRequest) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.forget(req.Session)
}

// forget gives up what a session has narrowed.
func (n *narrowing) forget(session *mcp.ServerSession) {
	p := n.parts[session]
	if p == nil {
		return
	}
	delete(n.parts, session)
	// Who has just been given it may be about to call something.
	time.AfterFunc(keepPart, func() {
		<-p.known
		if p.ts != nil && p.ts != n.wide {
			p.ts.Close()
		}
	})
}

// prune forgets the sessions that have ended.
func (n *narrowing) prune() {
	live := slices.Collect(n.server.Sessions())
	for session := range n.parts {
		if !slices.Contains(live, session) {
			n.forget(session)
		}
	}
}
