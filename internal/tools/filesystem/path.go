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
	"unicode/utf8"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/paths"
	"gander/internal/tools/shared"
	"gander/tool"
)

// A resolved is what a path of a call leads to.
type resolved struct {
	location workspace.Location // as requested: deny patterns apply to each name of the path
	path     string             // absolute and without symlinks, for output
	err      error              // if not nil, the failure of the tool's own system call
}

// find resolves a path. A missing file is an error of the system call that follows, not of find.
func (t *Tool) find(ctx context.Context, given string) (resolved, error) {
	path, err := t.absolute(given)
	if err != nil {
		return resolved{}, err
	}
	location, err := t.workspace.Find(path)
	if err != nil {
		return resolved{}, t.resolveError(err, path)
	}
	found, err := t.resolve(location, path)
	if errors.Is(err, fs.ErrNotExist) {
		return t.findEquivalent(ctx, path)
	}
	return found, err
}

// absolute returns an absolute path without "." and "..". It must begin with an allowed directory.
// It does not access files.
func (t *Tool) absolute(given string) (string, error) {
	path := given
	if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || rest[0] == '/') {
		path = filepath.Join(t.settings.Home, rest)
	}
	if runtime.GOOS == "windows" {
		path = windowsPath(path)
	} else if paths.HasDrive(path) && (len(path) == 2 || path[2] == '/' || path[2] == '\\') {
		const message = "Access denied - Windows-style path received on a POSIX host: "
		return "", &tool.Error{Kind: tool.Outside, Message: message + given, Err: workspace.ErrOutside}
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

// windowsPath converts /c/x to c:/x, and drive letters to upper case.
func windowsPath(path string) string {
	if len(path) > 2 && path[0] == '/' && path[2] == '/' {
		if drive := path[1:2] + ":"; paths.HasDrive(drive) {
			path = drive + path[2:]
		}
	}
	if paths.HasDrive(path) {
		path = strings.ToUpper(path[:1]) + path[1:]
	}
	return path
}

// outside returns the error for a path that is outside the workspace, or for a symlink to it.
func (t *Tool) outside(what, path string) error {
	message := fmt.Sprintf("Access denied - %s outside allowed directories: %s not in %s",
		what, path, strings.Join(t.workspace.Spellings(), ", "))
	return &tool.Error{Kind: tool.Outside, Message: message, Err: workspace.ErrOutside}
}

// resolve resolves a location, whose path in errors is shown. If the location does not exist, the
// error wraps [fs.ErrNotExist].
func (t *Tool) resolve(location workspace.Location, shown string) (resolved, error) {
	real, err := location.Resolve()
	switch {
	case errors.Is(err, workspace.ErrDenied):
		return resolved{path: shown, err: err}, nil
	case errors.Is(err, fs.ErrNotExist):
		return resolved{}, err
	case err != nil:
		return resolved{}, t.resolveError(err, shown)
	}
	path := real.Absolute()
	if !utf8.ValidString(path) { // the original uses the lossy path
		return resolved{path: text.WellFormed(path), err: fs.ErrNotExist}, nil
	}
	return resolved{location: location, path: path}, nil
}

// resolveError returns the error for a path that cannot be resolved.
func (t *Tool) resolveError(err error, path string) error {
	if !errors.Is(err, workspace.ErrOutside) {
		return newError(err, "realpath", path)
	}
	if out, ok := errors.AsType[*workspace.OutsideError](err); ok {
		path = out.Path
	}
	return t.outside("symlink target", text.WellFormed(path))
}

// findEquivalent finds a path that does not exist, component by component. A component selects the
// entry of that name, or else the only entry with a canonically equivalent name.
func (t *Tool) findEquivalent(ctx context.Context, path string) (resolved, error) {
	dir := ""
	for _, d := range t.workspace.Spellings() {
		if len(d) > len(dir) && within(path, []string{d}) {
			dir = d
		}
	}
	location, err := t.workspace.Find(dir)
	if err != nil {
		return resolved{}, t.resolveError(err, dir)
	}
	at, err := t.resolve(location, dir)
	rest := strings.FieldsFunc(path[len(dir):], func(r rune) bool { return r == filepath.Separator })
	for i := 0; err == nil && at.err == nil && i < len(rest); i++ {
		var found []string
		found, err = equivalents(ctx, at.location, rest[i])
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return resolved{}, newError(err, "scandir", at.path)
		case len(found) > 1:
			return resolved{}, shared.BadArguments("Ambiguous Unicode path component: %s", rest[i])
		case len(found) == 0:
			missing := filepath.Join(at.path, filepath.Join(rest[i:]...))
			return resolved{path: missing, err: fs.ErrNotExist}, nil
		default:
			at, err = t.resolve(at.location.Join(found[0]), filepath.Join(at.path, found[0]))
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return resolved{}, shared.NewError(err, "Parent directory does not exist: "+filepath.Dir(path))
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

// newError returns the error of a system call that failed with err, with the text of Node.js.
func newError(err error, call, path string) error {
	if errors.Is(err, workspace.ErrIsDirectory) {
		return shared.NewError(err, "EISDIR: illegal operation on a directory, read")
	}
	words := shared.NodeTexts().Of(err)
	if errors.Is(err, fs.ErrNotExist) && len(path) > maxPath {
		words = shared.NodeTexts().Of(syscall.ENAMETOOLONG)
	}
	return shared.NewError(err, fmt.Sprintf("%s, %s '%s'", words, call, text.Cut(path, maxShown)))
}

const (
	maxPath  = 4095     // maximum length of a path on Linux
	maxShown = 16 << 10 // maximum length of a path in an error
)
