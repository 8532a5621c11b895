package forge

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"syscall"

	"gander/internal/engine/names"
	"gander/internal/engine/text"
	"gander/internal/engine/walk"
	"gander/internal/engine/workspace"
	"gander/tool"
)

// An entry is one object of the answer, its raw path kept for the order.
type entry struct {
	name, path string // lossy
	raw        string
	depth      int
	kind       workspace.EntryKind
	size       number
	modified   number // milliseconds
	failure    failure
}

// A number is null unless it is known.
type number struct {
	value int64
	known bool
}

// A failure is what error_code and error say; the zero failure is none.
type failure struct{ code, text string }

var (
	permissionDenied    = failure{"permission_denied", "permission denied"}
	ioError             = failure{"io_error", "I/O error"}
	metadataUnavailable = failure{"metadata_unavailable", "metadata unavailable"}
	readDirFailed       = failure{"read_dir_failed", "failed to read directory"}
)

// usual is more entries than most directories have.
const usual = 32

// collect traverses depth-first in pre-order (FR-LD-LST-05) and returns at most the effective max_entries, sorted by
// path (FR-LD-OUT-01), and whether there is one more (reading 1). In one directory, whose entries come in the order of the
// answer, it stops once what it has cannot all fit.
func collect(ctx context.Context, dir *workspace.Dir, r request, b tool.Budget) (entries []entry, more bool, err error) {
	o := walk.Options{
		Depth:       r.depth,
		Limit:       r.maxEntries + 1,
		NameOrder:   names.Order{Key: text.LossyKey},
		Filter:      r.filter,
		CheckSearch: true,
	}
	entries = make([]entry, 0, min(r.maxEntries, usual))
	room, limited := b.Limit()
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
		if room -= len(last.name) + len(last.path) + leastEntry; limited && r.depth == 1 && room < 0 {
			break
		}
	}
	slices.SortFunc(entries, func(a, b entry) int {
		if n := strings.Compare(a.path, b.path); n != 0 {
			return n
		}
		return strings.Compare(a.raw, b.raw)
	})
	return entries, more, nil
}

// filter applies the filters before anything is counted (FR-LD-LST-06). Directories that are not shown are entered all the
// same (reading 3).
func (r request) filter(_ *walk.Directory, name []byte, kind workspace.EntryKind) walk.Decision {
	switch {
	case r.judge(name, kind).Cause != "":
		return walk.Omit
	case kind == workspace.Directory && !r.dirs:
		return walk.Hide
	default:
		return walk.Show
	}
}

// judge says which filter leaves an entry out. Directories stay to be entered (reading 3); what cannot be inspected is
// subject to the hidden rule only.
func (r request) judge(name []byte, kind workspace.EntryKind) tool.Reason {
	switch {
	case !r.hidden && bytes.HasPrefix(name, []byte(".")):
		return tool.Reason{Cause: tool.CauseHidden, Rule: "include_hidden=false"}
	case kind == workspace.Regular && !r.files:
		return tool.Reason{Cause: tool.CauseKind, Rule: "include_files=false"}
	case kind == workspace.Symlink && !r.symlinks:
		return tool.Reason{Cause: tool.CauseKind, Rule: "include_symlinks=false"}
	case kind == workspace.Other && !r.other:
		return tool.Reason{Cause: tool.CauseKind, Rule: "include_other=false"}
	default:
		return tool.Reason{}
	}
}

// describe asks for the metadata of an entry that will be shown. A directory that could not be read takes the place of
// its own entry (FR-LD-LST-08, reading 4); so does one whose metadata cannot be had (FR-LD-LST-04).
func describe(e walk.Entry, unreadable error) entry {
	shown := entry{raw: e.Path(), depth: e.Depth()}
	shown.path = text.WellFormed(shown.raw)
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

// fits reports whether the time in milliseconds is one that a 64-bit integer holds.
func fits(info workspace.Info) bool {
	const most = 1<<63/1000 - 1
	s := info.ModTime.Unix()
	return -most <= s && s <= most
}

// failureOf is reading 5.
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
