package search

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"gander/internal/files/workspace"
	"gander/internal/native/lookup"
	"gander/internal/native/results"
	"gander/internal/native/section"
	"gander/internal/native/wording"
	"gander/internal/search"
)

// addLines adds the matching lines and their context to the page.
func (s *textSearch) addLines(ctx context.Context) error {
	r := &s.request
	s.collected = &lineCollector{page: s.report.Page, reach: reach{r.options.Before, r.options.After}}
	for found, err := range s.results(ctx) {
		if err != nil {
			return err
		}
		line := &found.Line
		switch {
		case line.Number == 0:
			s.noteBinary(found.Binary)
		case line.Context && s.report.Page.IsNear():
			s.collected.addContext(s.current.shown, line.Number, s.lineExcerpt(ctx))
		case line.Context:
		case s.report.Page.Next():
			s.collected.addResult(pageLine{
				path: s.current.shown, rel: found.Path, number: line.Number, excerpt: s.lineExcerpt(ctx),
			})
			if r.fewContext && s.collected.results > fewResults {
				s.collected.narrow(0)
			}
		}
	}
	isPart := s.report.Page.Closed || r.Offset > 1
	if r.fewContext && isPart {
		s.collected.narrow(0)
	}
	hasHeads := r.fewContext || r.options.WithDocuments
	if hasHeads && s.collected.results <= mostHeads {
		s.addEnclosing(ctx)
	}
	return nil
}

// noteBinary notes whether the current file is binary. If it is, a marker after its last result
// says that it is not searched further.
func (s *textSearch) noteBinary(isBinary bool) {
	s.isBinary = isBinary && s.report.Start.IsFile()
	if isBinary && s.report.Page.IsNear() {
		s.collected.addNote(s.current.shown, "[binary from here; not searched further]")
	}
}

// collectedSection returns the section with what is collected. If that does not fit, it first cuts
// the results, and then leaves out lines.
func (s *textSearch) collectedSection(ctx context.Context) section.Section {
	s.collected.flush()
	for {
		items, end := s.collected.items(), s.headingEnd
		end.Total += " in " + wording.Counted(items.Paths, "file")
		end.Remark = s.reachClause(ctx) + end.Remark
		result := s.report.Finish(ctx, items, end)
		fits := result.Items == s.collected.results && s.report.Page.Budget.Fits(result.Size())
		if fits || !s.collected.shrink() {
			return result
		}
	}
}

// reachClause returns how many lines of context are shown, if more are requested.
func (s *textSearch) reachClause(ctx context.Context) string {
	lines, wanted := s.collected.reach.lines(), s.request.context
	shown := wording.IntArgument(ctx, "context", lines)
	switch {
	case lines == maxContext && wanted > maxContext:
		return "; " + shown + ", the maximum"
	case lines < wanted:
		return fmt.Sprintf("; %s, because %d does not fit", shown, wanted)
	default:
		return ""
	}
}

// findFiles returns the items of the matching files, with their counts if requested.
func (s *textSearch) findFiles(ctx context.Context) (items section.Items, err error) {
	isCounted := s.request.options.Output == search.Counts
	lines := 0
	for found, err := range s.results(ctx) {
		if err != nil {
			return items, err
		}
		if !s.report.Page.Next() {
			continue
		}
		var item []byte
		if isCounted {
			item = strconv.AppendInt(item, int64(found.Count), 10)
			item = append(item, '\t')
			lines += found.Count
		}
		items.Add(append(item, s.current.shown...))
		s.report.Page.CheckSize(items.Size())
	}
	if isCounted {
		s.headingEnd.Total = " with " + wording.Counted(lines, "matching line")
	}
	return items, nil
}

// emptyPage returns the section of a page without results.
func (s *textSearch) emptyPage(ctx context.Context) section.Section {
	isNothing := s.report.Page.Found == 0 && !s.isBinary
	heading := s.noneText(ctx) + s.report.Notes(ctx)
	if isNothing {
		heading += s.request.misreading()
	}
	return s.report.NoneSection(heading, isNothing)
}

