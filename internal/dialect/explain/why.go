// Package why knows why a tool does not show a path: it follows the path from its root down and asks the tool about every
// entry on the way. It knows no tool's rules, which the tools judge by themselves with the filters that they list with,
// and it describes nothing that lies outside the workspace.
package explain

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"gander/internal/dialect"
	"gander/internal/engine/workspace"
	"gander/tool"
)

// The causes that no tool has of its own; those of the tools are [dialect.CauseHidden] and its like.
const (
	Shown      = "shown"
	Outside    = "outside"
	Denied     = "denied"
	Unreadable = "unreadable"
	Depth      = "depth"
	Limit      = "limit"
	Empty      = "empty"
)

// A Reason is why a tool does not show a path, or that it does. See gander.Reason.
type Reason struct {
	Cause string
	Rule  string
	// At is the entry that the cause holds for, the path itself or a directory above it, relative to the root.
	At string
}

// Explain says why a tool does not show what is at a path of the workspace, where calls name a directory or a file and say
// nothing else. Where a tool lists a few levels only, the directories on the way are listed one after the other, as a
// model would; what hides the path from all these listings is the reason. A relative path is one of the first root, and
// ".." is taken lexically. There is nothing to say about tools that are neither [dialect.Lister] nor a [dialect.Reader].
//
// Errors are of type [*tool.Error]: nothing is at the path, or it cannot be told.
func Explain(ctx context.Context, w *workspace.Workspace, t tool.Tool, name string, b tool.Budget) (Reason, error) {
	y, err := follow(ctx, w, name)
	if errors.Is(err, workspace.ErrOutside) {
		return Reason{Cause: Outside}, nil
	}
	if err != nil {
		return Reason{}, refuse(name, err)
	}
	defer y.close()
	if y.outside {
		return Reason{Cause: Outside, At: y.end.At}, nil
	}
	switch t := t.(type) {
	case dialect.Reader:
		return y.read(ctx, t, b)
	case dialect.Lister:
		return y.see(ctx, t, 0, b)
	default:
		return Reason{}, fmt.Errorf("nothing is known about what %s shows", t.Spec().ID)
	}
}

// refuse words an error of the engine about a path.
func refuse(name string, err error) error {
	shown := dialect.Excerpt(name)
	switch {
	case errors.Is(err, workspace.ErrNotDirectory):
		return dialect.NewError(err, shown+" leads through what is not a directory")
	case errors.Is(err, fs.ErrNotExist):
		return dialect.NewError(err, "there is no "+shown+" in the workspace")
	case errors.Is(err, workspace.ErrBadPath):
		return dialect.NewError(err, "a path must not contain a NUL character")
	default:
		return dialect.NewError(err, "cannot look at "+shown+": "+dialect.ErrorText(err))
	}
}

// A way is the entries from a root down to a path, as far as they can be seen.
type way struct {
	root  string   // absolute
	names []string // from the root to the path; none is the root itself
	steps []step   // one for each name, or fewer where end is in the way
	end   Reason   // why nothing below the last step is listed
	// outside: the path leads out of the workspace, through a link.
	outside bool
}

// A step is an entry on the way, and the open directory that it lies in.
type step struct {
	dir  *workspace.Dir
	kind workspace.EntryKind
}

func (y *way) close() {
	for _, s := range y.steps {
		s.dir.Close()
	}
}

// at is the path of the first n names, relative to the root.
func (y *way) at(n int) string {
	if n == 0 {
		return "."
	}
	return path.Join(y.names[:n]...)
}

// follow goes from the root down.
func follow(ctx context.Context, w *workspace.Workspace, name string) (*way, error) {
	if !filepath.IsAbs(name) {
		name = filepath.Join(w.Roots()[0], name)
	}
	name = filepath.Clean(name)
	whole, err := w.Find(name)
	if err != nil {
		return nil, err
	}
	y := &way{root: name}
	if rel := whole.Path(); rel != "." {
		y.names = strings.Split(rel, "/")
		y.root = strings.TrimSuffix(name, filepath.FromSlash(rel))
	}
	root, err := w.Find(y.root)
	if err != nil {
		return nil, err
	}
	dir, err := root.Dir()
	if err != nil {
		return nil, err
	}
	if err := y.descend(ctx, dir, whole); err != nil {
		y.close()
		return nil, err
	}
	return y, nil
}

// descend takes the steps from dir, the root. The last directory that was opened is closed with its step, or here.
func (y *way) descend(ctx context.Context, dir *workspace.Dir, whole workspace.Place) error {
	for i, name := range y.names {
		kind, err := kindOf(ctx, dir, name)
		if err != nil {
			dir.Close()
			if !errors.Is(err, fs.ErrPermission) {
				return err
			}
			y.end = Reason{Unreadable, dialect.ErrorText(err), y.at(i)}
			return nil
		}
		y.steps = append(y.steps, step{dir, kind})
		if i == len(y.names)-1 {
			return nil
		}
		if kind == workspace.Symlink {
			return y.link(i, whole)
		}
		sub, err := dir.Open(name)
		dir.Release()
		if err != nil {
			return y.stop(i, err)
		}
		dir = sub
	}
	return dir.Close()
}

// kindOf returns the kind of an entry, also where the directory may be read but not searched.
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

// link ends the way at a symlink, behind which the path leads on.
func (y *way) link(i int, whole workspace.Place) error {
	y.end = Reason{dialect.CauseLink, "listings do not follow links", y.at(i + 1)}
	_, err := whole.Lstat()
	switch {
	case errors.Is(err, workspace.ErrOutside):
		y.outside = true
		return nil
	case errors.Is(err, fs.ErrPermission): // a deny pattern or the system; the link is in the way of listings all the same
		return nil
	default:
		return err
	}
}

// stop ends the way at a directory that cannot be opened.
func (y *way) stop(i int, err error) error {
	var denied *workspace.DeniedError
	switch {
	case errors.As(err, &denied):
		y.end = Reason{Denied, denied.Pattern, y.at(i + 1)}
	case errors.Is(err, fs.ErrPermission):
		y.end = Reason{Unreadable, dialect.ErrorText(err), y.at(i + 1)}
	default:
		return err
	}
	return nil
}
