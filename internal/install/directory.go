package install

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// maxFileSize bounds the size of a client's file. The parser needs some hundred bytes for a value.
const maxFileSize = 4 << 20

// A target is a file to be changed. Its directory is opened once, and what is read, created and
// renamed is found in it by a name without a link. So nothing that is swapped in meanwhile is read
// or replaced.
type target struct {
	path    string   // to show
	dir     *os.Root // the deepest directory on the way that exists
	missing []string // the directories to make in it
	name    string
	newMode fs.FileMode

	before []byte      // nil if there is no file
	info   fs.FileInfo // of the file, or nil
}

// openTarget opens a file for reading and changing. In a project, nothing on the way below the
// project's directory may be a link. A file of the user can be a link.
func openTarget(place place) (*target, error) {
	t := &target{path: filepath.Join(place.base, place.file), newMode: 0o644}
	base, file := place.base, place.file
	if !place.isShared {
		t.newMode = 0o600 // it can have secrets of other servers
		resolved, err := resolveUserFile(t.path)
		if err != nil {
			return nil, err
		}
		if base, err = deepestDirectory(filepath.Dir(resolved)); err != nil {
			return nil, err
		}
		if file, err = filepath.Rel(base, resolved); err != nil {
			return nil, err
		}
	}
	components := strings.Split(filepath.ToSlash(file), "/")
	t.name = components[len(components)-1]
	dir, err := os.OpenRoot(base)
	if err != nil {
		return nil, err
	}
	t.dir = dir
	if err := t.enter(components[:len(components)-1]); err != nil {
		return nil, errors.Join(err, t.dir.Close())
	}
	if err := t.read(); err != nil {
		return nil, errors.Join(err, t.dir.Close())
	}
	return t, nil
}

// deepestDirectory returns a directory, or the deepest above it that exists.
func deepestDirectory(path string) (string, error) {
	for {
		_, err := os.Stat(path)
		above := filepath.Dir(path)
		if err == nil || above == path {
			return path, err
		}
		path = above
	}
}

// resolveUserFile follows the links on the way to a file of the user.
func resolveUserFile(path string) (string, error) {
	if _, err := os.Lstat(path); err != nil {
		return path, nil // a missing file
	}
	resolved, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", fmt.Errorf("%w; make the target of the link, or remove the link", err)
	}
	return resolved, nil
}

// enter opens directories one in the other, as far as they exist.
func (t *target) enter(components []string) error {
	for i, name := range components {
		err := t.open(name)
		if errors.Is(err, fs.ErrNotExist) {
			t.missing = components[i:]
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// examine returns what there is by a name, which must not be a link. The message names it as shown.
func (t *target) examine(name, shown string) (fs.FileInfo, error) {
	info, err := t.dir.Lstat(name)
	if err == nil && info.Mode().Type() == fs.ModeSymlink {
		err = fmt.Errorf("%s is a symbolic link, which is not followed here; "+
			"change its target by hand", shown)
	}
	return info, err
}

// open opens a directory, which must still be the one that was examined.
func (t *target) open(name string) error {
	examined, err := t.examine(name, t.path+": "+name)
	if err != nil {
		return err
	}
	inner, err := t.dir.OpenRoot(name)
	if err != nil {
		return err
	}
	opened, err := inner.Stat(".")
	if err != nil || !os.SameFile(examined, opened) {
		return errors.Join(fmt.Errorf("%s: %s was replaced; try again", t.path, name), inner.Close())
	}
	err = t.dir.Close()
	t.dir = inner
	return err
}

// read reads a regular file of at most maxFileSize bytes. Opening a FIFO does not wait.
func (t *target) read() error {
	if len(t.missing) > 0 {
		return nil
	}
	examined, err := t.examine(t.name, t.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	wrong := fmt.Errorf("%s: not a regular file of at most %d bytes; change it by hand",
		t.path, maxFileSize)
	if !examined.Mode().IsRegular() || examined.Size() > maxFileSize {
		return wrong
	}
	f, err := t.dir.OpenFile(t.name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	opened, err := f.Stat()
	if err != nil || !os.SameFile(examined, opened) {
		return fmt.Errorf("%s was replaced; try again", t.path)
	}
	t.info = opened
	t.before, err = io.ReadAll(io.LimitReader(f, maxFileSize+1))
	if len(t.before) > maxFileSize {
		return wrong
	}
	return err
}

// checkUnchanged returns an error if the file is not as it was read: its client can write it, too.
func (t *target) checkUnchanged() error {
	now := &target{dir: t.dir, name: t.name, path: t.path}
	if err := now.read(); err != nil {
		return err
	}
	if !bytes.Equal(now.before, t.before) {
		return errors.New("it was changed meanwhile; try again")
	}
	return nil
}

// replace replaces the file atomically. It keeps mode and owner.
func (t *target) replace(after []byte) error {
	mode := t.newMode
	if t.info != nil {
		mode = t.info.Mode().Perm()
	}
	if mode&0o200 == 0 {
		return fmt.Errorf("%s: read-only; make it writable first", t.path)
	}
	for _, name := range t.missing {
		if err := t.dir.Mkdir(name, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		if err := t.open(name); err != nil {
			return err
		}
	}
	t.missing = nil
	temporary := ".gander-" + rand.Text()
	f, err := t.dir.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(after)
	if t.info != nil {
		err = errors.Join(err, keepOwner(f, t.info))
	}
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	err = errors.Join(err, t.checkUnchanged())
	if err == nil {
		err = t.dir.Rename(temporary, t.name)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("%s: cannot be replaced: %w", t.path, err), t.dir.Remove(temporary))
	}
	return nil
}
