package search

import (
	"context"
	"math"
	"regexp"
	"strings"

	"gander/internal/plain"
	"gander/internal/search"
	"gander/internal/search/automaton"
	"gander/internal/search/match"
)

// Highlight colors the lines of the files that search_text shows: the paths, the numbers, and the
// matches.
func (r request) Highlight(ctx context.Context, result string) string {
	if r.options.Output != search.Lines {
		return result
	}
	searcher := r.matcher.NewSearcher(automaton.Limits{
		Memory: automaton.StateMemory, Stop: func() bool { return ctx.Err() != nil },
	})
	lines := strings.Split(result, "\n")
	for i, line := range lines[1:] { // after the heading
		isNote := strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]")
		isBelow := i > 0 && lines[i] != ""
		isGap := line == "--" && isBelow // otherwise a path
		if !isNote && !isGap {
			lines[i+1] = highlightLine(searcher, line)
		}
	}
	return strings.Join(lines, "\n")
}

// lineOfFile matches a line of a file as [pageLine.render] writes it: its number and perhaps its
// column, what separates it from its text, and the text. In the separator, a result can have the
// number of its matches, and other lines of the file have a sign.
var lineOfFile = regexp.MustCompile(`^(\d+(?::\d+)?)((?: x\d+(?: or more)?)?([-=]?)\t)(.*)$`)

// highlightLine colors a line of a file, or a path.
func highlightLine(searcher *match.Searcher, line string) string {
	parts := lineOfFile.FindStringSubmatch(line)
	if parts == nil {
		return plain.PathColor.Apply(line)
	}
	text := []byte(parts[4])
	spans := func(yield func(match.Span, error) bool) {
		if parts[3] != "" { // it is no result
			return
		}
		_ = searcher.Spans(match.Bytes(text), math.MaxInt, func(s match.Span) bool {
			return yield(s, nil)
		})
	}
	return plain.NumberColor.Apply(parts[1]) + parts[2] + string(plain.AppendMatches(nil, text, spans))
}
