package toolkit

import (
	"context"
	"path"

	"gander/internal/files/names"
	"gander/internal/files/text"
	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/tools/shared"
	"gander/tool"
)

// A listing is one tree while it is written.
type listing struct {
	request request
	ctx     context.Context
	tree    *Tree
	doc     *document
	prefix  string // the requested path with a slash at its end; "" if it is the root
	scratch []byte
}

// newListing returns a listing of the requested tree.
func (t *Tree) newListing(ctx context.Context, r request, b tool.Budget) *listing {
	l := &listing{request: r, ctx: ctx, tree: t, doc: newDocument(b)}
	if root := r.place.Path(); root != "." {
		l.prefix = root + "/"
	}
	return l
}

// run lists the requested tree.
func (l *listing) run(b tool.Budget) (tool.Result, error) {
	dir, err := open(l.request.place, l.request.maxDepth == 0 || l.request.maxEntries == 1)
	if err != nil {
		return tool.Result{}, err
	}
	if dir != nil {
		defer dir.Close()
	}
	root := l.request.place.Path()
	rootNode := node{kind: workspace.Directory, name: path.Base(root), path: root, truncated: l.request.maxDepth == 0 && l.request.maxEntries > 1}
	cut := !l.doc.add(rootNode)
	if dir != nil && !cut {
		if cut, err = l.addChildren(dir); err != nil {
			return tool.Result{}, newError(err)
		}
	}
	content, nodes, cut := l.doc.finish(cut || l.doc.tree.Count() == l.request.maxEntries)
	if nodes == 0 {
		return tool.Result{}, shared.TooSmall(b)
	}
	return tool.Result{Parts: tool.Text(content), Exact: true, Truncated: cut}, nil
}

// addChildren adds the nodes below the root. It reports whether the output limit left some out.
func (l *listing) addChildren(dir *workspace.Dir) (cut bool, err error) {
	o := walk.Options{
		Depth:     l.request.maxDepth,
		Limit:     l.request.maxEntries - 1, // the root is a node too
		NameOrder: names.Order{Class: class, Key: text.UTF16Key},
		Filter:    l.filter,
	}
	for e, err := range walk.Entries(l.ctx, dir, o) {
		if e.Dir == nil {
			return false, err
		}
		full := l.fullPath(e)
		n := node{kind: e.Kind, name: path.Base(full), path: full, depth: e.Depth()}
		if err != nil {
			n.failure = shared.ErrorText(err)
		}
		last := l.doc.tree.Count()+1 == l.request.maxEntries
		n.truncated = e.Kind == workspace.Directory && e.Depth() == l.request.maxDepth && !last
		if !l.doc.add(n) {
			return true, nil
		}
	}
	return false, nil
}

// class puts directories before files before symlinks (section 6).
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

// filter decides which entries become nodes (section 7).
func (l *listing) filter(dir *walk.Directory, name []byte, kind workspace.EntryKind) walk.Decision {
	if l.omits(dir, name, kind) {
		return walk.Omit
	}
	return walk.Show
}

// omits reports whether an entry does not become a node.
func (l *listing) omits(dir *walk.Directory, name []byte, kind workspace.EntryKind) bool {
	file := kind == workspace.Regular || kind == workspace.Symlink
	switch {
	case kind != workspace.Directory && !(file && l.request.files),
		!l.request.hidden && len(name) > 0 && name[0] == '.',
		l.tree.settings.DefaultExcludes && isDefaultExclude(string(name)):
		return true
	case len(l.request.exclude) == 0 && len(l.tree.exclude) == 0:
		return false
	}
	full := l.fullPath(walk.Entry{Name: name, Dir: dir})
	return l.request.exclude.match(l.ctx, full) || l.tree.exclude.match(l.ctx, full)
}

// fullPath returns the path of an entry from the workspace root.
func (l *listing) fullPath(e walk.Entry) string {
	l.scratch = e.AppendPath(append(l.scratch[:0], l.prefix...))
	return text.WellFormed(string(l.scratch))
}
