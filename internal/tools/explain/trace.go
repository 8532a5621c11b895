package explain

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"gander/internal/files/workspace"
	"gander/tool"
)

// A trace is the entries from a root down to a path, as far as they can be seen.
type trace struct {
	root       string      // absolute
	names      []string    // from the root to the path; none for the root itself
	components []component // one for each name, or fewer if the trace ends early
	end        tool.Reason // why no listing shows anything below the last component
	outside    bool        // the path leads out of the workspace, through a link
}

// A component is an entry of the trace, and the open directory that holds it.
type component struct {
	dir  *workspace.Dir
	kind workspace.EntryKind
}

// newTrace follows a path. A relative one is relative to the first root, and ".." is resolved lexically.
func newTrace(ctx context.Context, w *workspace.Workspace, name string) (*trace, error) {
	if !filepath.IsAbs(name) {
		name = filepath.Join(w.Roots()[0], name)
	}
	name = filepath.Clean(name)
	whole, err := w.Find(name)
	if err != nil {
		return nil, err
	}
	tr := &trace{root: name}
	if rel := whole.Path(); rel != "." {
		tr.names = strings.Split(rel, "/")
		tr.root = strings.TrimSuffix(name, filepath.FromSlash(rel))
	}
	root, err := w.Find(tr.root)
	if err != nil {
		return nil, err
	}
	dir, err := root.Dir()
	if err != nil {
		return nil, err
	}
	if err := tr.descend(ctx, dir, whole); err != nil {
		tr.close()
		return nil, err
	}
	return tr, nil
}

func (tr *trace) close() {
	for _, c := range tr.components {
		c.dir.Close()
	}
}

// prefix returns the path of the first n names, relative to the root.
func (tr *trace) prefix(n int) string {
	if n == 0 {
		return "."
	}
	return path.Join(tr.names[:n]...)
}

// descend adds the components, beginning in dir, which is the root. It closes the last directory that it opens, or the
// component that holds it does.
func (tr *trace) descend(ctx context.Context, dir *workspace.Dir, whole workspace.Location) error {
	for i, name := range tr.names {
		kind, err := kindOf(ctx, dir, name)
		if err != nil {
			dir.Close()
			tr.end, err = reasonOf(err, tr.prefix(i))
			return err
		}
		tr.components = append(tr.components, component{dir, kind})
		if i == len(tr.names)-1 {
			return nil
		}
		if kind == workspace.Symlink {
			return tr.endAtLink(i, whole)
		}
		sub, err := dir.Open(name)
		dir.Release()
		if err != nil {
			tr.end, err = reasonOf(err, tr.prefix(i+1))
			return err
		}
		dir = sub
	}
	return dir.Close()
}

// kindOf returns the kind of an entry, even if its directory may be read but not searched.
func kindOf(ctx context.Context, dir *workspace.Dir, name string) (workspace.EntryKind, error) {
	info, err := dir.Lstat(name)
	if !errors.Is(err, fs.ErrPermission) {
		return info.Kind, err
	}
	found := fs.ErrNotExist
	kind := workspace.Unknown
	err = dir.Names(ctx, func(entry []byte, k workspace.EntryKind) bool {
		if string(entry) == name {
			found, kind = nil, k
		}
		return found != nil
	})
	return kind, errors.Join(err, found)
}

// endAtLink ends the trace at a symlink on the way.
func (tr *trace) endAtLink(i int, whole workspace.Location) error {
	tr.end = tool.Reason{Cause: tool.CauseLink, Rule: "listings do not follow links", At: tr.prefix(i + 1)}
	_, err := whole.Lstat()
	switch {
	case errors.Is(err, workspace.ErrOutside):
		tr.outside = true
		return nil
	case errors.Is(err, fs.ErrPermission): // by a deny pattern or the system; either way the link ends listings
		return nil
	default:
		return err
	}
}
