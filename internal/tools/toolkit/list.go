package toolkit

import (
	"context"

	"gander/internal/files/names"
	"gander/internal/files/text"
	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/tools/shared"
	"gander/tool"
)

// A listing is the state of a traversal.
type listing struct {
	request request
	ctx     context.Context
	tree    *Tree
	json    shared.Tree
	classes []uint8 // of the nodes
	prefix  string  // requested path with a trailing slash, or "" for the root
	scratch []byte
}

// Call lists a tree. It validates the arguments before any file access.
func (t *Tree) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	r, err := t.parseRequest(ctx, c.Args)
	if err != nil {
		return tool.Result{}, err
	}
	dir, err := r.open()
	if err != nil {
		return tool.Result{}, newError(err)
	}
	if dir != nil {
		defer dir.Close()
	}
	l := &listing{request: r, ctx: ctx, tree: t, json: shared.Tree{
		Text: []byte(`{"root":`), Children: `,"children":[`, Close: closeNode,
	}}
	l.json.Limit(c.Budget)
	root := node{
		kind:      workspace.Directory,
		path:      r.place.Path(),
		truncated: r.maxDepth == 0 && r.maxEntries > 1,
	}
	if root.path != "." {
		l.prefix = root.path + "/"
	}
	cut := !l.add(root)
	if dir != nil && !cut {
		if cut, err = l.addChildren(dir); err != nil {
			return tool.Result{}, newError(err)
		}
	}
	return l.write(cut || len(l.classes) == r.maxEntries, c.Budget)
}

// addChildren adds the nodes below the root. It reports whether the output limit omits nodes.
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
		n := node{kind: e.Kind, path: l.fullPath(e), depth: e.Depth()}
		if err != nil {
			n.failure = shared.ErrorText(err)
		}
		last := len(l.classes)+1 == l.request.maxEntries
		n.truncated = e.Kind == workspace.Directory && e.Depth() == l.request.maxDepth && !last
		if !l.add(n) {
			return true, nil
		}
	}
	return false, nil
}

// filter omits the entries that do not become nodes (section 7).
func (l *listing) filter(dir *walk.Directory, name []byte, kind workspace.EntryKind) walk.Decision {
	file := kind == workspace.Regular || kind == workspace.Symlink
	switch {
	case kind != workspace.Directory && !(file && l.request.files),
		!l.request.hidden && len(name) > 0 && name[0] == '.',
		l.tree.settings.DefaultExcludes && isDefaultExclude(string(name)):
		return walk.Omit
	case len(l.request.exclude) == 0 && len(l.tree.exclude) == 0:
		return walk.Show
	}
	full := l.fullPath(walk.Entry{Name: name, Dir: dir})
	if l.request.exclude.match(l.ctx, full) || l.tree.exclude.match(l.ctx, full) {
		return walk.Omit
	}
	return walk.Show
}

// fullPath returns the path of an entry from the workspace root.
func (l *listing) fullPath(e walk.Entry) string {
	l.scratch = e.AppendPath(append(l.scratch[:0], l.prefix...))
	return text.WellFormed(string(l.scratch))
}
