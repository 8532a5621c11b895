//lint:file-ignore SA1019 clients of the revisions that have roots are served as well

package mcpserver

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander"
	"gander/tool"

	"gander/internal/paths"
)

const (
	// askTimeout is the time that a client has to list its roots.
	askTimeout = 5 * time.Second
	// narrowTimeout is the time until a call no longer waits for the roots to be listed and opened.
	narrowTimeout = 10 * time.Second
	// replaceTimeout is the time until a call uses the whole workspace, in a server that takes the place of another.
	replaceTimeout = time.Second
	// maxRoots is the most roots that a client may list.
	maxRoots = 32
	// closeDelay is how long a part of the workspace stays open after it was replaced.
	closeDelay = 30 * time.Second
)

// narrowing holds the parts of the workspace that clients have narrowed it to, by session. A client is asked for its roots
// at its first call, and again after it has said that they changed.
type narrowing struct {
	whole   *gander.Toolset
	replace bool // the roots replace the directories of the workspace as in the server whose place this one takes
	mu      sync.Mutex
	parts   map[*mcp.ServerSession]*part // nil where the client must be asked
}

// A part is the part of the workspace that a session may see.
type part struct {
	done chan struct{} // closed when the other fields are set
	ts   *gander.Toolset
	err  error
}

