package gander

import (
	"context"
	"iter"
	"path"

	"gander/internal/search"
	"gander/internal/search/match"
)

// SearchOptions say how [Toolset.Search] searches, and what it yields.
type SearchOptions struct {
	Files
	// Literal says that the pattern is text instead of a regular expression.
	Literal bool
	// IgnoreCase makes letters match whatever their case.
	IgnoreCase bool
	// Output is what is yielded of a file that matches.
	Output SearchOutput
	// Before and After are how many lines are yielded before and after each line that matches.
	Before, After int
	// Workers is how many files are searched at once. 0 means 1, which reads no further than results are taken. More are
	// faster if all results are wanted; the order of the results is the same.
	Workers int
}

// SearchOutput is what [Toolset.Search] yields of a file that matches.
type SearchOutput uint8

const (
	// MatchingLines yields the file, and then its lines.
	MatchingLines SearchOutput = iota
	// MatchingFiles yields the file, and reads no more of it.
	MatchingFiles
	// MatchCounts yields the file with the number of its lines that match.
	MatchCounts
)

// A SearchResult is a file that matches, or one of its lines. The lines of a file follow it.
type SearchResult struct {
	// Path is relative to the directory that is searched: names as they are on disk, joined by slashes. It is "" if that is
	// a file.
	Path string
	// Count is the number of lines that match, if those are asked for.
	Count int
	// Binary says that lines are not yielded because the file has a NUL.
	Binary bool
	// Line is the line. Its Number is 0 if the result is the file.
	Line SearchLine
}

// A SearchLine is a line that matches, or one near it.
type SearchLine struct {
	// Number counts from 1.
	Number int
	// Offset is that of the line in the file, in bytes. If the file begins with a byte order mark, it is that in the text
	// without the mark, as UTF-8.
	Offset int64
	// Text is the line without its line feed. It is valid until the next result is taken. Of a line longer than 64 KiB it is
	// only a part: the beginning, or what lies around the first match if that is not there.
	Text []byte
	// Start is where Text begins in the line.
	Start int64
	// Length is that of the whole line in bytes.
	Length int64
	// Context says that the line does not match, or is not known to, and is near one that does.
	Context bool

	line search.Line
}

// Spans returns where in Text the pattern matches, as pairs of offsets. It may be called until the next result is taken.
func (l SearchLine) Spans() [][2]int {
	if l.Number == 0 {
		return nil
	}
	var pairs [][2]int
	for _, s := range l.line.Spans(nil) {
		pairs = append(pairs, [2]int{s.Start, s.End})
	}
	return pairs
}

// Search searches files for lines that match a pattern, in the syntax of ripgrep 15: the directory name with everything below
// it, or the file name. A relative name is relative to the first root, as in calls. Search is confined as [Toolset.List] is.
// The lines are those that ripgrep finds. A walk passes over what is not a regular file, and over files with a NUL; lines
// before the NUL may be yielded. Of a file that is named, Search yields lines up to the NUL, and then whether more match.
//
// While it is iterated over, a search holds up to 34 file handles open, and with several workers up to 310. Limits.MaxCalls bounds
// the calls of tools but not these searches. A program that makes many at once bounds their number itself; a search that runs out
// of handles yields errors that say so.
//
// A file or directory that cannot be read is yielded with the error. One that vanishes meanwhile, or is denied, is left out.
// An error with a zero SearchResult is about the name, the pattern or ctx, and ends the search. Errors are of type
// [*tool.Error]; that of a pattern which is wrong has the kind [tool.BadArguments], and says where.
func (t *Toolset) Search(ctx context.Context, name, pattern string, o SearchOptions) iter.Seq2[SearchResult, error] {
	return func(yield func(SearchResult, error) bool) {
		m, err := match.Compile(ctx, pattern, match.Options{Literal: o.Literal, IgnoreCase: o.IgnoreCase})
		if err != nil {
			yield(SearchResult{}, badPattern(err))
			return
		}
		s := search.Options{
			Scope: o.scope(), Output: search.Output(o.Output), Before: max(o.Before, 0), After: max(o.After, 0), Workers: o.Workers,
		}
		if err := s.Check(ctx); err != nil {
			yield(SearchResult{}, badPattern(err))
			return
		}
		p, err := t.workspace.Find(name)
		if err != nil {
			yield(SearchResult{}, pathError("search", name, err))
			return
		}
		for r, err := range search.Search(ctx, t.workspace, p, m, s) {
			if err != nil && r.Path == "" {
				err = pathError("search", name, err)
			} else if err != nil {
				err = pathError("search", path.Join(name, r.Path), err)
			}
			if !yield(resultOf(r), err) {
				return
			}
		}
	}
}

func resultOf(r search.Result) SearchResult {
	l := r.Line
	return SearchResult{Path: r.Path, Count: r.Count, Binary: r.Binary, Line: SearchLine{
		Number: l.Number, Offset: l.Offset, Text: l.Text, Start: l.Start, Length: l.Length, Context: l.Context, line: l,
	}}
}
