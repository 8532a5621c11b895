package command

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"

	"gander/internal/files/workspace"
)

// Omissions counts what the commands of a script could not read. It is safe for concurrent use.
type Omissions struct {
	Denied     atomic.Int64 // by a deny pattern
	Unreadable atomic.Int64 // for another reason than that it does not exist
}

// Count counts an error of a file or directory.
func (o *Omissions) Count(err error) {
	switch {
	case errors.Is(err, workspace.ErrDenied):
		o.Denied.Add(1)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, workspace.ErrNotRegular):
		o.Unreadable.Add(1)
	}
}

// Files is what a command sees of the workspace: paths relative to the directory of the shell,
// absolute paths inside the roots, and the names in Special. It is for one goroutine.
type Files struct {
	Workspace *workspace.Workspace
	Dir       string // absolute: where relative paths begin
	Omitted   *Omissions
	// Special returns the inputs at some paths: /dev/stdin, and process substitutions.
	Special map[string]func() *Input

	// The directories on the way to the last file, the first of which is Dir: the next file is often
	// near.
	near []nearDir
}

type nearDir struct {
	name string
	dir  *workspace.Dir
}

// Close closes the directories that f keeps open.
func (f *Files) Close() { f.leave(0) }

// Absolute returns the absolute path of p. It does not clean it: ".." follows the symlinks before
// it, as in the system.
func (f *Files) Absolute(p string) string {
	if strings.HasPrefix(p, "/") {
		return p
	}
	return strings.TrimSuffix(f.Dir, "/") + "/" + p
}

// Find returns the location of p. The errors of this and the other methods have a text for Message.
func (f *Files) Find(ctx context.Context, p string) (workspace.Location, error) {
	if p == "" {
		return workspace.Location{}, syscall.ENOENT
	}
	return f.Workspace.Find(ctx, f.Absolute(p))
}

// Stat returns what is known of what p leads to.
func (f *Files) Stat(ctx context.Context, p string) (workspace.Info, error) {
	if f.Special[p] != nil || p == "/dev/null" {
		return workspace.Info{Kind: workspace.Other}, nil
	}
	location, err := f.Find(ctx, p)
	if err != nil {
		return workspace.Info{}, err
	}
	return location.Stat()
}

// Open opens what p names for reading, as an operand or after "<". The caller closes it.
func (f *Files) Open(ctx context.Context, p string) (*Input, error) {
	if special := f.Special[p]; special != nil {
		return special(), nil
	}
	if p == "/dev/null" {
		return NoInput(), nil
	}
	file, err := f.File(ctx, p)
	if err != nil {
		return nil, err
	}
	return FileInput(ctx, file), nil
}

// File opens a regular file. The caller closes it.
func (f *Files) File(ctx context.Context, p string) (*workspace.File, error) {
	if file := f.nearby(ctx, p); file != nil {
		return file, nil
	}
	location, err := f.Find(ctx, p)
	if err != nil {
		return nil, err
	}
	file, err := location.File()
	if err != nil {
		f.Omitted.Count(err)
		return nil, err
	}
	return file, nil
}

// maxNear is the maximum number of directories that a Files keeps open.
const maxNear = 16

// nearby opens p through the directories that f keeps open, or returns nil: p must be in a
// directory below that of the shell, on a way without symlinks.
func (f *Files) nearby(ctx context.Context, p string) *workspace.File {
	rest, isBelow := strings.CutPrefix(f.Absolute(p), strings.TrimSuffix(f.Dir, "/")+"/")
	names := strings.Split(rest, "/")
	last := len(names) - 1
	name := names[last]
	names = slices.DeleteFunc(names[:last], func(s string) bool { return s == "" || s == "." })
	if !isBelow || len(names) == 0 || len(names) >= maxNear || slices.Contains(names, "..") {
		return nil
	}
	dir := f.enter(ctx, append([]string{f.Dir}, names...))
	if dir == nil || !dir.Exact(name) {
		return nil
	}
	file, err := dir.File(name, workspace.Unknown)
	if err != nil {
		return nil // a symlink, for example
	}
	return file
}

// enter opens the directory on a way that begins with that of the shell, or returns nil. It keeps
// the directories that both this way and the last one have.
func (f *Files) enter(ctx context.Context, way []string) *workspace.Dir {
	kept := 0
	for kept < min(len(way), len(f.near)) && f.near[kept].name == way[kept] {
		kept++
	}
	f.leave(kept)
	for _, name := range way[kept:] {
		var dir *workspace.Dir
		var err error
		if len(f.near) == 0 {
			var start workspace.Location
			if start, err = f.Find(ctx, name); err == nil {
				dir, err = start.Dir()
			}
		} else if last := f.near[len(f.near)-1].dir; last.Exact(name) {
			dir, err = last.Open(name)
		}
		if dir == nil || err != nil {
			return nil
		}
		f.near = append(f.near, nearDir{name, dir})
	}
	return f.near[len(way)-1].dir
}

// leave closes all directories but the first n.
func (f *Files) leave(n int) {
	for _, d := range f.near[n:] {
		d.dir.Close()
	}
	f.near = f.near[:n]
}

// Directory opens a directory. The caller closes it.
func (f *Files) Directory(ctx context.Context, p string) (*workspace.Dir, error) {
	location, err := f.Find(ctx, p)
	if err != nil {
		return nil, err
	}
	dir, err := location.Dir()
	if err != nil {
		f.Omitted.Count(err)
	}
	return dir, err
}

// Message returns the text of an error as GNU programs print it. What is outside the workspace gets
// one text, whether or not it exists.
func Message(err error) string {
	var errno syscall.Errno
	switch {
	case errors.Is(err, workspace.ErrOutside):
		return "Permission denied (outside the directories of this server)"
	case errors.Is(err, workspace.ErrDenied):
		return "Permission denied"
	case errors.Is(err, workspace.ErrIsDirectory):
		return "Is a directory"
	case errors.Is(err, workspace.ErrNotDirectory):
		return "Not a directory"
	case errors.Is(err, workspace.ErrNotRegular):
		return "Permission denied (not a regular file)"
	case errors.Is(err, workspace.ErrLoop):
		return "Too many levels of symbolic links"
	case errors.Is(err, fs.ErrNotExist):
		return "No such file or directory"
	case errors.Is(err, fs.ErrPermission):
		return "Permission denied"
	case errors.As(err, &errno):
		text := errno.Error()
		return strings.ToUpper(text[:1]) + text[1:]
	}
	return err.Error()
}
