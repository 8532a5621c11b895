package native

// An effort measures how much a search has done. Counting the results after the page stops when any
// field reaches its bound, so a repeated search has the same total.
type effort struct {
	results, files, entries int   // for texts that match, results are the matches
	documents               int   // whose text was searched; the next one ends the counting
	size                    int64 // the size of the files in bytes
}

// maxCounted is the maximum effort for counting results after the page, which takes about 50 ms.
var maxCounted = effort{results: 50_000, files: 2000, entries: 50_000, size: 32 << 20}

// exceedsSince reports whether the effort since an earlier one is the share of one of several paths.
func (e effort) exceedsSince(earlier effort, paths int) bool {
	return e.documents > earlier.documents ||
		e.results-earlier.results >= maxCounted.results/paths ||
		e.files-earlier.files >= maxCounted.files/paths ||
		e.entries-earlier.entries >= maxCounted.entries/paths ||
		e.size-earlier.size >= maxCounted.size/int64(paths)
}

// done returns how much the search has done so far.
func (s *textSearch) done() effort {
	return effort{
		results: max(s.page.found, s.matches), files: s.files, size: s.size,
		entries: s.totals.Visited, documents: s.totals.Extracted,
	}
}

// progress counts what was searched. It reports whether the search should go on. The search calls it
// on the goroutine that consumes its results, after those of a file.
func (s *textSearch) progress(size int64, file bool) bool {
	s.size += size
	if file {
		s.files++
		s.fileEnded = true
	}
	return !s.checkEffort()
}

// checkEffort reports whether the search should end: the page is closed, and the effort since then for
// counting the other results is enough. Then they are not all counted.
func (s *textSearch) checkEffort() (ends bool) {
	if !s.page.closed {
		return false
	}
	done := s.done()
	if s.atClose == nil {
		s.atClose = &done
	}
	s.uncounted = done.exceedsSince(*s.atClose, s.call.paths)
	return s.uncounted
}
