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
	"strings"
	"syscall"
	"time"

	"github.com/go-json-experiment/json"

	"gander/internal/files/names"
	"gander/internal/files/text"
	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/tools/page"
	"gander/internal/tools/toolerror"
	"gander/tool"
)

// An entry is an object of the result, with its keys in order.
type entry struct {
	Name     string  `json:"name"` // lossy
	Path     string  `json:"path"` // lossy
	Depth    int     `json:"depth"`
	Type     string  `json:"type"`
	Size     *int64  `json:"size_bytes"` // of a regular file
	Modified *int64  `json:"modified_epoch_ms"`
	IsHidden bool    `json:"is_hidden"`
	Code     *string `json:"error_code"`
	Failure  *string `json:"error"`

	rawPath string // orders the entries
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
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.rawPath, b.rawPath))
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
			replace(entries, describe(e, err))
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

// replace replaces the entry with the path of failed.
func replace(entries []entry, failed entry) {
	i := slices.IndexFunc(entries, func(e entry) bool { return e.rawPath == failed.rawPath })
	entries[i] = failed
}

// describe returns the entry with its metadata, or with a failure if the metadata is unavailable or
// the directory unreadable (reading 4).
func describe(e walk.Entry, unreadable error) entry {
	raw := e.Path()
	shown := entry{rawPath: raw, Path: text.WellFormed(raw), Depth: e.Depth(), Type: "unknown"}
	shown.Name = path.Base(shown.Path)
	shown.IsHidden = shown.Name[0] == '.'
	info, err := e.Lstat()
	if err == nil {
		shown.Modified = milliseconds(info.ModTime)
	}
	switch {
	case unreadable != nil:
		shown.Code, shown.Failure = new("read_dir_failed"), new("failed to read directory")
	case err != nil:
		shown.Code, shown.Failure = failureOf(err)
	default:
		shown.Type = types[info.Kind]
	}
	if shown.Type == types[workspace.Regular] {
		shown.Size = &info.Size
	}
	return shown
}

var types = map[workspace.EntryKind]string{
	workspace.Unknown: "unknown", workspace.Regular: "file", workspace.Directory: "dir",
	workspace.Symlink: "symlink", workspace.Other: "other",
}

// milliseconds returns a time rounded down, or nil if it does not fit in an int64 (reading 10).
func milliseconds(t time.Time) *int64 {
	ms := t.UnixMilli()
	if time.UnixMilli(ms).Unix() != t.Unix() {
		return nil
	}
	return &ms
}

// failureOf returns the error_code and the error for an error about an entry (reading 5).
func failureOf(err error) (code, failure *string) {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return new("permission_denied"), new("permission denied")
	case errors.Is(err, syscall.EIO):
		return new("io_error"), new("I/O error")
	default:
		return new("metadata_unavailable"), new("metadata unavailable")
	}
}

// write returns the result in canonical JSON, without the last entries that do not fit the budget.
func (r request) write(entries []entry, more bool, b tool.Budget) (tool.Result, error) {
	start := string(text.AppendQuote([]byte(`{"path":`), r.path)) + `,"entries":[`
	list := page.NewTree(b, start, "", func(b []byte, _ page.Node, _ int) []byte { return b })
	for _, e := range entries {
		encoded, err := json.Marshal(e)
		if err != nil {
			return tool.Result{}, err
		}
		list.Begin(0)
		list.Text = append(list.Text, encoded...)
		list.End(page.Node{Failure: *cmp.Or(e.Failure, new(""))})
	}
	result, ok := list.Finish(0, func(kept []page.Node) (end, notice string) {
		reason := "null"
		switch {
		case len(kept) < len(entries):
			reason = `"max_output_bytes"` // overrides max_entries
		case more:
			reason = `"max_entries"`
		}
		return fmt.Sprintf(`],"returned":%d,"max_entries":%d,"truncated":%t,"truncated_reason":%s}`,
			len(kept), r.maxEntries, reason != "null", reason), ""
	})
	if !ok {
		limit, _ := b.Limit()
		return tool.Result{}, toolerror.Failed(
			"output budget too small: %d bytes cannot hold even an empty listing; raise it", limit)
	}
	result.Truncated = result.Truncated || more
	return result, nil
}
