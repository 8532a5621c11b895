// Package search implements search_text.
//
// A call is parsed into a request. For each of its paths, a textSearch runs the search and makes a
// pageLine of each result. A lineCollector keeps those that fit on the page. At last they become
// the items of a section of the answer: as they are, or as groups with the blocks around them.
package search

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"gander/internal/documents"
	"gander/internal/files/workspace"
	"gander/internal/native/call"
	"gander/internal/native/lookup"
	"gander/internal/native/results"
	"gander/internal/native/section"
	"gander/internal/search"
)

// A textSearch is a search below one path.
type textSearch struct {
	report     *results.Report
	request    request
	maxLine    int // the maximum number of bytes shown of a line
	headingEnd results.HeadingEnd
	current    searchedLine
	collected  *lineCollector // the lines or texts of the page; nil if the results are files
	isBinary   bool           // the start is a binary file that matches

	passed        effort  // the files that the search has passed, and their size
	countingLimit *effort // at which counting after the page ends; nil while the page is open
}

// Section implements [call.Request]: it returns the results below one of the paths.
func (r request) Section(
	ctx context.Context, c *call.Call, b section.Budget, given string,
) (section.Section, error) {
	start, err := findStart(ctx, c.Paths, given)
	if err != nil {
		return section.Section{}, err
	}
	limit := 100
	if r.blocks {
		limit = blockResults
	}
	if err := r.place(ctx, c.Paths, start); err != nil {
		return section.Section{}, err
	}
	page := r.Within(b, limit)
	s := &textSearch{
		report:  results.New(c, given, start, r.noun, page),
		request: r,
		maxLine: max(min(longLine, b.Minimum()/4), 20),
	}
	if c.PathCount > 1 {
		s.report.Prefix = s.report.Shown + ": "
	}
	s.report.PathClauses = searchClauses(start)
	var items section.Items // if the results are files
	switch {
	case r.options.Output != search.Lines:
		items, err = s.findFiles(ctx)
	case r.texts:
		err = s.addTexts(ctx)
	default:
		err = s.addLines(ctx)
	}
	switch {
	case err != nil:
		return section.Section{}, err
	case s.report.Page.Found < s.report.Page.Offset:
		return s.emptyPage(ctx), nil
	case r.blocks:
		return s.blocksSection(ctx)
	case s.collected != nil:
		return s.collectedSection(ctx), nil
	default:
		return s.report.Finish(ctx, items, s.headingEnd), nil
	}
}

// place makes the globs relative to the start. In an absolute one, the path of the start is cut
// off, and brackets in names that exist below it stand for themselves.
func (r *request) place(ctx context.Context, p *lookup.Paths, start lookup.Target) error {
	r.options.Globs = slices.Clone(r.options.Globs)
	at := start.Location
	for i, glob := range r.options.Globs {
		inner, isExcluded := strings.CutPrefix(glob, "!")
		inner, _ = lookup.RelativePattern(inner, p.AbsolutePath(at.Root(), at.Path()))
		inner = lookup.LiteralNames(at, inner)
		if isExcluded {
			inner = "!" + inner
		}
		if strings.Trim(inner, "!") != "" {
			r.options.Globs[i] = inner
		}
	}
	return call.ArgumentError(ctx, r.options.Check(ctx))
}

// findStart finds the file or the directory to search.
func findStart(ctx context.Context, p *lookup.Paths, given string) (lookup.Target, error) {
	found, err := p.Follow(ctx, given)
	isSearchable := found.IsFile() || found.Info.Kind == workspace.Directory
	if err == nil && !isSearchable {
		err = lookup.NotRegular(p.Show(found.Location))
	}
	return found, err
}

// searchClauses returns the clauses about the path: that its names differ, and that the search is
// not limited to the part of a file that it names. A single line, as in the message of a compiler,
// is a place rather than a part.
func searchClauses(t lookup.Target) (clauses []string) {
	if clause := t.AlikeClause(); clause != "" {
		clauses = append(clauses, clause)
	}
	switch end := t.End; {
	case !t.IsFile():
		return clauses
	case end.Last != 0:
		return append(clauses, fmt.Sprintf("the whole file is searched, not only lines %d-%d", end.Line,
			end.Last))
	case end.Mark.Kind != 0:
		return append(clauses, fmt.Sprintf("the whole file is searched, not only %s", end.Mark))
	default:
		return clauses
	}
}

// results makes each result of the search the current one and yields it, or at last an error about
// the start. It stops when counting the results after the page has taken too long.
func (s *textSearch) results(ctx context.Context) iter.Seq2[search.Result, error] {
	c, start := s.report.Call, s.report.Start.Location
	o := s.request.options
	o.Totals, o.Progress = &s.report.Totals, s.progress
	limit := documentTime
	if s.report.Start.IsFile() {
		limit = 0
	}
	o.Documents = recognizer(c.Settings.Documents, limit)
	return func(yield func(search.Result, error) bool) {
		for r, err := range search.Search(ctx, c.Workspace, start, s.request.matcher, o) {
			switch {
			case err == search.ErrCut:
				s.report.AddPartlySearched(s.report.ShowBelow(r.Path))
				continue
			case err != nil && r.Path == "":
				if _, ok := errors.AsType[*documents.Error](err); ok {
					err = lookup.FileError(s.report.Shown, err)
				} else {
					err = c.Paths.PathError(ctx, s.report.Given, err)
				}
				yield(r, err)
				return
			case err != nil:
				s.report.AddUnreadable(s.report.ShowBelow(r.Path), err)
				continue
			}
			if r.Line.Number == 0 {
				s.current.shown = lookup.EscapeMarker(s.report.ShowBelow(r.Path))
			}
			s.current.begin(r)
			if !yield(r, nil) {
				return
			}
			s.limitCounting()
			if s.report.Uncounted {
				return
			}
		}
	}
}
