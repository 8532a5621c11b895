package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
)

// follow makes the path that a person names part of the workspace, and returns the path under which it is found there. If no
// root is named, a path that leads out of the working directory, by itself or through links, adds a root: the directory that
// it leads to, or that of the file. With roots, and for a path inside, follow returns path and changes nothing.
func (c *toolCommand) follow(path string) string {
	if len(c.roots) > 0 || path == "" {
		return path
	}
	dir, err := os.Getwd()
	if err != nil {
		return path // Opening the workspace reports that.
	}
	realDir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return path
	}
	name, line := path, ""
	if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		if at := regexp.MustCompile(`(:\d+){1,2}$`).FindStringIndex(path); at != nil {
			name, line = path[:at[0]], path[at[0]:]
		}
	}
	absolute, err := filepath.Abs(name)
	if err != nil {
		return path
	}
	existing, missing := absolute, "."
	real, err := filepath.EvalSymlinks(existing)
	for err != nil && existing != filepath.Dir(existing) {
		missing = filepath.Join(filepath.Base(existing), missing)
		existing = filepath.Dir(existing)
		real, err = filepath.EvalSymlinks(existing)
	}
	if err != nil {
		return path
	}
	if inside, err := filepath.Rel(realDir, real); err == nil && filepath.IsLocal(inside) {
		return path
	}
	root := real
	if info, err := os.Stat(real); err == nil && !info.IsDir() {
		root = filepath.Dir(real)
	}
	c.roots = []string{dir, root}
	return filepath.Join(real, missing) + line
}
