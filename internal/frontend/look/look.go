// Package look knows which entries of a directory people are shown: hidden names, ignore files, patterns and a limit leave
// some out. It knows no words and no terminal; the toolset lists the entries and keeps them inside.
package look

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"gander"
)

// Options say which entries are shown. The zero value shows what is not hidden in the directory itself.
type Options struct {
	// Depth is how deep to go. 0 means 1; negative sets no limit.
	Depth int
	// Limit is the most entries. 0 sets no limit.
	Limit int
	// Hidden shows names that begin with a dot.
	Hidden bool
	// Directories shows nothing but directories.
	Directories bool
	// Ignore leaves out what the .gitignore files from the root down and .git/info/exclude of the root ignore, and .git.
	Ignore bool
	// Exclude are globs, in doublestar's syntax: one without a slash is matched with names, one with a slash with paths
	// relative to the directory. | separates several.
	Exclude []string
	// Grouped puts the directories in each directory first.
	Grouped bool
}

// ErrLimit comes with the first entry beyond the limit, the last that is listed.
var ErrLimit = errors.New("the limit is reached")

// List lists the directory at rel, relative to root, which is one of the toolset's roots, as [gander.Toolset.List] does
// in the order of names. A glob that is none is an error.
func List(ctx context.Context, files *gander.Toolset, root, rel string, o Options) (iter.Seq2[gander.Entry, error], error) {
	f := &filter{Options: o}
	for _, patterns := range o.Exclude {
		for pattern := range strings.SplitSeq(patterns, "|") {
			if pattern == "" || !doublestar.ValidatePattern(pattern) {
				return nil, fmt.Errorf("%q is no pattern; close its brackets and braces, or escape them with a backslash", pattern)
			}
			f.globs = append(f.globs, pattern)
		}
	}
	if o.Ignore {
		f.ignores = newIgnores(ctx, files, root, rel)
	}
	return f.list(files.List(ctx, path.Join(root, rel), f.options())), nil
}

// filter is what keeps entries from being shown.
type filter struct {
	Options
	globs   []string
	ignores *ignores
}

func (f *filter) options() gander.ListOptions {
	o := gander.ListOptions{Depth: f.Depth}
	if !f.Hidden || f.Directories || f.ignores != nil || len(f.globs) > 0 {
		o.Enter = f.enter
	}
	if f.Limit > 0 {
		o.Limit = f.Limit + 1
	}
	if f.Grouped {
		o.Order = gander.DirectoriesFirst
	}
	return o
}

// list marks the entry that is one too many.
func (f *filter) list(all iter.Seq2[gander.Entry, error]) iter.Seq2[gander.Entry, error] {
	if f.Limit <= 0 {
		return all
	}
	return func(yield func(gander.Entry, error) bool) {
		count := 0
		for e, err := range all {
			if e != (gander.Entry{}) {
				count++
			}
			if count > f.Limit {
				err = ErrLimit
			}
			if !yield(e, err) || count > f.Limit {
				return
			}
		}
	}
}

// enter returns what decides about the entries of a directory.
func (f *filter) enter(dir string, lstat describer) func(name string, kind fs.FileMode) bool {
	if f.ignores != nil {
		f.ignores.enter(dir, lstat)
	}
	return func(name string, kind fs.FileMode) bool {
		switch {
		case f.Directories && !kind.IsDir(), !f.Hidden && strings.HasPrefix(name, "."), f.excludes(dir, name):
			return false
		default:
			return f.ignores == nil || !f.ignores.ignore(name, kind.IsDir())
		}
	}
}

func (f *filter) excludes(dir, name string) bool {
	for _, glob := range f.globs {
		subject := name
		if strings.Contains(glob, "/") {
			subject = path.Join(dir, name)
		}
		if doublestar.MatchUnvalidated(glob, subject) {
			return true
		}
	}
	return false
}
