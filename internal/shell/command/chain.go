package command

import (
	"path"
	"slices"
	"strings"

	"gander/internal/files/workspace"
)

// A Chain is the way of a walk that follows symlinks. It tells which directories are on it, so that
// a loop ends.
type Chain struct{ links []link }

// A link is a directory to which a symlink leads, and the directory below it that has the symlink
// to the next one.
type link struct{ start, last string }

// Push adds a directory to which a symlink leads, or in which the walk begins.
func (c *Chain) Push(start workspace.Location) {
	c.links = append(c.links, link{start: resolved(start)})
}

// Pop removes the last directory.
func (c *Chain) Pop() { c.links = c.links[:len(c.links)-1] }

// IsLoop reports whether a symlink below the last directory leads to a directory on the way.
func (c *Chain) IsLoop(symlink workspace.Location) bool {
	c.links[len(c.links)-1].last = resolved(symlink.Parent())
	return isOn(c.links, resolved(symlink))
}

// Has reports whether a directory below the last one is on the way before that.
func (c *Chain) Has(dir, name string) bool {
	last := len(c.links) - 1
	return last > 0 && isOn(c.links[:last], path.Join(c.links[last].start, dir, name))
}

func isOn(links []link, dir string) bool {
	return slices.ContainsFunc(links, func(l link) bool {
		return isBelow(l.start, dir) && isBelow(dir, l.last)
	})
}

func resolved(l workspace.Location) string {
	r, err := l.Resolve()
	if err != nil {
		return ""
	}
	return r.Absolute()
}

// isBelow reports whether a path is dir or below it.
func isBelow(dir, path string) bool {
	return strings.HasPrefix(path+"/", strings.TrimSuffix(dir, "/")+"/")
}
