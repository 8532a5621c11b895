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
	"iter"

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
	// Before and After are the numbers of lines that are yielded as context before and after a matching
	// line. A goroutine holds at most 1 MiB of lines for Before. If they are longer, their ends are
	// omitted.
	Before, After int
	// Workers is the maximum number of goroutines that help a search that takes long. The default is
	// the number of processors, but at most 8, and twice that if opening files waits for the file
	// system. Negative means none. The results do not depend on it.
	Workers int
	// Totals, if not nil, is updated during the search.
	Totals *Totals
	// Progress, if not nil, is called by the consumer's goroutine after each file, and after each piece
	// of a large file except the last. It gets the size of the piece, and ends the search by returning
	// false. The pieces do not depend on the number of workers.
	Progress func(size int64, file bool) bool

	// started, if not nil, is called by workers before each task, and workers help from the beginning.
	started func()
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

// Search searches the file at start, or the files below the directory at start. At first it reads no
// further than the results that are taken. If that takes long, other goroutines read ahead.
//
// An error with a Path concerns that file or directory, which cannot be read, and the search continues.
// An error without a Path concerns start or ctx, and ends the search. A file that vanishes, or is
// replaced by something that is not a regular file, is omitted.
func Search(
	ctx context.Context, w *workspace.Workspace, start workspace.Location, m *match.Matcher, o Options,
) iter.Seq2[Result, error] {
	return func(yield func(Result, error) bool) {
		if o.Totals == nil {
			o.Totals = new(Totals)
		}
		p := newPool(ctx, m, &o, yield)
		defer p.close()
		info, err := start.Stat()
		switch {
		case err != nil:
		case info.Kind == workspace.Directory:
			err = p.searchBelow(w, start)
		default:
			err = p.searchNamed(start)
		}
		if err != nil && err != errStopped {
			yield(Result{}, err)
		}
	}
}

// errStopped is returned after the consumer has stopped.
var errStopped = errors.New("the consumer has stopped")

// searchNamed searches the file at start. It returns an error that ends the search.
func (p *pool) searchNamed(start workspace.Location) error {
	f, err := start.File()
	if err != nil {
		return err
	}
	p.named, p.scanner.named = true, true
	p.begin("")
	return p.searchItem(&item{file: f})
}

// searchBelow searches the files below start. It returns an error that ends the search.
func (p *pool) searchBelow(w *workspace.Workspace, start workspace.Location) error {
	dir, err := start.Dir()
	if err != nil {
		return err
	}
	defer dir.Close()
	walked := new(Totals)
	sel, err := newSelector(p.ctx, w, p.o.Scope, walked)
	if err != nil {
		return err
	}
	for e, err := range walk.Entries(p.ctx, dir, sel.forSearch()) {
		if e.Dir == nil {
			if failed := p.drain(); failed != nil {
				return failed
			}
			return err
		}
		i := item{walked: *walked, err: err}
		*walked = Totals{}
		if err := p.searchEntry(e, i); err != nil {
			return err
		}
	}
	err = p.drain()
	p.o.Totals.add(walked)
	return err
}
