//lint:file-ignore SA1019 clients of the revisions that have roots are served as well

package mcpserver

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander/internal/paths"
	"gander/internal/toolset"
	"gander/tool"
)

// ask asks the client for its roots and opens what they have in common with the workspace.
func (r *clientRoots) ask(ctx context.Context, session *mcp.ServerSession) (
	*toolset.Toolset, error,
) {
	asking, cancel := context.WithTimeout(ctx, listTimeout)
	defer cancel()
	list, err := session.ListRoots(asking, nil)
	switch {
	case err != nil:
		return nil, &tool.Error{
			Kind: tool.Failed, Err: err,
			Message: "the client does not say what its roots are, and it may reach nothing else",
		}
	case len(list.Roots) == 0:
		return r.whole, nil
	case len(list.Roots) > maxRoots:
		return nil, &tool.Error{Kind: tool.Failed, Message: fmt.Sprintf(
			"the client has %d roots; at most %d are supported", len(list.Roots), maxRoots)}
	}
	return r.open(ctx, list.Roots)
}

// open opens what the roots of a client and the workspace have in common, within the limits of
// calls.
func (r *clientRoots) open(ctx context.Context, roots []*mcp.Root) (*toolset.Toolset, error) {
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	var opened atomic.Pointer[toolset.Toolset]
	err := r.whole.Run(ctx, func(ctx context.Context) error {
		ts, err := r.restrict(roots)
		if err != nil {
			return err
		}
		opened.Store(ts)
		if ctx.Err() != nil { // Run may have returned.
			r.close(&view{ts: opened.Swap(nil)})
		}
		return ctx.Err()
	})
	ts := opened.Swap(nil)
	if err != nil {
		r.close(&view{ts: ts})
		return nil, err
	}
	return ts, nil
}

// restrict returns the toolset over what the roots of a client and the workspace have in common.
func (r *clientRoots) restrict(roots []*mcp.Root) (*toolset.Toolset, error) {
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
		if err == nil && (contains(dir, root) || contains(dir, real)) {
			dirs = append(dirs, real)
		}
	}
	return dirs
}

// contains reports whether path is dir or below dir, lexically.
func contains(dir, path string) bool {
	_, ok := paths.Below(dir, path)
	return ok
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
