package toolkit

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"

	"gander/internal/files/names"
	"gander/internal/files/text"
	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/tools/page"
	"gander/internal/tools/toolerror"
	"gander/tool"
)

// A traversal is the state of a call.
type traversal struct {
	request
	ctx     context.Context
	tree    *tree
	json    *page.Tree
	prefix  string // requested path with a trailing slash, or "" for the root
	scratch []byte
}

// A node is an object of the tree.
type node struct {
	kind      workspace.EntryKind
	path      string // relative to the workspace root
	depth     int
	truncated bool
	failure   string
}

// run adds the nodes and writes the result.
func (t *tree) run(ctx context.Context, r request, b tool.Budget) (tool.Result, error) {
	dir, err := r.open()
	if err != nil {
		return tool.Result{}, err
	}
	v := &traversal{request: r, ctx: ctx, tree: t}
	v.json = page.NewTree(b, `{"root":`, `,"children":[`, closeNode)
	root := node{
		kind:      workspace.Directory,
		path:      r.place.Path(),
		truncated: r.maxDepth == 0 && r.maxEntries > 1,
	}
	if root.path != "." {
		v.prefix = root.path + "/"
	}
	v.add(root)
	if dir != nil {
		defer dir.Close()
		if err := v.addChildren(dir); err != nil {
			return tool.Result{}, err
		}
	}
	return v.write(b)
}

// addChildren adds the nodes below the root, as long as they may fit.
func (v *traversal) addChildren(dir *workspace.Dir) error {
	o := walk.Options{
		Depth:     v.maxDepth,
		Limit:     v.maxEntries - 1, // the root is a node too
		NameOrder: names.Order{Class: class, Key: text.UTF16Key},
		Filter:    v.filter,
	}
	for e, err := range walk.Entries(v.ctx, dir, o) {
		if e.Dir == nil {
			return err
		}
		n := node{kind: e.Kind, path: v.fullPath(e), depth: e.Depth()}
		if err != nil {
			n.failure = toolerror.Text(err)
		}
		isDeepest := e.Kind == workspace.Directory && e.Depth() == v.maxDepth
		isLast := v.json.Count()+1 == v.maxEntries
		n.truncated = isDeepest && !isLast
		if !v.add(n) {
			return nil
		}
	}
	return nil
}

// filter omits the entries that do not become nodes.
func (v *traversal) filter(
	dir *walk.Directory, name []byte, kind workspace.EntryKind,
) walk.Decision {
	isFile := kind == workspace.Regular || kind == workspace.Symlink
	switch {
	case kind != workspace.Directory && !(isFile && v.files),
		!v.hidden && bytes.HasPrefix(name, []byte(".")),
		*v.tree.options.IncludeDefaultExcludes && slices.Contains(defaultExcludes, string(name)):
		return walk.Omit
	case len(v.exclude) == 0:
		return walk.Show
	case v.exclude.match(v.ctx, v.fullPath(walk.Entry{Name: name, Dir: dir})):
		return walk.Omit
	default:
		return walk.Show
	}
}

// fullPath returns the path of an entry from the workspace root.
func (v *traversal) fullPath(e walk.Entry) string {
	v.scratch = e.AppendPath(append(v.scratch[:0], v.prefix...))
	return text.WellFormed(string(v.scratch))
}

// add adds a node. It reports whether more nodes may fit.
func (v *traversal) add(n node) bool {
	v.json.Begin(n.depth)
	kind := [...]string{"directory", "file", "symlink"}[class(n.kind)]
	b := text.AppendQuote(append(v.json.Text, `{"kind":`...), kind)
	b = text.AppendQuote(append(b, `,"name":`...), path.Base(n.path))
	b = text.AppendQuote(append(b, `,"path":`...), n.path)
	b = strconv.AppendInt(append(b, `,"depth":`...), int64(n.depth), 10)
	if n.truncated {
		b = append(b, `,"truncated":true`...)
	}
	if n.failure != "" {
		b = text.AppendQuote(append(b, `,"error":`...), n.failure)
	}
	v.json.Text = b
	return v.json.End(page.Node{Depth: n.depth, Kind: n.kind})
}

// closeNode closes a node, and the nodes above it up to one at depth.
func closeNode(b []byte, n page.Node, depth int) []byte {
	b = append(b, '}')
	for range n.Depth - depth {
		b = append(b, "]}"...)
	}
	return b
}

// write returns the result.
func (v *traversal) write(b tool.Budget) (tool.Result, error) {
	limitReached := func(nodes int) bool { return nodes < v.json.Count() || nodes == v.maxEntries }
	content, nodes := v.json.Finish(1, func(kept []page.Node) string {
		var counts [3]int // by class
		for _, n := range kept {
			counts[class(n.Kind)]++
		}
		return fmt.Sprintf(`,"limit_reached":%t,"scanned_entries":%d,`+
			`"total_dirs":%d,"total_files":%d,"total_symlinks":%d}`,
			limitReached(len(kept)), len(kept), counts[0], counts[1], counts[2])
	})
	if nodes == 0 {
		return tool.Result{}, toolerror.TooSmall(b)
	}
	return tool.Result{Parts: tool.Text(content), Exact: true, Truncated: limitReached(nodes)}, nil
}

// class returns the sort class of a kind: directories, files, symlinks.
func class(kind workspace.EntryKind) uint8 {
	switch kind {
	case workspace.Directory:
		return 0
	case workspace.Regular:
		return 1
	default:
		return 2
	}
}
