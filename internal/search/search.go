// Package search finds the lines in the files of a workspace that match a pattern, and finds files by their names.
//
// A search finds what ripgrep 15 finds with the same pattern and options, in the order of rg --sort path, except:
//
//   - If Scope.Ignore follows git, the directory .git is not searched, even with Scope.Hidden, unless OpenGit is set.
//   - A name that begins and ends with a dot is hidden.
//   - Ignore files above the workspace and git's global excludes are not read. As in git, braces have no meaning in a .gitignore.
//   - A line longer than 64 KiB is found wherever the match lies in it, but only a part of it around the first match is yielded.
//   - A file is searched up to the size that it had when it was opened.
package search

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"maps"
	"sync"
	"sync/atomic"

	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/search/match"
)

// An Output says what a search yields of a file that matches.
type Output uint8

const (
	// Lines yields the file, and then its matching lines with the context around them.
	Lines Output = iota
	// Names yields only the file. The rest of the file is not read.
	Names
	// Counts yields the file with the number of its matching lines.
	Counts
)

// Options specify a search.
type Options struct {
	Scope
	// Output is what is yielded of a file that matches.
	Output Output
	// Before and After are the numbers of lines that are yielded as context before and after a matching line. A search holds at most
	// 8 MiB of lines for Before. If the lines are longer than that, their ends are omitted.
	Before, After int
	// Workers is the number of files that are searched at once; 0 means 1. Several workers read ahead of the consumer, so they suit
	// a consumer that wants all results. The order of the results does not depend on Workers.
	Workers int
	// Totals, unless nil, is updated during the search.
	Totals *Totals
}

// Totals count files and directories during a walk.
type Totals struct {
	// Listed counts the entries to be searched, or the entries found. In [walk.NewestFirst] it is complete before the first result, and
	// otherwise once the walk has ended.
	Listed atomic.Int64
	// Searched counts the files that were opened and searched.
	Searched atomic.Int64
	// Binary counts the files whose search ended at a NUL.
	Binary atomic.Int64
	// Unreadable counts the files and directories that were yielded with an error.
	Unreadable atomic.Int64
	// Ignored counts the files and directories that are excluded by an ignore file, without .git.
	Ignored atomic.Int64

	mu     sync.Mutex
	denied map[string]int
}

// Denied returns the number of files and directories that were not opened because of each deny pattern.
func (t *Totals) Denied() map[string]int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return maps.Clone(t.denied)
}

// deny counts an error that wraps workspace.ErrDenied.
func (t *Totals) deny(err error) {
	var pattern string
	if e, ok := errors.AsType[*workspace.DeniedError](err); ok {
		pattern = e.Pattern
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.denied == nil {
		t.denied = make(map[string]int)
	}
	t.denied[pattern]++
}

// A Result is a file that matches, or one of its lines. The lines of a file follow it.
type Result struct {
	// Path is relative to the start. It consists of the names on disk, joined by slashes, and is "" if the start is a file.
	Path string
	// Count is the number of matching lines in Counts.
	Count int
	// Binary says that the file has a NUL, and that matching lines are not yielded for that reason. If some lines of the file were
	// yielded, the file is yielded again with Binary set.
	Binary bool
	// Line is the line. Its Number is 0 if the result is about the file itself.
	Line Line
}

// A Line is a line of a file.
type Line struct {
	// Number counts from 1.
	Number int
	// Offset is the offset of the line in the text of the file, which excludes a byte order mark and is UTF-8 if the file is UTF-16.
	Offset int64
	// Text is the line without its line feed. It has the bytes of the file, or UTF-8 if the file is UTF-16. If the line is longer
	// than 64 KiB, Text is a part of it: the beginning, or the part around the first match if that lies further on. Text is valid
	// until the next result is taken.
	Text []byte
	// Start is the offset of Text in the line.
	Start int64
	// Length is the length of the whole line in bytes.
	Length int64
	// Context says that the line is yielded because it is near a matching line.
	Context bool

	searcher *match.Searcher
}

// Spans appends the matches in Text to dst. It may be called as long as Text is valid.
func (l Line) Spans(dst []match.Span) []match.Span { return l.searcher.Spans(dst, l.Text) }

// Search searches the file at start, or the files below the directory at start. It is lazy: unless there are several workers, it
// reads only what is needed for the results that are taken.
//
// An error with a Path concerns that file or directory, which cannot be read, and the search continues. An error without a Path
// concerns start or ctx, and ends the search. A file that vanishes, or is replaced by something that is not a regular file, is
// omitted.
func Search(ctx context.Context, w *workspace.Workspace, start workspace.Location, m *match.Matcher, o Options) iter.Seq2[Result, error] {
	return func(yield func(Result, error) bool) {
		if o.Totals == nil {
			o.Totals = new(Totals)
		}
		info, err := start.Stat()
		switch {
		case err != nil:
		case info.Kind == workspace.Directory:
			err = searchBelow(ctx, w, start, m, &o, yield)
		default:
			err = searchNamed(ctx, start, m, &o, yield)
		}
		if err != nil && err != errStopped {
			yield(Result{}, err)
		}
	}
}

// errStopped is returned where the consumer takes no more results.
var errStopped = errors.New("the consumer has stopped")

// searchNamed searches the file at start. It returns an error that ends the search.
func searchNamed(ctx context.Context, start workspace.Location, m *match.Matcher, o *Options, yield func(Result, error) bool) error {
	f, err := start.File()
	if err != nil {
		return err
	}
	s := newScanner(ctx, m, o, func(r Result) bool { return yield(r, nil) })
	s.named = true
	return s.scan(f)
}

// searchBelow searches the files below start. It returns an error that ends the search.
func searchBelow(ctx context.Context, w *workspace.Workspace, start workspace.Location, m *match.Matcher, o *Options, yield func(Result, error) bool) error {
	dir, err := start.Dir()
	if err != nil {
		return err
	}
	defer dir.Close()
	sel, err := newSelector(ctx, w, o.Scope, o.Totals)
	if err != nil {
		return err
	}
	entries := walk.Entries(ctx, dir, sel.forSearch())
	if o.Workers > 1 {
		return searchParallel(ctx, entries, m, o, yield)
	}
	s := newScanner(ctx, m, o, func(r Result) bool { return yield(r, nil) })
	for e, err := range entries {
		var f *workspace.File
		if err == nil {
			f, err = e.File()
		}
		if err == nil {
			s.entry, s.path = e, ""
			err = s.scan(f)
		}
		if err == nil {
			continue
		}
		if e.Dir == nil || ctx.Err() != nil || err == errStopped {
			return err
		}
		if o.Totals.countError(err) && !yield(Result{Path: e.Path()}, err) {
			return errStopped
		}
	}
	return nil
}

// countError counts an error about an entry, and reports whether it is to be yielded.
func (t *Totals) countError(err error) bool {
	switch {
	case errors.Is(err, workspace.ErrDenied):
		t.deny(err)
		return false
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, workspace.ErrNotRegular), errors.Is(err, workspace.ErrNotDirectory),
		errors.Is(err, workspace.ErrIsDirectory):
		return false // the entry has changed since it was listed
	default:
		t.Unreadable.Add(1)
		return true
	}
}
