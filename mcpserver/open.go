//lint:file-ignore SA1019 clients of the revisions that have roots are served as well

package mcpserver

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander/internal/paths"
	"gander/internal/toolset"
	"gander/tool"
)

const (
	// listTimeout is the time that a client has to list its roots.
	listTimeout = 5 * time.Second
	// maxRoots is the maximum number of roots of a client.
	maxRoots = 32
)

// open asks the client for its roots and opens what they have in common with the workspace, within
// the limits of calls.
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

// restrict returns the toolset over what the roots of a client, if any, and the workspace have in
// common.
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

// common returns the directories that dir and the workspace have in common, without symlinks: dir
// itself, or the roots in dir.
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
