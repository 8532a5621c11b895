package native

// An effort measures how much a search has done. Counting the results after the page stops when any
// field reaches its bound, so a repeated search has the same total.
type effort struct {
	results, files, entries int   // of texts that match, results are the matches
	documents               int   // whose text was searched; the next one ends the counting
	size                    int64 // of the files
}

// maxCounted is the maximum effort for counting results after the page, which takes about 50 ms.
var maxCounted = effort{results: 50_000, files: 2000, entries: 50_000, size: 32 << 20}

// isEnough reports whether the effort since the page was full is the share of one of several paths.
func (e effort) isEnough(full effort, paths int) bool {
	return e.documents > full.documents ||
		e.results-full.results >= maxCounted.results/paths ||
		e.files-full.files >= maxCounted.files/paths ||
		e.entries-full.entries >= maxCounted.entries/paths ||
		e.size-full.size >= maxCounted.size/int64(paths)
}

// progress counts what was searched. It reports whether the search should go on. The search calls it on the
// goroutine that consumes its results.
func (s *textSearch) progress(size int64, file bool) bool {
	s.done.size += size
	if file {
		s.done.files++
	}
	return s.goesOn()
}

// goesOn reports whether the search should go on: the page has room, or counting the other results is
// still cheap.
func (s *textSearch) goesOn() bool {
	if !s.page.full {
		return true
	}
	s.done.results = max(s.page.found, s.done.results)
	s.done.entries, s.done.documents = s.totals.Visited, s.totals.Extracted
	if s.atFull == nil {
		full := s.done
		s.atFull = &full
	}
	s.uncounted = s.done.isEnough(*s.atFull, s.call.paths)
	return !s.uncounted
}
