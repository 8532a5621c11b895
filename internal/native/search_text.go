package native

import (
	"fmt"
	"iter"

	"gander/internal/files/workspace"
	"gander/internal/search"
)

// A textSearch is a search below one path.
type textSearch struct {
	*scan
	request    searchRequest
	maxLine    int // the maximum number of bytes shown of a line
	headingEnd headingEnd
	current    searchedLine
	collected  *lineCollector // the lines or texts of the page; nil if the results are files
	matches    int            // the number of matches, if the results are texts
	isBinary   bool           // the start is a file that matches, and binary

	passed        effort  // the files that the search has passed, and their size
	fileEnded     bool    // the current file was searched to its end
	countingLimit *effort // at which counting after the page ends; nil while the page is open
}

func (r searchRequest) section(c *call, b budget, given string) (section, error) {
	start, err := c.findText(given)
	if err != nil {
		return section{}, err
	}
	page := &resultPage{pager: r.pager(100), budget: b}
	s := &textSearch{
		scan:    c.newScan(given, start, r.noun, page),
		request: r,
		maxLine: max(min(longLine, b.minimum()/4), 20),
	}
	if c.pathCount > 1 {
		s.prefix = s.shown + ": "
	}
	s.pathClauses = start.searchClauses()
	var items itemList // if the results are files
	switch {
	case r.options.Output != search.Lines:
		items, err = s.findFiles()
	case r.texts:
		err = s.addTexts()
	default:
		err = s.addLines()
	}
	switch {
	case err != nil:
		return section{}, err
	case s.page.found < s.page.offset:
		return s.emptyPage(), nil
	case s.collected != nil:
		return s.collectedSection(), nil
	default:
		return s.finish(items, s.headingEnd), nil
	}
}

// findText finds the file or the directory to search.
func (c *call) findText(given string) (target, error) {
	found, err := c.follow(given)
	isSearchable := found.isFile() || found.info.Kind == workspace.Directory
	if err == nil && !isSearchable {
		err = notRegular(c.show(found.location))
	}
	return found, err
}

// searchClauses returns the clause, if any, that a search is not limited to the part of a file that its
// path names. A single line, as in the message of a compiler, is a place rather than a part.
func (t target) searchClauses() []string {
	switch end := t.end; {
	case !t.isFile():
		return nil
	case end.last != 0:
		return []string{fmt.Sprintf("the whole file is searched, not only lines %d-%d", end.line, end.last)}
	case end.mark.kind != 0:
		return []string{fmt.Sprintf("the whole file is searched, not only %s", end.mark)}
	default:
		return nil
	}
}

// results makes each result of the search the current one and yields it, or at last an error about the
// start. It stops when counting the results after the page has taken too long.
func (s *textSearch) results() iter.Seq2[search.Result, error] {
	c, start := s.call, s.start.location
	o := s.request.options
	o.Totals, o.Progress = &s.totals, s.progress
	limit := documentTime
	if s.start.isFile() {
		limit = 0
	}
	o.Documents = c.recognizer(limit)
	return func(yield func(search.Result, error) bool) {
		for r, err := range search.Search(c.ctx, c.workspace, start, s.request.matcher, o) {
			switch {
			case err == search.ErrCut:
				s.addPartlySearched(s.showBelow(r.Path))
				continue
			case err != nil && r.Path == "":
				yield(r, c.searchError(s.given, start, err))
				return
			case err != nil:
				s.addUnreadable(s.showBelow(r.Path), err)
				continue
			}
			if r.Line.Number == 0 {
				s.fileEnded = false
				s.current.shown = escapeMarker(s.showBelow(r.Path))
			}
			s.current.begin(r)
			if !yield(r, nil) {
				return
			}
			s.limitCounting()
			if s.uncounted {
				return
			}
		}
	}
}
