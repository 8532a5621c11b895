package toolkit

import (
	"bytes"
	"context"
	"fmt"
	"iter"
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
	json    *page.Tree
	prefix  string // requested path with a trailing slash, or "" for the root
	scratch []byte
}

// run adds the nodes and writes the result.
func (r request) run(ctx context.Context, b tool.Budget) (tool.Result, error) {
	dir, err := r.open()
	if err != nil {
		return tool.Result{}, err
	}
	json := page.NewTree(b, `{"root":`, `,"children":[`, closeNode)
	v := &traversal{request: r, json: json}
	at := r.location.Path()
	if at != "." {
		v.prefix = at + "/"
	}
	v.add(page.Node{Kind: workspace.Directory}, at, r.maxDepth == 0 && r.maxEntries > 1)
	if dir != nil {
		defer dir.Close()
		if err := v.addChildren(ctx, dir); err != nil {
			return tool.Result{}, err
		}
	}
	return v.write(b)
}

// addChildren adds the nodes below the root, as long as they may fit.
func (v *traversal) addChildren(ctx context.Context, dir *workspace.Dir) error {
	o := walk.Options{
		Depth:     v.maxDepth,
		Limit:     v.maxEntries - 1, // the root is a node too
		NameOrder: names.Order{Class: class, Key: text.UTF16Key},
		Filter: func(d *walk.Directory, name []byte, kind workspace.EntryKind) walk.Decision {
			return v.filter(ctx, d, name, kind)
		},
	}
	return v.addAll(walk.Entries(ctx, dir, o))
}

// addAll adds a node for each entry. The node of a directory whose later names cannot be read gets
// its error when they fail.
func (v *traversal) addAll(entries iter.Seq2[walk.Entry, error]) error {
	for e, err := range entries {
		if e.Dir == nil {
			return err
		}
		if e.ForError {
			failure := toolerror.Text(err)
			v.json.Fail(e.Depth(), appendError(nil, failure), failure)
			continue
		}
		n := page.Node{Depth: e.Depth(), Kind: e.Kind}
		if err != nil {
			n.Failure = toolerror.Text(err)
		}
		isDeepest := n.Kind == workspace.Directory && n.Depth == v.maxDepth
		isLast := v.json.Count()+1 == v.maxEntries
		if !v.add(n, v.fullPath(e), isDeepest && !isLast) {
			return nil
		}
	}
	return nil
}

// filter omits the entries that do not become nodes.
func (v *traversal) filter(
	ctx context.Context, dir *walk.Directory, name []byte, kind workspace.EntryKind,
) walk.Decision {
	isFile := kind == workspace.Regular || kind == workspace.Symlink
	switch {
	case kind != workspace.Directory && !(isFile && v.files),
		!v.hidden && bytes.HasPrefix(name, []byte(".")),
		v.excludesDefaults && slices.Contains(defaultExcludes, string(name)):
		return walk.Omit
	case len(v.exclude) == 0:
		return walk.Show
	case v.exclude.match(ctx, v.fullPath(walk.Entry{Name: name, Dir: dir})):
		return walk.Omit
	default:
		return walk.Show
	}
}

// fullPath returns the path of an entry from the workspace root.
func (v *traversal) fullPath(e walk.Entry) string {
	v.scratch = e.AppendPath(append(v.scratch[:0], v.prefix...))
	return text.Lossy(v.scratch)
}

// add adds the node with a path, which is relative to the workspace root. It reports whether more
// nodes may fit.
func (v *traversal) add(n page.Node, at string, truncated bool) bool {
	v.json.Begin(n.Depth)
	kind := [...]string{"directory", "file", "symlink"}[class(n.Kind)]
	b := text.AppendQuote(append(v.json.Text, `{"kind":`...), kind)
	b = text.AppendQuote(append(b, `,"name":`...), path.Base(at))
	b = text.AppendQuote(append(b, `,"path":`...), at)
	b = strconv.AppendInt(append(b, `,"depth":`...), int64(n.Depth), 10)
	if truncated {
		b = append(b, `,"truncated":true`...)
	}
	if n.Failure != "" {
		b = appendError(b, n.Failure)
	}
	v.json.Text = b
	return v.json.End(n)
}

func appendError(b []byte, failure string) []byte {
	return text.AppendQuote(append(b, `,"error":`...), failure)
}

// closeNode closes a node, and the nodes above it up to one at depth.
func closeNode(b []byte, n page.Node, depth int) []byte {
	b = append(b, '}')
	for range n.Depth - depth {
		b = append(b, "]}"...)
	}
	return b
}

func (v *traversal) write(b tool.Budget) (tool.Result, error) {
	isFull := v.json.Count() == v.maxEntries
	result, ok := v.json.Finish(1, func(kept []page.Node) (end, notice string) {
		var counts [3]int // by class
		for _, n := range kept {
			counts[class(n.Kind)]++
		}
		isCut := len(kept) < v.json.Count()
		return fmt.Sprintf(`,"limit_reached":%t,"scanned_entries":%d,`+
			`"total_dirs":%d,"total_files":%d,"total_symlinks":%d}`,
			isCut || isFull, len(kept), counts[0], counts[1], counts[2]), ""
	})
	if !ok {
		return tool.Result{}, toolerror.TooSmall(b)
	}
	result.Truncated = result.Truncated || isFull
	return result, nil
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
