package search

// An effort is how much a search has done.
type effort struct {
	results   int
	files     int   // passed by the search
	entries   int   // listed by the walk
	documents int   // whose text was extracted
	size      int64 // of the searched files, in bytes
}

// maxCounted is the effort that ends the counting of results after the page when any of its fields
// is reached. That takes about 50 ms. A measure of time would give a repeated search another total.
var maxCounted = effort{results: 50_000, files: 2000, entries: 50_000, documents: 1, size: 32 << 20}

// exhausts reports whether any field has reached its limit.
func (e effort) exhausts(limit effort) bool {
	left := min(
		limit.results-e.results, limit.files-e.files, limit.entries-e.entries,
		limit.documents-e.documents,
	)
	return left <= 0 || e.size >= limit.size
}

// progress counts what was searched. It reports whether the search should go on. The search calls
// it on the goroutine that consumes its results, after those of a file.
func (s *textSearch) progress(size int64, file bool) bool {
	s.passed.size += size
	if file {
		s.passed.files++
	}
	s.limitCounting()
	return !s.report.Uncounted
}

// limitCounting sets uncounted, which ends the search, when the counting of results after the page
// has taken the share of maxCounted that each path has.
func (s *textSearch) limitCounting() {
	if !s.report.Page.Closed {
		return
	}
	done := s.passed
	done.results = s.report.Page.Found
	done.entries, done.documents = s.report.Totals.Visited, s.report.Totals.Extracted
	if s.countingLimit == nil {
		paths := s.report.Call.PathCount
		s.countingLimit = &effort{
			results:   done.results + maxCounted.results/paths,
			files:     done.files + maxCounted.files/paths,
			entries:   done.entries + maxCounted.entries/paths,
			documents: done.documents + maxCounted.documents,
			size:      done.size + maxCounted.size/int64(paths),
		}
	}
	s.report.Uncounted = done.exhausts(*s.countingLimit)
}