// of returns the tools for the part of the workspace that a session may see.
func (n *narrowing) of(ctx context.Context, session *mcp.ServerSession) (*gander.Toolset, error) {
	if !hasRoots(session) {
		return n.whole, nil
	}
	wait := narrowTimeout
	if n.replace {
		wait = replaceTimeout
	}
	timeout := time.NewTimer(wait)
	defer timeout.Stop()
	for {
		p, begun := n.begin(ctx, session)
		select {
		case <-p.done:
			// The call that asked may have been cancelled, and the question with it. That must not fail this call.
			if p.err == nil || begun {
				return p.ts, p.err
			}
		case <-timeout.C:
			if n.replace {
				return n.whole, nil
			}
			return nil, &tool.Error{Kind: tool.Timeout, Message: "the client's roots could not be opened in time; try again"}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// hasRoots reports whether a session's client has roots that narrow the workspace.
func hasRoots(session *mcp.ServerSession) bool {
	opened := session.InitializeParams()
	return opened != nil && opened.ProtocolVersion < modern && opened.Capabilities != nil && opened.Capabilities.RootsV2 != nil
}

// begin returns the part of a session. If there is none, it begins to ask for one and reports true.
func (n *narrowing) begin(ctx context.Context, session *mcp.ServerSession) (p *part, begun bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if p := n.parts[session]; p != nil {
		return p, false
	}
	if _, known := n.parts[session]; !known {
		go n.closeAfter(session)
	}
	p = &part{done: make(chan struct{})}
	n.parts[session] = p
	go n.narrow(context.WithoutCancel(ctx), session, p)
	return p, true
}

// narrow sets a part. If that fails, the next call tries again.
func (n *narrowing) narrow(ctx context.Context, session *mcp.ServerSession, p *part) {
	p.ts, p.err = n.ask(ctx, session)
	n.mu.Lock()
	if p.err != nil && n.parts[session] == p {
		n.parts[session] = nil
	}
	n.mu.Unlock()
	close(p.done)
}

// closeAfter closes the part of a session when the session ends.
func (n *narrowing) closeAfter(session *mcp.ServerSession) {
	_ = session.Wait() // Why it ended does not matter here.
	n.mu.Lock()
	p := n.parts[session]
	delete(n.parts, session)
	n.mu.Unlock()
	p.close(n.whole)
}

// close closes the tools of a part, if there is one, as soon as they are open.
func (p *part) close(whole *gander.Toolset) {
	if p == nil {
		return
	}
	if <-p.done; p.ts != nil && p.ts != whole {
		p.ts.Close()
	}
}

// ask asks the client for its roots and opens what they have in common with the workspace.
func (n *narrowing) ask(ctx context.Context, session *mcp.ServerSession) (*gander.Toolset, error) {
	asking, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	list, err := session.ListRoots(asking, nil)
	if n.replace && (err != nil || len(list.Roots) > maxRoots) {
		return n.whole, nil
	}
	if err != nil {
		return nil, &tool.Error{Kind: tool.Failed, Message: "the client does not say what its roots are, and it may reach nothing else", Err: err}
	}
	if len(list.Roots) == 0 {
		return n.whole, nil
	}
	if len(list.Roots) > maxRoots {
		return nil, &tool.Error{Kind: tool.Failed, Message: fmt.Sprintf("the client has %d roots; at most %d are supported", len(list.Roots), maxRoots)}
	}
	return n.open(ctx, list.Roots)
}

// open opens what the roots of a client and the workspace have in common, within the limits of calls.
func (n *narrowing) open(ctx context.Context, roots []*mcp.Root) (*gander.Toolset, error) {
	ctx, cancel := context.WithTimeout(ctx, narrowTimeout)
	defer cancel()
	var (
		mu   sync.Mutex
		ts   *gander.Toolset
		over bool // nobody waits for it any more
	)
	err := n.whole.Do(ctx, func(context.Context) error {
		opened, err := n.narrowed(roots)
		if err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		if ts = opened; over && ts != n.whole {
			ts.Close()
		}
		return nil
	})
	mu.Lock()
	defer mu.Unlock()
	over = true
	switch {
	case ts != nil:
		return ts, nil
	case n.replace:
		return n.whole, nil
	default:
		return nil, err
	}
}

// narrowed returns the tools over what the roots of a client and the workspace have in common.
func (n *narrowing) narrowed(roots []*mcp.Root) (*gander.Toolset, error) {
	if n.replace {
		return n.replaced(roots), nil
	}
	var dirs []string
	for _, r := range roots {
		dir, ok := filePath(r.URI)
		if !ok {
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
		if _, ok := paths.Below(dir, root); ok {
			inside = append(inside, root)
		}
	}
	if part, err := n.whole.Narrow(dir); err == nil {
		part.Close()
		inside = append(inside, dir)
	}
	return inside
}

// replaced returns the tools over the roots of a client, each free of symlinks, in the order of the client. A root above a
// directory of the workspace stands for that; one outside is left out. If none is left, or one is no file URI, it returns those over
// the whole workspace.
func (n *narrowing) replaced(roots []*mcp.Root) *gander.Toolset {
	var dirs []string
	for _, r := range roots {
		if !strings.HasPrefix(r.URI, "file://") {
			return n.whole
		}
		dir, ok := filePath(r.URI)
		if !ok {
			continue
		}
		if real, err := n.whole.Resolve(dir); err == nil {
			dirs = append(dirs, real)
			continue
		}
		for _, root := range n.whole.Roots() {
			real, err := n.whole.Resolve(root)
			if err == nil && (contains(dir, root) || contains(dir, real)) {
				dirs = append(dirs, real)
			}
		}
	}
	if len(dirs) == 0 {
		return n.whole
	}
	part, err := n.whole.Narrow(dirs...)
	if err != nil {
		return n.whole
	}
	return part
}

// contains reports whether a path is dir or lies in it, judged by the text of both.
func contains(dir, path string) bool {
	_, ok := paths.Below(dir, path)
	return ok
}

// listen makes the server listen for changes of clients' roots. A server that takes the place of another asks for them at once.
func (n *narrowing) listen(o *mcp.ServerOptions) {
	o.RootsListChangedHandler = n.changed
	if n.replace {
		o.InitializedHandler = func(ctx context.Context, req *mcp.InitializedRequest) {
			if hasRoots(req.Session) {
				n.begin(ctx, req.Session)
			}
		}
	}
}

// changed makes the next call of a session ask the client again, or asks it at once.
func (n *narrowing) changed(ctx context.Context, req *mcp.RootsListChangedRequest) {
	n.forget(req.Session)
	if n.replace && hasRoots(req.Session) {
		n.begin(ctx, req.Session)
	}
}

func (n *narrowing) forget(session *mcp.ServerSession) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if p := n.parts[session]; p != nil {
		n.parts[session] = nil
		time.AfterFunc(closeDelay, func() { p.close(n.whole) }) // A call may just have got it.
	}
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
