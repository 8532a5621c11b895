// Package install adds gander to the configurations of MCP clients. It runs the client's own
// command if there is one, and otherwise changes one key of a JSON file.
package install

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"gander/internal/terminal"
)

// entryName is the name of the server in every configuration.
const entryName = "gander"

// A Server is the command line that starts the server.
type Server struct {
	Command string
	Args    []string
}

// A Change is an addition to the configuration of a client, or its removal.
type Change struct {
	// Path is the file to change, or "" if the change is a command.
	Path string

	command       []string
	summary       string
	before, after []byte // nil means that the file does not exist
}

// Plan returns the change that adds the server in a scope of c. In the scope "project", dir is the
// directory of the project.
func (c Client) Plan(scope, dir string, s Server) (Change, error) {
	if c.command != nil {
		return Change{command: c.command(scope, &s)}, nil
	}
	return c.edit(scope, dir, func(before []byte) ([]byte, string, error) {
		entry, err := json.Marshal(c.entry(s))
		if err != nil {
			return nil, "", err
		}
		after, err := add(before, []string{c.key, entryName}, entry)
		return after, fmt.Sprintf("add %q to %q: %s", entryName, c.key, entry), err
	})
}

// PlanRemoval returns the change that removes the server from a scope of c.
func (c Client) PlanRemoval(scope, dir string) (Change, error) {
	if c.command != nil && c.file == nil {
		return Change{command: c.command(scope, nil)}, nil
	}
	return c.edit(scope, dir, func(before []byte) ([]byte, string, error) {
		after, err := remove(before, []string{c.key, entryName})
		summary := fmt.Sprintf("remove %q from %q", entryName, c.key)
		if after == nil && before != nil {
			summary = "delete this file, which has nothing else"
		}
		return after, summary, err
	})
}

// edit returns a change of the client's file.
func (c Client) edit(
	scope, dir string, change func(before []byte) (after []byte, summary string, err error),
) (Change, error) {
	path, err := c.file(scope, dir)
	if err != nil {
		return Change{}, err
	}
	if scope == Project {
		if err := checkInside(dir, path); err != nil {
			return Change{}, err
		}
	}
	before, err := readFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Change{}, err
	}
	after, summary, err := change(before)
	if err != nil {
		return Change{}, fmt.Errorf("%s: %w", path, err)
	}
	return Change{Path: path, summary: summary, before: before, after: after}, nil
}

// checkInside returns an error if path, a file below dir, is a symbolic link or below one in dir.
func checkInside(dir, path string) error {
	for at := path; at != dir; at = filepath.Dir(at) {
		if info, err := os.Lstat(at); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return fmt.Errorf("%s is a symbolic link in a project; change its target by hand", at)
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	return nil
}

// maxFileSize bounds the size of a client's file. The parser needs some hundred bytes for a value.
const maxFileSize = 1 << 20

// readFile reads a file, which must be regular and of at most maxFileSize bytes. The result is nil
// only on an error.
func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: not a regular file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFileSize+1))
	if err == nil && len(data) > maxFileSize {
		err = fmt.Errorf("%s: larger than %d bytes; change it by hand", path, maxFileSize)
	}
	return data, err
}

// IsEmpty reports whether there is nothing to change.
func (c Change) IsEmpty() bool { return c.command == nil && bytes.Equal(c.before, c.after) }

// String describes the change on one line.
func (c Change) String() string {
	switch {
	case c.IsEmpty():
		return c.Path + ": nothing to change"
	case c.command == nil:
		return c.Path + ": " + c.summary
	}
	words := slices.Clone(c.command)
	for i, word := range words {
		words[i] = terminal.Quote(word)
	}
	return strings.Join(words, " ")
}

// Apply makes the change. A client's command gets output as its standard output and standard error.
func (c Change) Apply(ctx context.Context, output io.Writer) error {
	if c.IsEmpty() {
		return nil
	}
	if c.command == nil {
		return c.write()
	}
	program, err := exec.LookPath(c.command[0])
	if err != nil {
		return fmt.Errorf("%s: not found; install it, or run this where it is: %s", c.command[0], c)
	}
	cmd := exec.CommandContext(ctx, program, c.command[1:]...)
	cmd.Stdout, cmd.Stderr = output, output
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", c, err)
	}
	return nil
}

// write replaces the file, or the target of a symbolic link, in one step. It keeps mode and owner.
func (c Change) write() error {
	path := c.Path
	if c.before == nil {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
	} else if real, err := filepath.EvalSymlinks(path); err != nil {
		return err
	} else {
		path = real
	}
	if now, err := readFile(path); err != nil && c.before != nil || !bytes.Equal(now, c.before) {
		return fmt.Errorf("%s: changed in the meantime; try again", path)
	}
	mode := fs.FileMode(0o600)
	info, err := os.Stat(path)
	if err == nil {
		if mode = info.Mode().Perm(); mode&0o200 == 0 {
			return fmt.Errorf("%s: read-only; make it writable first", path)
		}
	}
	if c.after == nil {
		return os.Remove(path)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".gander-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // It fails after the file is renamed.
	_, err = f.Write(c.after)
	if info != nil {
		err = errors.Join(err, keepOwner(f, info))
	}
	if err := errors.Join(err, f.Chmod(mode), f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("%s: cannot be replaced: %w", path, err)
	}
	return os.Rename(f.Name(), path)
}
