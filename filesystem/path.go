package filesystem

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/paths"
	"gander/internal/tools/toolerror"
	"gander/tool"
)

// A place is the location at a path of a call.
type place struct {
	location workspace.Location // as requested: deny patterns apply to each name of the path
	path     string             // absolute and without symlinks, for output
	lossy    bool               // path is not the real one, which is not UTF-8
}

// find resolves a path of a call. If the error is not a [tool.Error], the tool's own system call
// fails with it at the returned place.
func (t *fileTool) find(ctx context.Context, given string) (place, error) {
	path, err := t.absolute(given)
	if err != nil {
		return place{}, err
	}
	at, err := t.resolve(ctx, path)
	if errors.Is(err, fs.ErrNotExist) {
		at, err = t.findEquivalent(ctx, path)
	}
	if err == nil && at.lossy {
		err = fs.ErrNotExist // the original looks for the lossy path
	}
	return at, err
}

// openDir opens the directory at a path of a call.
func (t *fileTool) openDir(
	ctx context.Context, path string,
) (dir *workspace.Dir, at place, err error) {
	at, err = t.find(ctx, path)
	if err == nil {
		dir, err = at.location.Dir()
	}
	return dir, at, newError(err, "scandir", at.path)
}

// openFile opens the file at a place. Like the original, it also opens a directory, before the
// error about its kind.
func (at place) openFile() (*workspace.File, error) {
	f, err := at.location.File()
	if errors.Is(err, workspace.ErrIsDirectory) {
		dir, failure := at.location.Dir()
		if failure != nil {
			return nil, newError(failure, "open", at.path)
		}
		_ = dir.Close()
	}
	return f, newError(err, "open", at.path)
}

// absolute returns an absolute path without "." and "..". It must begin with an allowed directory.
// It does not access files.
func (t *fileTool) absolute(given string) (string, error) {
	path := given
	if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || rest[0] == '/') {
		path = filepath.Join(t.home, rest)
	}
	if runtime.GOOS == "windows" {
		path = windowsPath(path)
	} else if hasDriveRoot(path) {
		const message = "Access denied - Windows-style path received on a POSIX host: "
		return "", toolerror.New(workspace.ErrOutside, message+given)
	}
	dirs := t.workspace.Spellings()
	var err error
	if paths.IsNodeAbsolute(path) {
		path, err = filepath.Abs(path) // as path.resolve, with the current drive if it has none
	} else {
		path = relative(path, dirs)
	}
	if err != nil || strings.ContainsRune(path, 0) || !within(path, dirs) {
		return "", t.outside("path", path)
	}
	return path, nil
}

