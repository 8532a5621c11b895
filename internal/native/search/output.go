package search

import (
	"context"
	"fmt"
	"strconv"

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

// noteBinary notes whether the current file is binary, and from where on.
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
