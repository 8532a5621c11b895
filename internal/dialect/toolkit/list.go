package toolkit

import (
	"context"
	"path"

	"gander/internal/dialect"
	"gander/internal/engine/names"
	"gander/internal/engine/text"
	"gander/internal/engine/walk"
	"gander/internal/engine/workspace"
	"gander/tool"
)

// A lister turns one walk into one document.
type lister struct {
	request
	ctx  context.Context
	tree *Tree
	doc  *document
	base string // the requested path, with a slash at its end unless it is the root

	scratch []byte

	sought string // the path of an entry to look out for; "" for none
	found  int    // which of the nodes it is, from 1; 0 where it is not met
}

// lister returns a lister of the requested tree.
func (t *Tree) lister(ctx context.Context, r request, b tool.Budget) *lister {
	l := &lister{request: r, ctx: ctx, tree: t, doc: newDocument(b)}
	if root := r.place.Path(); root != "." {
		l.base = root + "/"
	}
	return l
}

// list walks the tree and writes its nodes until a limit is reached.
func (l *lister) list(ctx context.Context, dir *workspace.Dir, b tool.Budget) (tool.Result, error) {
	root := l.place.Path()
	reads := l.maxDepth > 0 && l.maxEntries > 1
	shown := node{kind: workspace.Directory, name: path.Base(root), path: root, truncated: l.maxDepth == 0 && l.maxEntries > 1}
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
	content, cut, ok := l.doc.finish(cut || l.doc.count() == l.maxEntries)
	if !ok {
		return tool.Result{}, dialect.TooSmall(b)
	}
	return tool.Result{Parts: tool.Text(content), Exact: true, Truncated: cut}, nil
}

// children adds the nodes below the root; cut reports that the output limit left some out.
func (l *lister) children(ctx context.Context, dir *workspace.Dir) (cut bool, err error) {
	o := walk.Options{
		Depth:     l.maxDepth,
		Limit:     l.maxEntries - 1, // the root is one of them
		NameOrder: names.Order{Class: class, Key: text.UTF16Key},
		Filter:    l.filter,
	}
	for e, err := range walk.Entries(ctx, dir, o) {
		if e.Dir == nil {
			return false, err
		}
		full := l.full(e)
		n := node{kind: e.Kind, name: path.Base(full), path: full, depth: e.Depth()}
		if err != nil {
			n.failure = dialect.ErrorText(err)
		}
		last := l.doc.count()+1 == l.maxEntries
		n.truncated = e.Kind == workspace.Directory && e.Depth() == l.maxDepth && !last
		if !l.doc.add(n) {
			return true, nil
		}
		if l.sought != "" && e.Path() == l.sought {
			l.found = l.doc.count()
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

// filter is section 7: the excludes, then hidden names, then the kinds that become nodes at all.
func (l *lister) filter(dir *walk.Directory, name []byte, kind workspace.EntryKind) walk.Decision {
	if l.judge(dir, name, kind) != "" {
		return walk.Omit
	}
	return walk.Show
}

// judge returns the cause for which an entry becomes no node, "" where it does.
func (l *lister) judge(dir *walk.Directory, name []byte, kind workspace.EntryKind) (cause string) {
	switch kind {
	case workspace.Directory:
	case workspace.Regular, workspace.Symlink:
		if !l.files {
			return tool.CauseKind
		}
	default:
		return tool.CauseKind
	}
	if !l.hidden && len(name) > 0 && name[0] == '.' {
		return tool.CauseHidden
	}
	if l.tree.settings.DefaultExcludes && published(string(name)) {
		return tool.CauseExcluded
	}
	if l.exclude.empty() && l.tree.always.empty() {
		return ""
	}
	full := l.full(walk.Entry{Name: name, Dir: dir})
	if l.exclude.match(l.ctx, full) || l.tree.always.match(l.ctx, full) {
		return tool.CauseExcluded
	}
	return ""
}

// full is the path of an entry from the workspace root.
func (l *lister) full(e walk.Entry) string {
	l.scratch = e.AppendPath(append(l.scratch[:0], l.base...))
	return text.WellFormed(string(l.scratch))
}
