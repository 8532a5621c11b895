package forge

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"gander/internal/files/names"
	"gander/internal/files/text"
	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/tools/page"
	"gander/internal/tools/toolerror"
	"gander/tool"
)

// An entry is an object of the result.
type entry struct {
	name, path    string // lossy
	rawPath       string // orders the entries
	depth         int
	kind          workspace.EntryKind
	size          int64 // of a regular file
	modified      int64 // in milliseconds, if isDated
	isDated       bool
	code, failure string // or empty
}

// run traverses depth-first in pre-order. The result has the first entries, at most the effective
// max_entries, sorted by path. It reports whether more follow (reading 1).
func (r request) run(ctx context.Context, b tool.Budget) (tool.Result, error) {
	dir, err := r.location.Dir()
	if err != nil {
		return tool.Result{}, err
	}
	defer dir.Close()
	o := walk.Options{
		Depth:       r.depth,
		NameOrder:   names.Order{Key: text.LossyKey},
		Filter:      r.filter,
		CheckSearch: true,
	}
	if r.maxEntries < math.MaxInt {
		o.Limit = r.maxEntries + 1 // one more tells whether any follow
	}
	entries, more, err := r.read(walk.Entries(ctx, dir, o))
	if err != nil {
		return tool.Result{}, err
	}
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(strings.Compare(a.path, b.path), strings.Compare(a.rawPath, b.rawPath))
	})
	return r.write(entries, more, b)
}

// read returns the entries, at most the effective max_entries, and reports whether more follow. A
// directory whose later names cannot be read is one entry too (reading 4).
func (r request) read(walked iter.Seq2[walk.Entry, error]) (entries []entry, more bool, err error) {
	for e, err := range walked {
		isListed := e.ForError && r.dirs
		switch {
		case e.Dir == nil:
			return nil, false, err
		case isListed:
			failed := describe(e, err)
			at := slices.IndexFunc(entries, func(e entry) bool { return e.rawPath == failed.rawPath })
			entries[at] = failed
		case len(entries) == r.maxEntries:
			return entries, true, nil
		default:
			entries = append(entries, describe(e, err))
		}
	}
	return entries, false, nil
}

// filter selects entries before they are counted (reading 3). Only the rule for hidden names
// applies to entries of unknown kind.
func (r request) filter(_ *walk.Directory, name []byte, kind workspace.EntryKind) walk.Decision {
	switch {
	case !r.hidden && bytes.HasPrefix(name, []byte(".")),
		kind == workspace.Regular && !r.files,
		kind == workspace.Symlink && !r.symlinks,
		kind == workspace.Other && !r.other:
		return walk.Omit
	case kind == workspace.Directory && !r.dirs:
		return walk.Hide
	default:
		return walk.Show
	}
}

// describe returns the entry with its metadata, or with a failure if the metadata is unavailable or
// the directory unreadable (reading 4).
func describe(e walk.Entry, unreadable error) entry {
	shown := entry{rawPath: e.Path(), depth: e.Depth()}
	shown.path = text.Lossy(shown.rawPath)
	shown.name = path.Base(shown.path)
	info, err := e.Lstat()
	if err == nil {
		shown.modified, shown.isDated = milliseconds(info.ModTime)
	}
	switch {
	case unreadable != nil:
		shown.code, shown.failure = "read_dir_failed", "failed to read directory"
	case err != nil:
		shown.code, shown.failure = failureOf(err)
	default:
		shown.kind, shown.size = info.Kind, info.Size
	}
	return shown
}

// milliseconds returns a time rounded down, and reports whether it fits in an int64 (reading 10).
func milliseconds(t time.Time) (ms int64, ok bool) {
	ms = t.UnixMilli()
	return ms, time.UnixMilli(ms).Unix() == t.Unix()
}

// failureOf returns the error_code and the error for an error about an entry (reading 5).
func failureOf(err error) (code, failure string) {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "permission_denied", "permission denied"
	case errors.Is(err, syscall.EIO):
		return "io_error", "I/O error"
	default:
		return "metadata_unavailable", "metadata unavailable"
	}
}

// write returns the result in canonical JSON, without the last entries that do not fit the budget.
func (r request) write(entries []entry, more bool, b tool.Budget) (tool.Result, error) {
	start := string(text.AppendQuote([]byte(`{"path":`), r.path)) + `,"entries":[`
	list := page.NewTree(b, start, "", func(b []byte, _ page.Node, _ int) []byte { return b })
	for i := range entries {
		list.Begin(0)
		list.Text = appendEntry(list.Text, &entries[i])
		list.End(page.Node{Failure: entries[i].failure})
	}
	result, ok := list.Finish(0, func(kept []page.Node) (end, notice string) {
		reason := ""
		switch {
		case len(kept) < len(entries):
			reason = "max_output_bytes" // overrides max_entries
		case more:
			reason = "max_entries"
		}
		return fmt.Sprintf(`],"returned":%d,"max_entries":%d,"truncated":%t,"truncated_reason":%s}`,
			len(kept), r.maxEntries, reason != "", appendString(nil, reason)), ""
	})
	if !ok {
		limit, _ := b.Limit()
		return tool.Result{}, toolerror.Failed(
			"output budget too small: %d bytes cannot hold even an empty listing; raise it", limit)
	}
	result.Truncated = result.Truncated || more
	return result, nil
}

func appendEntry(b []byte, e *entry) []byte {
	kind := [...]string{
		workspace.Unknown: "unknown", workspace.Regular: "file", workspace.Directory: "dir",
		workspace.Symlink: "symlink", workspace.Other: "other",
	}[e.kind]
	b = text.AppendQuote(append(b, `{"name":`...), e.name)
	b = text.AppendQuote(append(b, `,"path":`...), e.path)
	b = strconv.AppendInt(append(b, `,"depth":`...), int64(e.depth), 10)
	b = text.AppendQuote(append(b, `,"type":`...), kind)
	b = appendNumber(append(b, `,"size_bytes":`...), e.size, e.kind == workspace.Regular)
	b = appendNumber(append(b, `,"modified_epoch_ms":`...), e.modified, e.isDated)
	b = strconv.AppendBool(append(b, `,"is_hidden":`...), e.name[0] == '.')
	b = appendString(append(b, `,"error_code":`...), e.code)
	b = appendString(append(b, `,"error":`...), e.failure)
	return append(b, '}')
}

// appendNumber appends a number, or null if it is unknown.
func appendNumber(b []byte, n int64, known bool) []byte {
	if !known {
		return append(b, "null"...)
	}
	return strconv.AppendInt(b, n, 10)
}

// appendString appends a string, or null if it is empty.
func appendString(b []byte, s string) []byte {
	if s == "" {
		return append(b, "null"...)
	}
	return text.AppendQuote(b, s)
}
