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

// A traversal is the state of a call.
type traversal struct {
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
	return t.run(ctx, r, c.Budget)
}

// run adds the nodes and writes the result.
func (t *Tree) run(ctx context.Context, r request, b tool.Budget) (tool.Result, error) {
	dir, err := r.open()
	if err != nil {
		return tool.Result{}, newError(err)
	}
	if dir != nil {
		defer dir.Close()
	}
	v := &traversal{request: r, ctx: ctx, tree: t, json: shared.Tree{
		Text: []byte(`{"root":`), Children: `,"children":[`, Close: closeNode,
	}}
	v.json.Limit(b)
	root := node{
		kind:      workspace.Directory,
		path:      r.place.Path(),
		truncated: r.maxDepth == 0 && r.maxEntries > 1,
	}
	if root.path != "." {
		v.prefix = root.path + "/"
	}
	cut := !v.add(root)
	if dir != nil && !cut {
		if cut, err = v.addChildren(dir); err != nil {
			return tool.Result{}, newError(err)
		}
	}
	return v.write(cut || len(v.classes) == r.maxEntries, b)
}

// addChildren adds the nodes below the root. It reports whether the output limit omits nodes.
func (v *traversal) addChildren(dir *workspace.Dir) (cut bool, err error) {
	o := walk.Options{
		Depth:     v.request.maxDepth,
		Limit:     v.request.maxEntries - 1, // the root is a node too
		NameOrder: names.Order{Class: class, Key: text.UTF16Key},
		Filter:    v.filter,
	}
	for e, err := range walk.Entries(v.ctx, dir, o) {
		if e.Dir == nil {
			return false, err
		}
		n := node{kind: e.Kind, path: v.fullPath(e), depth: e.Depth()}
		if err != nil {
			n.failure = shared.ErrorText(err)
		}
		last := len(v.classes)+1 == v.request.maxEntries
		n.truncated = e.Kind == workspace.Directory && e.Depth() == v.request.maxDepth && !last
		if !v.add(n) {
			return true, nil
		}
	}
	return false, nil
}

// filter omits the entries that do not become nodes.
func (v *traversal) filter(
	dir *walk.Directory, name []byte, kind workspace.EntryKind,
) walk.Decision {
	file := kind == workspace.Regular || kind == workspace.Symlink
	switch {
	case kind != workspace.Directory && !(file && v.request.files),
		!v.request.hidden && len(name) > 0 && name[0] == '.',
		v.tree.settings.DefaultExcludes && isDefaultExclude(string(name)):
		return walk.Omit
	case len(v.request.exclude) == 0 && len(v.tree.exclude) == 0:
		return walk.Show
	}
	full := v.fullPath(walk.Entry{Name: name, Dir: dir})
	if v.request.exclude.match(v.ctx, full) || v.tree.exclude.match(v.ctx, full) {
		return walk.Omit
	}
	return walk.Show
}

// fullPath returns the path of an entry from the workspace root.
func (v *traversal) fullPath(e walk.Entry) string {
	v.scratch = e.AppendPath(append(v.scratch[:0], v.prefix...))
	return text.WellFormed(string(v.scratch))
}
