// Package search finds the lines of a workspace's files that match a pattern, and files by their names.
//
// What is found equals what ripgrep 15 finds with the same pattern and options, in the same order (rg --sort path), except:
//
//   - Git's own directory .git is not searched, even with Scope.Hidden, as long as Scope.Ignore follows git, unless OpenGit is set there.
//   - A name that begins and ends with a dot is hidden.
//   - Ignore files above the workspace and git's global excludes are not read, and braces mean nothing in a .gitignore, as in git.
//   - Of a line longer than 64 KiB only a part is told, around the first match. A match in it is found wherever it lies.
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

	"gander/internal/engine/search/match"
	"gander/internal/engine/walk"
	"gander/internal/engine/workspace"
)

// An Output says what a search tells of a file that matches.
type Output uint8

const (
	// Lines tells the file, then its matching lines and the context around them.
	Lines Output = iota
	// Names tells the file alone. The rest of it is not read.
	Names
	// Counts tells the file and the number of its matching lines.
	Counts
)

// Options specify a search.
type Options struct {
	Scope
	// Output is what is told of a file that matches.
	Output Output
	// Before and After are how many lines of context are told before and after a matching line. At most 8 MiB of lines are
	// held for Before; if that many lines are longer, their ends are left out.
	Before, After int
	// Workers is how many files are searched at once; 0 means 1. More than one read ahead of the consumer, so they are for a
	// consumer that wants everything. The order of the results stays.
	Workers int
	// Totals, unless nil, is added to while the search goes on.
	Totals *Totals
}

// Totals count the files and directories that a walk has met.
type Totals struct {
	// Listed are the entries that are to be searched or found. They are all known before the first is yielded in
	// [walk.NewestFirst], and otherwise once the walk has ended.
	Listed atomic.Int64
	// Searched are the files that were opened and searched.
	Searched atomic.Int64
	// Binary are those in which a NUL ended the search.
	Binary atomic.Int64
	// Unreadable are files and directories that were yielded with an error.
	Unreadable atomic.Int64
	// Ignored are files and directories that an ignore file has left out.
	Ignored atomic.Int64

	mu     sync.Mutex
	denied map[string]int
}

// Denied returns how many files and directories each deny pattern has kept from being opened.
func (t *Totals) Denied() map[string]int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return maps.Clone(t.denied)
}

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
	// Path is relative to the start: names as they are on disk, joined by slashes. It is "" if the start is a file.
	Path string
	// Count is the number of matching lines, if those are asked for.
	Count int
	// Binary says that the file has a NUL, and that lines which match are not told for that reason. A file of which some
	// lines were told is yielded again with Binary set.
	Binary bool
	// Line is the line. Its Number is 0 if the result is about the file itself.
	Line Line
}

// A Line is a line of a file.
type Line struct {
	// Number counts from 1.
	Number int
	// Offset is that of its first byte in the file, without a byte order mark and decoded if it is UTF-16.
	Offset int64
	// Text is the line without its line feed, in the bytes of the file or as UTF-8 if the file is UTF-16. Of a line longer than
	// 64 KiB it is a part: the beginning, or what lies around the first match if that is not there. It is valid until the search
	// goes on.
	Text []byte
	// Start is where Text begins in the line.
	Start int64
	// Length is that of the whole line in bytes, which can be more than Text has.
	Length int64
	// Context says that the line is told because it is near a line that matches.
	Context bool

	searcher *match.Searcher
}

// Spans appends the matches in Text to dst. It is valid as long as Text is.
func (l Line) Spans(dst []match.Span) []match.Span { return l.searcher.Spans(dst, l.Text) }

// Search searches the file at start, or the files below the directory at start. It is lazy: it reads no further than the
// consumer asks, unless there are several workers.
//
// An error with a Path is about that file or directory, which cannot be read or can no longer be read; the search goes on. An
// error without is about start or ctx, and ends the search. A file that vanishes, or is replaced by something that is not
// a regular file, is left out.
func Search(ctx context.Context, w *workspace.Workspace, start workspace.Place, m *match.Matcher, o Options) iter.Seq2[Result, error] {
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

// errStopped says that the consumer wants no more.
var errStopped = errors.New("the consumer has stopped")

// searchNamed searches the file at start. The error is one that ends the search.
func searchNamed(ctx context.Context, start workspace.Place, m *match.Matcher, o *Options, yield func(Result, error) bool) error {
	f, err := start.File()
	if err != nil {
		return err
	}
	s := newScanner(ctx, m, o, func(r Result) bool { return yield(r, nil) })
	s.named = true
	return s.scan(f)
}

// searchBelow searches the files below start. The error is one that ends the search.
func searchBelow(ctx context.Context, w *workspace.Workspace, start workspace.Place, m *match.Matcher, o *Options, yield func(Result, error) bool) error {
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
		return searchAhead(ctx, entries, m, o, yield)
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
		if o.Totals.tells(err) && !yield(Result{Path: e.Path()}, err) {
			return errStopped
		}
	}
	return nil
}

// tells counts an error about an entry, and reports whether the consumer is told of it.
func (t *Totals) tells(err error) bool {
	switch {
	case errors.Is(err, workspace.ErrDenied):
		t.deny(err)
		return false
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, workspace.ErrNotRegular), errors.Is(err, workspace.ErrNotDirectory),
		errors.Is(err, workspace.ErrIsDirectory):
		return false // it is another entry than when it was listed
	default:
		t.Unreadable.Add(1)
		return true
	}
}
