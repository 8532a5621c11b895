package ignore

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"gander/internal/admission"
	"gander/internal/files/workspace"
)

const (
	// maxTotal is the maximum total size of the ignore files for one directory in bytes. Their rules
	// take up to perByte times as much memory.
	maxTotal  = 512 << 10
	perByte   = 20       // bytes of memory for a byte of that total
	smallSize = 32 << 10 // the total from which the memory is reserved
	// lineSize is the size that each line adds to that total, for the memory of its rule.
	lineSize = 32
)

// A source is an ignore file that a directory may have.
type source struct {
	ToolFile
	rank     int
	noFollow bool                // a symlink counts as absent
	at       *workspace.Location // if not nil, where the file is instead
}

// A reader reads the ignore files of the chains that come from one Open.
type reader struct {
	ctx       context.Context // of the walk, which enters directories one by one
	workspace *workspace.Workspace
	root      workspace.Location
	o         Options
	hidesGit  bool // git's own directory is ignored
	reserved  bool // the memory for large ignore files is reserved
}

// reserve reserves the memory for large ignore files, until the context is done. left is how much
// may follow in a directory.
func (r *reader) reserve(left int) error {
	if r.reserved || maxTotal-left < smallSize {
		return nil
	}
	const memory = perByte * maxTotal
	if err := admission.Reserve(r.ctx, memory); err != nil {
		return err
	}
	r.reserved = true
	context.AfterFunc(r.ctx, func() { admission.Release(r.ctx, memory) })
	return nil
}

// A folder is a directory whose ignore files are read.
type folder struct {
	path string         // relative to the root, "" for the root
	dir  *workspace.Dir // if nil, files are found by path
}

// find returns the location of a file of a folder.
func (r *reader) find(in folder, name string) workspace.Location {
	return r.root.Join(path.Join(in.path, name))
}

// open opens an ignore file of a folder.
func (r *reader) open(in folder, s source) (*workspace.File, error) {
	if s.at != nil {
		return s.at.File()
	}
	isEntry := !strings.Contains(s.Name, "/")
	if in.dir != nil && isEntry {
		f, err := in.dir.File(s.Name, workspace.Unknown) // which follows no symlink
		if s.noFollow || !errors.Is(err, workspace.ErrNotRegular) {
			return f, err
		}
	}
	location := r.find(in, s.Name)
	if s.noFollow {
		info, err := location.Lstat()
		if err != nil {
			return nil, err
		}
		if info.Kind != workspace.Regular {
			return nil, workspace.ErrNotRegular
		}
	}
	return location.File()
}

// sharedExclude returns where the exclude file of a linked worktree or of a submodule is: its .git
// is a file that names git's directory, which may name the one that it shares. It returns nil for
// other folders, and if these are outside the workspace.
func (r *reader) sharedExclude(in folder) (*workspace.Location, error) {
	top := filepath.Join(r.workspace.Resolved()[r.root.Root()], filepath.FromSlash(in.path))
	dir, err := pathIn(r.find(in, gitDirectory), top, "gitdir: ")
	if dir == "" || err != nil {
		return nil, err
	}
	location, err := r.workspace.Find(r.ctx, filepath.Join(dir, "commondir"))
	if err != nil {
		return nil, unlessAbsent(err)
	}
	common, err := pathIn(location, dir, "")
	if err != nil {
		return nil, err
	}
	location, err = r.workspace.Find(r.ctx, filepath.Join(cmp.Or(common, dir), "info", "exclude"))
	if err != nil {
		return nil, unlessAbsent(err)
	}
	return &location, nil
}

// pathIn returns the path that a small file has after a prefix, or "". A relative one begins at
// dir.
func pathIn(at workspace.Location, dir, prefix string) (path string, err error) {
	f, err := at.File()
	if err != nil {
		return "", unlessAbsent(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.NewSectionReader(f, 0, 4<<10))
	path, ok := strings.CutPrefix(strings.TrimSpace(string(data)), prefix)
	if err != nil || !ok || path == "" {
		return "", err
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	return filepath.Clean(path), nil
}

// isRepository reports whether a folder is a separate repository inside the root.
func (r *reader) isRepository(in folder) (bool, error) {
	if !r.o.Git || !r.o.Nested {
		return false, nil
	}
	var err error
	if in.dir != nil {
		_, err = in.dir.Lstat(gitDirectory)
	} else {
		_, err = r.find(in, gitDirectory).Lstat()
	}
	return err == nil, unlessAbsent(err)
}

// read returns the content of an ignore file of a folder, or more than left bytes of it. It returns
// nil for a file that counts as absent.
func (r *reader) read(in folder, s source, left int) ([]byte, error) {
	if err := r.ctx.Err(); err != nil {
		return nil, err
	}
	f, err := r.open(in, s)
	if err != nil {
		return nil, unlessAbsent(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.NewSectionReader(f, 0, int64(left)+1))
	if err != nil {
		return nil, unlessAbsent(err)
	}
	return data, nil
}

// unlessAbsent returns an error unless it means that a file is absent or unreadable.
func unlessAbsent(err error) error {
	isAbsent := slices.ContainsFunc([]error{
		fs.ErrNotExist, fs.ErrPermission, workspace.ErrNotDirectory, workspace.ErrIsDirectory,
		workspace.ErrNotRegular, workspace.ErrLoop, workspace.ErrOutside, workspace.ErrBadPath,
		syscall.ENAMETOOLONG,
	}, func(target error) bool { return errors.Is(err, target) })
	if isAbsent {
		return nil
	}
	return err
}
