package toolkit

import (
	"context"
	"path"

	"gander/internal/dialect"
	"gander/internal/names"
	"gander/internal/text"
	"gander/internal/walk"
	"gander/internal/workspace"
	"gander/tool"
)

// A lister turns one walk into one document.
type lister struct {
	request
	ctx  context.Context
	tree *Tree
	doc  *document
	base string // the requested path, with a slash at its end unless it is the root
}

// list walks the tree and writes its nodes until a limit is reached.
func (t *Tree) list(ctx context.Context, dir *workspace.Dir, r request, b tool.Budget) (tool.Result, error) {
	l := &lister{request: r, ctx: ctx, tree: t, doc: newDocument(b)}
	root := r.place.Path()
	if root != "." {
		l.base = root + "/"
	}
	reads := r.maxDepth > 0 && r.maxEntries > 1
	shown := node{kind: workspace.Directory, name: path.Base(root), path: root, truncated: r.maxDepth == 0 && r.maxEntries > 1}
	if !l.doc.add(shown) {
		return tool.Result{}, dialect.TooSmall(b)
	}
	cut := false
	if reads {
		var err error
		if cut, err = l.children(ctx, dir); err != nil {
			return tool.Result{}, refuse(err)
		}
	}
	content, cut, ok := l.doc.finish(cut || l.doc.count() == r.maxEntries)
	if !ok {
		return tool.Result{}, dialect.TooSmall(b)
	}
	return tool.Result{Content: content, Exact: true, Truncated: cut}, nil
}

// children adds the nodes below the root; cut reports that the output limit left some out.
func (l *lister) children(ctx context.Context, dir *workspace.Dir) (cut bool, err error) {
	o := walk.Options{
		Depth: l.maxDepth,
		Limit: l.maxEntries - 1, // the root is one of them
		Order: names.Order{Class: class, Key: text.UTF16Key},
		Keep:  l.keep,
	}
	for e, err := range walk.PreOrder(ctx, dir, o) {
		if e.Dir == nil {
			return false, err
		}
		n := node{
			kind:  e.Kind,
			name:  text.Lossy(e.Name),
			path:  text.Lossy([]byte(l.base + e.Path())),
			depth: e.Depth(),
		}
		if err != nil {
			n.failure = dialect.Words(err)
		}
		last := l.doc.count()+1 == l.maxEntries
		n.truncated = e.Kind == workspace.Directory && e.Depth() == l.maxDepth && !last
		if !l.doc.add(n) {
			return true, nil
		}
	}
	return false, nil
}

// class puts directories before files before symlinks (section 6).
func class(kind workspace.Kind) uint8 {
	switch kind {
	case workspace.Directory:
		return 0
	case workspace.Regular:
		return 1
	default:
		return 2
	}
}

// keep is section 7: the excludes, then hidden names, then the kinds that become nodes at all.
func (l *lister) keep(dir *walk.Directory, name []byte, kind workspace.Kind) bool {
	switch kind {
	case workspace.Directory:
	case workspace.Regular, workspace.Symlink:
		if !l.files {
			return false
		}
	default:
		return false
	}
	if !l.hidden && len(name) > 0 && name[0] == '.' || l.tree.settings.DefaultExcludes && published(string(name)) {
		return false
	}
	if l.exclude.empty() && l.tree.always.empty() {
		return true
	}
	full := text.Lossy([]byte(l.base + walk.Entry{Name: name, Dir: dir}.Path()))
	return !l.exclude.match(l.ctx, full) && !l.tree.always.match(l.ctx, full)
}
