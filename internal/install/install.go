// Package install adds gander to the configurations of MCP clients. It runs the client's own
// command if there is one, and otherwise changes one key of a JSON file.
package install

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"

	"gander/internal/terminal"
)

// entryName is the name of the server in every configuration.
const entryName = "gander"

// A Change is an addition to the configuration of a client, or its removal.
type Change struct {
	// Summary describes the change on one line.
	Summary string
	// Apply makes the change. A client's command writes its output to output. If Apply is nil,
	// there is nothing to change.
	Apply func(ctx context.Context, output io.Writer) error
}

// Plan returns the change that adds the server in a scope of c, or removes it if s is nil. In the
// scope "project", dir is the directory of the project.
func (c Client) Plan(scope, dir string, s *Server) (Change, error) {
	switch {
	case s != nil && c.add != "":
		return command(expand(c.add, scope, *s)), nil
	case s == nil && c.remove != "":
		return command(expand(c.remove, scope, Server{})), nil
	}
	path, err := c.file(scope, dir)
	if err == nil && scope == Project {
		err = checkInside(dir, path)
	}
	if err != nil {
		return Change{}, err
	}
	before, err := readFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Change{}, err
	}
	var after []byte
	var summary string
	if s == nil {
		after, err = remove(before, c.key)
		summary = fmt.Sprintf("remove %q from %q", entryName, c.key)
		if after == nil {
			summary = "delete this file, which has nothing else"
		}
	} else {
		entry := c.entry(*s)
		after, err = add(before, c.key, entry)
		summary = fmt.Sprintf("add %q to %q: %s", entryName, c.key, entry)
	}
	switch {
	case err != nil:
		return Change{}, fmt.Errorf("%s: %w", path, err)
	case bytes.Equal(before, after):
		return Change{Summary: path + ": nothing to change"}, nil
	}
	apply := func(context.Context, io.Writer) error { return replace(path, before, after) }
	return Change{Summary: path + ": " + summary, Apply: apply}, nil
}

// command returns the change that a command makes.
func command(words []string) Change {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = terminal.Quote(word)
	}
	line := strings.Join(quoted, " ")
	return Change{line, func(ctx context.Context, output io.Writer) error {
		program, err := exec.LookPath(words[0])
		if err != nil {
			return fmt.Errorf("%s: not found; install it, or run this where it is: %s", words[0], line)
		}
		cmd := exec.CommandContext(ctx, program, words[1:]...)
		cmd.Stdout, cmd.Stderr = output, output
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("%s: %w", line, err)
		}
		return nil
	}}
}

// checkInside returns an error if path, a file below dir, is a symbolic link or below one in dir.
func checkInside(dir, path string) error {
	for ; path != dir && path != filepath.Dir(path); path = filepath.Dir(path) {
		if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return fmt.Errorf("%s is a symbolic link in a project; change its target by hand", path)
		}
	}
	return nil
}

// maxFileSize bounds the size of a client's file. The parser needs some hundred bytes for a value.
const maxFileSize = 1 << 20

// readFile reads a regular file of at most maxFileSize bytes.
func readFile(path string) ([]byte, error) {
	switch info, err := os.Stat(path); {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: not a regular file", path)
	case info.Size() > maxFileSize:
		return nil, fmt.Errorf("%s: larger than %d bytes; change it by hand", path, maxFileSize)
	}
	return os.ReadFile(path)
}

// replace replaces a file, or the target of a symbolic link, atomically. It keeps mode and owner.
func replace(path string, before, after []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	if now, err := readFile(path); err != nil && before != nil || !bytes.Equal(now, before) {
		return fmt.Errorf("%s: changed in the meantime; try again", path)
	}
	mode := fs.FileMode(0o600)
	info, err := os.Stat(path)
	if err == nil {
		mode = info.Mode().Perm()
	}
	switch {
	case mode&0o200 == 0:
		return fmt.Errorf("%s: read-only; make it writable first", path)
	case after == nil:
		return os.Remove(path)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".gander-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // It fails after the file is renamed.
	_, err = f.Write(after)
	if info != nil {
		err = errors.Join(err, keepOwner(f, info))
	}
	if err := errors.Join(err, f.Chmod(mode), f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("%s: cannot be replaced: %w", path, err)
	}
	return os.Rename(f.Name(), path)
}

// keepOwner gives f the owner and the group in info, if the system has them.
func keepOwner(f *os.File, info fs.FileInfo) error {
	owner := reflect.Indirect(reflect.ValueOf(info.Sys())) // A syscall.Stat_t on Unix.
	uid, gid := owner.FieldByName("Uid"), owner.FieldByName("Gid")
	if !uid.IsValid() || !gid.IsValid() {
		return nil
	}
	return f.Chown(int(uid.Uint()), int(gid.Uint()))
}
