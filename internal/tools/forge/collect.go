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

// An entry is one object of the answer.
type entry struct {
	name, path string // lossy
	rawPath    string // for sorting
	depth      int
	kind       workspace.EntryKind
	size       number
	modified   number // milliseconds
	failure    failure
}

// A number is an integer of the answer; one that is not known is written as null.
type number struct {
	value int64
	known bool
}

// A failure is the error_code of an entry; "" is none.
type failure string

const (
	permissionDenied    failure = "permission_denied"
	ioError             failure = "io_error"
	metadataUnavailable failure = "metadata_unavailable"
	readDirFailed       failure = "read_dir_failed"
)

// text returns the error of the entry, which says the same in words.
func (f failure) text() string {
	switch f {
	case "":
		return ""
	case permissionDenied:
		return "permission denied"
	case ioError:
		return "I/O error"
	case readDirFailed:
		return "failed to read directory"
	default:
		return "metadata unavailable"
	}
}

// usualEntries is a number of entries that few directories exceed.
const usualEntries = 32

// collect traverses depth-first in pre-order (FR-LD-LST-05). It returns the first entries, at most
// the effective max_entries, sorted by path (FR-LD-OUT-01), and whether there are more (reading 1).
// A listing that is not recursive yields entries in the order of the answer; there it stops as soon
// as the entries exceed the budget.
func collect(ctx context.Context, dir *workspace.Dir, r request, b tool.Budget) (entries []entry, more bool, err error) {
	o := walk.Options{
		Depth:       r.depth,
		Limit:       r.maxEntries + 1,
		NameOrder:   names.Order{Key: text.LossyKey},
		Filter:      r.filter,
		CheckSearch: true,
	}
	entries = make([]entry, 0, min(r.maxEntries, usualEntries))
	left, limited := b.Limit()
	for e, err := range walk.Entries(ctx, dir, o) {
		if e.Dir == nil {
			return nil, false, err
		}
		if len(entries) == r.maxEntries {
			more = true
			break
		}
		entries = append(entries, describe(e, err))
		last := &entries[len(entries)-1]
		if left -= len(last.name) + len(last.path) + minEntryBytes; limited && r.depth == 1 && left < 0 {
			break
		}
	}
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(strings.Compare(a.path, b.path), strings.Compare(a.rawPath, b.rawPath))
	})
	return entries, more, nil
}

// filter decides about entries before anything is counted (FR-LD-LST-06). Directories that are not
// shown are entered all the same (reading 3).
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

// omits reports whether an entry is neither shown nor entered. Only the rule for hidden names
// applies to entries of unknown kind.
func (r request) omits(name []byte, kind workspace.EntryKind) bool {
	return !r.hidden && bytes.HasPrefix(name, []byte(".")) ||
		kind == workspace.Regular && !r.files ||
		kind == workspace.Symlink && !r.symlinks ||
		kind == workspace.Other && !r.other
}

// describe returns the entry with its metadata. If the metadata cannot be had (FR-LD-LST-04), or a
// directory cannot be read (FR-LD-LST-08, reading 4), the entry says so instead.
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
		shown.failure = readDirFailed
		return shown
	}
	shown.kind = info.Kind
	if info.Kind == workspace.Regular {
		shown.size = number{info.Size, true}
	}
	return shown
}

// fits reports whether an int64 can hold the modification time in milliseconds.
func fits(info workspace.Info) bool {
	const most = 1<<63/1000 - 1
	s := info.ModTime.Unix()
	return -most <= s && s <= most
}

// failureOf returns the failure for an error about an entry (reading 5).
func failureOf(err error) failure {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return permissionDenied
	case errors.Is(err, syscall.EIO):
		return ioError
	default:
		return metadataUnavailable
	}
}
