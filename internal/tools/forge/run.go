package forge

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"syscall"

	"gander/internal/files/names"
	"gander/internal/files/text"
	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/tool"
)

// An entry is an object of the result.
type entry struct {
	name, path     string // lossy
	rawPath        string // for sorting
	depth          int
	kind           workspace.EntryKind
	size, modified number
	failure        failure
}

// A number is an integer of the result, or null if it is unknown.
type number struct {
	value int64
	known bool
}

// A failure is the error_code and the error of an entry, or empty strings.
type failure struct{ code, text string }

// run traverses depth-first in pre-order. The result has the first entries, at most the effective
// max_entries, sorted by path. It reports whether more follow (reading 1).
func (r request) run(ctx context.Context, b tool.Budget) (tool.Result, error) {
	dir, err := r.location.Dir()
	if err != nil {
		return tool.Result{}, newError(err)
	}
	defer dir.Close()
	var entries []entry
	more := false
	for e, err := range walk.Entries(ctx, dir, walk.Options{
		Depth:       r.depth,
		Limit:       r.maxEntries + 1,
		NameOrder:   names.Order{Key: text.LossyKey},
		Filter:      r.filter,
		CheckSearch: true,
	}) {
		if e.Dir == nil {
			return tool.Result{}, newError(err)
		}
		if more = len(entries) == r.maxEntries; more {
			break
		}
		entries = append(entries, describe(e, err))
	}
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(strings.Compare(a.path, b.path), strings.Compare(a.rawPath, b.rawPath))
	})
	return r.write(entries, more, b)
}

// filter selects entries before they are counted (reading 3).
func (r request) filter(_ *walk.Directory, name []byte, kind workspace.EntryKind) walk.Decision {
	switch {
	case r.omits(name, kind):
		return walk.Omit
	case kind == workspace.Directory && !r.dirs:
		return walk.Hide
	default:
		return walk.Show
	}
}

// omits reports whether an entry is neither listed nor entered. Only the rule for hidden names
// applies to entries of unknown kind.
func (r request) omits(name []byte, kind workspace.EntryKind) bool {
	return !r.hidden && bytes.HasPrefix(name, []byte(".")) ||
		kind == workspace.Regular && !r.files ||
		kind == workspace.Symlink && !r.symlinks ||
		kind == workspace.Other && !r.other
}

// describe returns the entry with its metadata, or with a failure if the metadata is unavailable or
// the directory unreadable (reading 4).
func describe(e walk.Entry, unreadable error) entry {
	shown := entry{rawPath: e.Path(), depth: e.Depth()}
	shown.path = text.WellFormed(shown.rawPath)
	shown.name = path.Base(shown.path)
	info, err := e.Lstat()
	if err != nil {
		shown.failure = failureOf(err)
		return shown
	}
	if fits(info) {
		shown.modified = number{info.ModTime.UnixMilli(), true} // rounded down (reading 10)
	}
	if unreadable != nil {
		shown.failure = failure{"read_dir_failed", "failed to read directory"}
		return shown
	}
	shown.kind = info.Kind
	if info.Kind == workspace.Regular {
		shown.size = number{info.Size, true}
	}
	return shown
}

// fits reports whether the modification time in milliseconds fits in an int64.
func fits(info workspace.Info) bool {
	const most = 1<<63/1000 - 1
	s := info.ModTime.Unix()
	return -most <= s && s <= most
}

// failureOf returns the failure for an error about an entry (reading 5).
func failureOf(err error) failure {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return failure{"permission_denied", "permission denied"}
	case errors.Is(err, syscall.EIO):
		return failure{"io_error", "I/O error"}
	default:
		return failure{"metadata_unavailable", "metadata unavailable"}
	}
}