// noneText returns the heading of a page without results.
func (s *textSearch) noneText(ctx context.Context) string {
	switch searched := s.report.Totals.Searched; {
	case s.report.Page.Found > 0:
		return s.report.Prefix + s.report.NoMoreText(ctx)
	case s.isBinary:
		return s.report.Shown + " is binary and matches; its lines are not shown"
	case searched == 0 && s.report.Totals.Documents+s.report.Totals.Late > 0:
		return "nothing is searched in " + s.report.Shown
	case s.report.Start.IsFile():
		return "no " + s.report.Noun + " in " + s.report.Shown
	case searched == 0:
		return s.noFileText(ctx)
	default:
		return fmt.Sprintf("%sno %s in %s searched", s.report.Prefix, s.report.Noun,
			wording.Counted(searched, "file"))
	}
}

// noFileText returns the heading if no file was searched below a directory.
func (s *textSearch) noFileText(ctx context.Context) string {
	noun := "file"
	isOther := s.report.Unreadable+len(s.report.Totals.Denied) > 0
	if isOther {
		noun = "other file"
	}
	globs := s.request.options.Globs
	if len(globs) == 0 {
		return fmt.Sprintf("nothing is searched, because there is no %s in %s", noun, s.report.Shown)
	}
	given, likely := strings.Join(globs, "\n"), s.likelyGlobs(globs)
	text := fmt.Sprintf("nothing is searched, because no %s in %s matches glob %.300q",
		noun, s.report.Shown, given)
	isOne := len(globs) == 1 && !strings.HasPrefix(given, "!")
	switch {
	case isOther:
	case likely != given:
		text += "; give " + wording.LinesArgument(ctx, "glob", likely)
	case isOne:
		text += results.Meanings(ctx, s.report, "file", search.FindOptions{
			Scope: lookup.Scope(false), Pattern: given, Kinds: []workspace.EntryKind{workspace.Regular},
		})
	}
	return text
}

// likelyGlobs returns the globs, one per line, that were probably meant: several in a line become
// one each, an extension becomes a suffix, and a directory becomes what is below it.
func (s *textSearch) likelyGlobs(globs []string) string {
	var likely []string
	for _, g := range globs {
		for _, part := range results.SplitGlobs(g, ", ") {
			likely = append(likely, s.likelyGlob(part))
		}
	}
	return strings.Join(likely, "\n")
}

func (s *textSearch) likelyGlob(glob string) string {
	isName := !strings.ContainsAny(glob, `*?[{\!/`) && strings.Trim(glob, ".") != ""
	switch {
	case strings.HasSuffix(glob, "/"):
		return glob + "**"
	case isName && s.hasDirectory(glob):
		return glob + "/**"
	case isName && strings.HasPrefix(glob, "."):
		return "*" + glob
	default:
		return glob
	}
}

// hasDirectory reports whether the searched directory has a subdirectory with a name.
func (s *textSearch) hasDirectory(name string) bool {
	info, err := s.report.Start.Location.Join(name).Lstat()
	return err == nil && info.Kind == workspace.Directory
}

// misreading returns the clause about a pattern without a match that probably does not mean what
// was intended.
func (r *request) misreading() string {
	switch {
	case r.literal && strings.Contains(r.pattern, `\`):
		return `; with literal, \ is a character of the text, so leave it out before others`
	case !r.literal && strings.Contains(r.pattern, `\|`):
		return `; \| is the character |, and | alone separates alternatives`
	default:
		return ""
	}
}

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

// limitCounting sets report.Uncounted, which ends the search, when the counting of results after
// the page has taken the share of maxCounted that each path has.
func (s *textSearch) limitCounting() {
	if !s.report.Page.Closed {
		return
	}
	done := s.passed
	done.results = s.report.Page.Found
	done.entries, done.documents = s.report.Totals.Listed, s.report.Totals.Extracted
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
	limit := s.countingLimit
	left := min(
		limit.results-done.results, limit.files-done.files, limit.entries-done.entries,
		limit.documents-done.documents,
	)
	s.report.Uncounted = left <= 0 || done.size >= limit.size
}