// hasDriveRoot reports whether a path is a drive, or begins with a drive and a separator.
func hasDriveRoot(path string) bool {
	return paths.HasDrive(path) && (len(path) == 2 || strings.ContainsRune(`/\`, rune(path[2])))
}

// windowsPath converts /c/x to c:/x, and drive letters to upper case.
func windowsPath(path string) string {
	// as shells of Unix on Windows write it
	isShort := len(path) > 2 && path[0] == '/' && path[2] == '/'
	if isShort && paths.HasDrive(path[1:2]+":") {
		path = path[1:2] + ":" + path[2:]
	}
	if paths.HasDrive(path) {
		path = strings.ToUpper(path[:1]) + path[1:]
	}
	return path
}

// relative resolves a relative path against the first directory that keeps it inside dirs, or else
// against the first of all.
func relative(path string, dirs []string) string {
	for _, dir := range dirs {
		if candidate := filepath.Join(dir, path); within(candidate, dirs) {
			return candidate
		}
	}
	return filepath.Join(dirs[0], path)
}

const separator = string(filepath.Separator)

// within reports whether an absolute path is in one of the directories.
func within(path string, dirs []string) bool {
	return slices.ContainsFunc(dirs, func(dir string) bool {
		return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, separator)+separator)
	})
}

// outside returns the error for a path that is outside the workspace, or for a symlink to it.
func (t *fileTool) outside(what, path string) error {
	message := fmt.Sprintf("Access denied - %s outside allowed directories: %s not in %s",
		what, path, strings.Join(t.workspace.Spellings(), ", "))
	return toolerror.New(workspace.ErrOutside, message)
}

// resolve resolves a path. An error is a tool error, unless the location is denied or does not
// exist.
func (t *fileTool) resolve(ctx context.Context, path string) (place, error) {
	location, err := t.workspace.Find(ctx, path)
	if err != nil {
		return place{path: path}, t.resolveError(path, err)
	}
	return t.resolveAt(path, location)
}

// resolveAt is resolve for a path and its location.
func (t *fileTool) resolveAt(path string, location workspace.Location) (place, error) {
	real, err := location.Resolve()
	if err != nil {
		return place{path: path}, t.resolveError(path, err)
	}
	shown := text.Lossy(real.Absolute())
	return place{location, shown, shown != real.Absolute()}, nil
}

func (t *fileTool) resolveError(path string, err error) error {
	out, isLink := errors.AsType[*workspace.OutsideError](err)
	switch {
	case isLink:
		return t.outside("symlink target", out.Path)
	case errors.Is(err, workspace.ErrOutside):
		return t.outside("symlink target", path)
	case errors.Is(err, workspace.ErrDenied), errors.Is(err, fs.ErrNotExist):
		return err
	default:
		return newError(err, "realpath", path)
	}
}

// findEquivalent finds a path that does not exist, component by component. A component selects the
// entry of that name, or else the only entry with a canonically equivalent name. If there is none,
// the tool's own system call fails.
func (t *fileTool) findEquivalent(ctx context.Context, path string) (place, error) {
	dir := ""
	for _, d := range t.workspace.Spellings() {
		if len(d) > len(dir) && within(path, []string{d}) {
			dir = d
		}
	}
	at, err := t.resolve(ctx, dir)
	rest := strings.FieldsFunc(path[len(dir):], func(r rune) bool { return r == filepath.Separator })
	for i := 0; err == nil && i < len(rest); i++ {
		var found []string
		found, err = equivalents(ctx, at.location, rest[i])
		switch {
		case err != nil:
			err = newError(err, "scandir", at.path)
		case len(found) > 1:
			err = toolerror.BadArguments("Ambiguous Unicode path component: %s", rest[i])
		case len(found) == 0:
			missing := filepath.Join(at.path, filepath.Join(rest[i:]...))
			return place{path: missing}, fs.ErrNotExist
		default:
			at, err = t.resolveAt(filepath.Join(at.path, found[0]), at.location.Join(found[0]))
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = toolerror.New(err, "Parent directory does not exist: "+filepath.Dir(path))
	}
	return at, err
}

// equivalents returns the name of the entry of that name, or else the first two names that are
// canonically equivalent to it, if any.
func equivalents(
	ctx context.Context, location workspace.Location, name string,
) (found []string, err error) {
	dir, err := location.Dir()
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	normal := text.Compose(name)
	err = dir.Names(ctx, func(entry []byte, _ workspace.EntryKind) bool {
		other := text.Lossy(entry)
		if other == name {
			found = []string{name}
			return false
		}
		if len(found) < 2 && text.Compose(other) == normal {
			found = append(found, other)
		}
		return true
	})
	return found, err
}

const (
	maxPath  = 4095     // maximum length of a path on Linux
	maxShown = 16 << 10 // maximum length of a path in an error
)

// newError returns the error of a system call that failed with err, if any.
func newError(err error, call, path string) error {
	_, isComplete := errors.AsType[*tool.Error](err)
	switch {
	case isComplete:
		return err
	case errors.Is(err, workspace.ErrIsDirectory):
		return toolerror.New(err, "EISDIR: illegal operation on a directory, read")
	case errors.Is(err, fs.ErrNotExist) && len(path) > maxPath:
		err = syscall.ENAMETOOLONG
	}
	return toolerror.Node(err, call, text.Cut(path, maxShown))
}
